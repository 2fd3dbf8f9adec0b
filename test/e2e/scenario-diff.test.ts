import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runPetri } from '../support/cli-in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'petri-diff-'))
function fileOf(name: string, steps: readonly string[], ...more: string[]): string {
  const path = join(folder, `${name}.yaml`)
  const lines = [`name: ${name}`, 'summary: x', 'method: walk_in_test', 'steps:']
  writeFileSync(path, [...lines, ...steps.map((step) => `  - { ${step} }`), ...more].join('\n'))
  return path
}
const diff = (a: string, b: string, ...more: string[]) => runPetri(['scenario', 'diff', a, b, ...more])

const created = 'after: 1h, status: requisition_created'
const plain = fileOf('plain', [created, 'after: 1d, status: partial_results', 'after: 1d, status: completed'])

describe('petri scenario diff', () => {
  it('says that nothing differs, whatever the names, ZIP codes and spellings', async () => {
    const same = fileOf(
      'same',
      [
        'after: 60m, status: requisition_created',
        'after: 24h, status: partial_results',
        'after: 1d, status: completed',
      ],
      'match: { zip: "00299" }',
      'faults: []',
    )
    expect(await diff(plain, same)).toEqual({ status: 0, stdout: 'The same happens in both.\n', stderr: '' })
    expect(await diff('happy-path', 'happy-path')).toMatchObject({ status: 0 })
  })

  it('shows statuses and times side by side, and each change once', async () => {
    const late = fileOf('late', [
      'after: 5h, status: requisition_created',
      'await: appointment',
      'after: 1d, appointment: no_show',
      'after: 1d, status: completed, results: { interpretation: critical }',
    ])
    const { status, stdout } = await diff(plain, late)
    expect(status).toBe(1)
    expect(stdout.split('\n')).toEqual([
      '   plain    late     walk_in_test',
      '   0 s      0 s      ordered',
      '~  1 h      5 h      requisition_created',
      '-  1 d 1 h           partial_results',
      '+           5 h      appointment_pending',
      '+           5 h      appointment_scheduled',
      '+           1 d 5 h  appointment_cancelled',
      '~  2 d 1 h  2 d 5 h  completed  results: null | {"interpretation":"critical"}',
      '',
    ])
  })

  it('shows steps without a status, waits, details, shipments, webhooks and faults that differ', async () => {
    const steps = [created, 'await: appointment', 'after: 1h, appointment: start']
    const a = fileOf('a', [...steps, 'after: 1d, status: sample_error, status_detail: sample_hemolyzed'])
    const b = fileOf(
      'b',
      [...steps, 'after: 1d, status: sample_error'],
      'webhooks: { duplicate: 1 }',
      'faults: [{ operation: "GET /v3/order/{order_id}", respond: { status: 503 }, times: 1 }]',
    )
    const { status, stdout } = await diff(a, b)
    expect(status).toBe(1)
    expect(stdout).toContain('sample_error  status_detail: "sample_hemolyzed" | null')
    expect(stdout).toContain('~ webhooks: null | {"duplicate":1}\n')
    expect(stdout).toMatch(/~ faults: null \| \[\{.*503.*\n$/)
    expect(stdout.match(/^~/gm)).toHaveLength(3)
  })

  it('compares both workflows of kits, and names the one that differs', async () => {
    const { stdout } = await diff('happy-path', 'never-registered')
    const heads = stdout.split('\n').filter((line) => line.includes('happy-path'))
    expect(heads.map((head) => head.trim().split(/ +/).at(-1))).toEqual(['registered_kit', 'registrable_kit'])
  })

  it('compares feed scenarios, and refuses to compare one with a scenario of orders', async () => {
    expect(await diff('gap-and-late-backfill', 'gap-and-late-backfill')).toMatchObject({ status: 0 })
    const { status, stdout, stderr } = await diff('steady', 'duplicate-samples')
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' })
    expect(stdout).toMatch(/^\+ .*come twice/m)
    expect(await diff('happy-path', 'gap-and-late-backfill')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        'gap-and-late-backfill is a feed scenario, and happy-path is a scenario of orders',
      ),
    })
    expect((await diff('happy-pth', 'happy-path')).stderr).toContain('Did you mean "happy-path"?')
  })

  it('prints JSON with the times in milliseconds', async () => {
    const { status, stdout } = await diff('happy-path', 'walk-in-happy-path', '--json')
    expect(status).toBe(1)
    const { a, b, roads, rules } = JSON.parse(stdout)
    expect([a, b]).toEqual(['happy-path', 'walk-in-happy-path'])
    expect(roads).toMatchObject([{ road: 'registered_kit' }])
    expect(rules).toEqual([{ name: 'method', a: 'testkit', b: 'walk_in_test' }])
    const [first] = roads[0].happenings
    expect(first).toMatchObject({ what: 'ordered', a: { at_ms: 0 }, b: { at_ms: 0 }, differences: [] })
  })
})
