import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runPetri } from '../support/cli-in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'petri-feed-'))
const fileOf = (name: string, content: unknown) => {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  return join(folder, name)
}
const USER = '4a29dbc7-6db3-4c83-bfac-70a20a4be1b2'
const OTHER = '11111111-1111-4111-8111-111111111111'

const sample = (at: number) => ({
  id: null,
  timezone_offset: 0,
  type: null,
  unit: 'bpm',
  timestamp: new Date(at).toISOString(),
  value: 61,
})
const batch = (data: readonly object[], userId = USER, provider = 'fitbit') => ({
  event_type: 'daily.data.heartrate.created',
  user_id: userId,
  data: { user_id: userId, source_id: 1, source: { provider, type: 'watch', device_id: OTHER }, data },
})
const START = Date.parse('2025-03-03T08:00:00Z')
const HOUR = 3_600_000

/** Heart rates of a day each five minutes, received every two hours; without those of some hours, or with these late. */
const log = (isMissing: (hour: number) => boolean, lateAt?: number) =>
  Array.from({ length: 13 }, (_, two) => {
    const at = START + two * 2 * HOUR
    const all = Array.from({ length: 24 }, (_, each) => at - 2 * HOUR + (each + 1) * 300_000)
    const hourOf = (instant: number) => (instant - START) / HOUR
    const sent = all.filter((instant) => !isMissing(hourOf(instant)))
    const late =
      lateAt === two
        ? Array.from({ length: 288 }, (_, each) => START + (each + 1) * 300_000).filter((instant) =>
            isMissing(hourOf(instant)),
          )
        : []
    return [late, sent]
      .filter((list) => list.length > 0)
      .map((list) => ({ received_at: new Date(at).toISOString(), body: batch(list.map(sample)) }))
  })
    .flat()
    .map((line) => JSON.stringify(line))
    .join('\n')

it('petri feed from writes a feed scenario, plays it and says what comes otherwise', {
  tags: 'slow',
}, async () => {
  const out = join(folder, 'late.yaml')
  const source = fileOf(
    'log.jsonl',
    log((hour) => hour > 6 && hour <= 12, 9),
  )
  const { status, stdout, stderr } = await runPetri(['feed', 'from', source, '--name', 'late', '--out', out])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const lines = stdout.trim().split('\n')
  expect(lines.slice(0, 3)).toEqual([
    `Created ${out}.`,
    'Left out: values, ids, names and dates; the data are those of the user who is connected.',
    'The data are of fitbit; connect to it to see the same.',
  ])
  expect(lines.slice(3)).toEqual([
    expect.stringMatching(/^The played scenario also has .*steps.*, but the record/),
  ])
  const text = readFileSync(out, 'utf8')
  expect(text).toContain('  - { after: 6h5m, gap: 5h56m, arrives: 5h59m }\n')
  expect(text).not.toContain(USER)
  expect(text).not.toContain('2025')
  expect(await runPetri(['scenario', 'check', out])).toMatchObject({ status: 0 })
})

it('petri feed from reads exported samples, whose file says what they measure', {
  tags: 'slow',
}, async () => {
  const data = Array.from({ length: 600 }, (_, at) => sample(START + at * 300_000)).filter(
    (_, at) => at < 100 || at > 200,
  )
  const groups = { fitbit: [{ source: { provider: 'fitbit', type: 'watch' }, data }] }
  const source = fileOf('heartrate.json', { groups, next: null, next_cursor: null })
  const { status, stdout, stderr } = await runPetri(['feed', 'from', source])
  expect(status).toBe(0)
  expect(stdout).toContain('  - { after: 8h15m, gap: 8h30m }\n')
  expect(stderr).toContain('# The record has no times of receipt')
  const json = await runPetri(['feed', 'from', source, '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject({ name: 'incident', file: null, source: stdout })
})

it('petri feed from reads exported summaries, and finds the days that have none', {
  tags: 'slow',
}, async () => {
  const activity = ['03', '04', '07', '08'].map((day) => ({
    id: OTHER,
    user_id: USER,
    calendar_date: `2025-03-${day}`,
    source: { provider: 'fitbit', type: 'watch' },
    steps: 4711,
  }))
  const { status, stdout } = await runPetri(['feed', 'from', fileOf('activity.json', { activity })])
  expect(status).toBe(0)
  expect(stdout.split('steps:\n')[1]).toBe('  - { after: 2d, gap: 2d }\n')
})

it.each([
  ['not JSON', 'hello', 'is not JSON'],
  ['another object', { a: 1 }, 'These are neither samples, nor summaries, nor webhooks of health data.'],
  ['two users', [batch([sample(START)]), batch([sample(START)], OTHER)], 'These are of two users'],
  [
    'two providers',
    [batch([sample(START)]), batch([sample(START)], USER, 'oura')],
    'These are of two providers, fitbit and oura; choose one of them with --provider.',
  ],
  ['nothing dated', batch([{ value: 5 }]), 'Nothing here says when it was measured.'],
])('petri feed from refuses %s in a sentence, and writes no file', async (_, content, message) => {
  const out = join(folder, 'refused.yaml')
  const { status, stderr } = await runPetri(['feed', 'from', fileOf('bad.json', content), '--out', out])
  expect(status).toBe(1)
  expect(stderr).toContain(message)
  expect(existsSync(out)).toBe(false)
})

it('petri feed from reads one of two users or providers, if it is chosen', { tags: 'slow' }, async () => {
  const lines = [batch([sample(START)]), batch([sample(START)], OTHER, 'oura')]
  const source = fileOf('two.json', lines)
  const { status, stderr } = await runPetri(['feed', 'from', source, '--user', OTHER])
  expect(status).toBe(0)
  expect(stderr).toContain('# The data are of oura; connect to it to see the same.')
})

it('petri feed from says that it cannot play a provider that Petri does not know', async () => {
  const source = fileOf('unknown.json', batch([sample(START)], USER, 'unheard_of'))
  const { stderr } = await runPetri(['feed', 'from', source])
  expect(stderr).toContain('# It was not played, because Petri does not know the provider unheard_of.')
})
