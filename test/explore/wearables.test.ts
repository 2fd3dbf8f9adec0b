/** @module-tag slow */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LocalPetri, startPetri } from '../../src/index.ts'
import { judgeInvariants, readInvariants } from '../../src/tools/explore/checks.ts'
import { START } from '../../src/tools/explore/compile.ts'
import { explore } from '../../src/tools/explore/explore.ts'
import { rounds, sampled } from '../support/rounds.ts'
import { serveHost } from '../support/served.ts'
import { wearableBugNames, wearableBugs } from './wearable-app.ts'
import { storesWhatCanBeRead } from './wearable-property.ts'

let petri: LocalPetri
beforeAll(async () => {
  petri = await startPetri()
})
afterAll(() => petri.close())

describe('an exploration of connections', { timeout: 60_000 }, () => {
  it('finds nothing wrong with an app that stores what can be read', async () => {
    const { coverage } = await petri.explore({ runs: rounds(20), only: ['feeds'] }, storesWhatCanBeRead())
    expect(Object.keys(coverage.events)).toContain('historical.data.sleep.created')
  })

  it.each(sampled(wearableBugNames, 12))('finds an app with the bug %s', async (bug) => {
    const now = new Date(START).toISOString()
    const world = await petri.world({ seed: 'explore', frozen: true, now, scenario: 'manual' })
    const property = storesWhatCanBeRead(bug)
    // Smaller findings take longer than the test has.
    const found = await explore({ runs: 300, only: ['feeds'] }, { world, property, maxShrinks: 20 })
    const [finding] = found.findings
    expect(finding, wearableBugs[bug]).toBeDefined()
    await petri.replay(finding?.source ?? '', storesWhatCanBeRead())
  })
})

it('an invariant requires that a program has stored what can be read, once', async () => {
  const world = await petri.world({ frozen: true, now: '2026-01-05T09:00:00Z', history: '3d' })
  const { user_id } = await world.call<{ user_id: string }>('POST', '/_petri/users', {})
  await world.call('POST', '/v2/link/connect/demo', { user_id, provider: 'fitbit' })
  await world.clock.advance('5m')
  const { sleep } = await world.call<{ sleep: { id: string }[] }>(
    'GET',
    `/v2/summary/sleep/${user_id}?start_date=2026-01-01`,
  )
  const nights = sleep.map(({ id }) => id)
  expect(nights.length).toBeGreaterThan(2)
  const program = await serveHost(() => Response.json({ nights }))
  const invariants = { invariants: [{ url: `${program}/{user_id}`, at: 'nights', stores: 'sleep' }] }
  const judge = judgeInvariants({
    invariants: readInvariants(JSON.stringify(invariants), 'invariants.json'),
    world,
    warn: () => undefined,
  })
  const played = { orders: [], userIds: [user_id] } as unknown as Parameters<typeof judge>[0]
  expect(await judge(played)).toBeUndefined()
  nights.push(nights[0] ?? '')
  expect(await judge(played)).toMatchObject({ oracle: 'check' })
})
