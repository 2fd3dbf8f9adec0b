import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type RecordedCall, readRecordings, sources } from '../../scripts/recordings.ts'
import { play } from '../support/recordings.ts'

// What was observed of the live service, field by field. The table: test/contract/recordings.

describe.each(readRecordings())('$topic', (file) => {
  it.each(file.recordings.map((recording) => [recording.name, recording] as const))(
    '%s',
    async (_, recording) => {
      const { source, date = 'undated' } = recording
      expect(await play(recording, file), `${sources[source]}, ${date}`).toEqual([])
    },
  )
})

describe('a recording', () => {
  const [{ values }] = readRecordings() as [ReturnType<typeof readRecordings>[number]]
  const played = (step: Partial<RecordedCall>) =>
    play(
      {
        name: 'Laboratories',
        source: 'recorded',
        given: [],
        calls: [{ call: 'GET /v3/lab_tests/labs', status: 200, ...step }],
      },
      { values },
    )

  it('is told of each field that differs', async () => {
    expect(await played({ fields: { '[0].id': 24, length: 20 } })).toEqual([])
    expect(await played({ status: 201, fields: { '[0].id': 25, '[0].slug': '/^my/' } })).toEqual([
      'GET /v3/lab_tests/labs status: expected 201, got 200',
      'GET /v3/lab_tests/labs [0].id: expected 25, got 24',
    ])
    expect(await played({ keys: { '[0]': 'slug id' } })).toHaveLength(1)
    expect(await played({ absent: ['[0].slug'], bytes: 1, text: 'x' })).toHaveLength(3)
    expect(await played({ response_headers: { vary: '*' } })).toHaveLength(1)
    expect(await played({ fields: { '[].id': [24] } })).toHaveLength(1)
  })

  it('has the rules of its topic on pages that exist', () => {
    for (const { topic, rules } of readRecordings())
      for (const page of rules)
        expect(existsSync(new URL(`../../docs/contract/${page}.md`, import.meta.url)), topic).toBe(true)
  })
})
