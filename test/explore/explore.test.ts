import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExploreFailure, ExploreProperty } from '../../src/client/explore.ts'
import { type LocalPetri, startPetri } from '../../src/index.ts'
import { workflows } from '../../src/resources/orders/lifecycle.ts'
import { happyHistory } from '../../src/tools/explore/compile.ts'
import { replay } from '../../src/tools/explore/explore.ts'
import { rounds } from '../support/rounds.ts'
import { partsOf } from './bugs.ts'
import { agreesWithPetri } from './property.ts'
import { type Bug, bugs, healingBugs } from './sample-app.ts'

let petri: LocalPetri
beforeAll(async () => {
  petri = await startPetri()
})
afterAll(() => petri.close())

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: ExploreFailure) => {
      if (error.name === 'ExploreFailure') return error
      throw error
    },
  )

/** The deliveries of a replay that fails each time. */
async function replayed(finding: string, bug: Bug): Promise<readonly { id: string; event: string }[]> {
  const deliveries: { id: string; event: string }[] = []
  const property = agreesWithPetri(bug, (id, body) => {
    const { event_type, data } = JSON.parse(body)
    const event = data.last_event ?? data
    deliveries.push({ id, event: [event_type, event.created_at, event.status].join(' ') })
  })
  const failure = await failureOf(petri.replay(finding, property))
  expect(failure?.findings).toMatchObject([{ known: true, plays: { failed: 3, of: 3 } }])
  return deliveries
}

describe('petri.explore', { timeout: 600_000 }, () => {
  it('finds nothing wrong with a correct app, and says what it has covered', { tags: 'slow' }, async () => {
    const runs = rounds(5)
    const { runs: played, coverage } = await petri.explore({ runs }, agreesWithPetri())
    expect(played).toBe(runs)
    expect(coverage.edges.covered).toBeGreaterThan(10)
    expect(Object.keys(coverage.events)).toContain('labtest.order.updated')
  })

  // `npm run histories` looks for all bugs, with the options that there are by default.
  const usual: readonly Bug[] = ['dedupe_by_type', 'correction_ignored']
  it.each(usual)('finds an app with the bug %s', { tags: 'slow' }, async (bug) => {
    const exploring = petri.explore({ runs: 300, only: partsOf[bug] }, agreesWithPetri(bug))
    const [finding] = (await failureOf(exploring))?.findings ?? []
    expect(finding, bugs[bug]).toBeDefined()
    if (!finding) return
    const beyond = finding.anomalies.filter((one) => !workflows.some((workflow) => workflow === one))
    expect(beyond.length).toBeLessThanOrEqual(3)
    expect(finding.story.length).toBeLessThanOrEqual(10)
    const [one, two] = [await replayed(finding.source, bug), await replayed(finding.source, bug)]
    expect(one.length).toBeGreaterThan(0)
    expect(two.map(({ event }) => event)).toEqual(one.map(({ event }) => event))
    expect(one.map(({ id }) => id)).not.toEqual(expect.arrayContaining([two[0]?.id]))
    await petri.replay(finding.source, agreesWithPetri())
  })

  it.each(healingBugs)(
    'finds %s in the happy path, although all is right at its end',
    { tags: 'slow' },
    async (bug) => {
      const [finding] = (await failureOf(petri.explore({}, agreesWithPetri(bug))))?.findings ?? []
      expect(finding, bugs[bug]).toMatchObject({ oracle: 'property', plays: { failed: 3, of: 3 } })
      if (!finding) return
      expect(finding.run).toBeLessThanOrEqual(workflows.length)
      expect(finding.anomalies).toEqual(bug === 'appointment_unknown' ? ['at_home_phlebotomy'] : [])
      expect(finding.source.match(/look: true/g)).toHaveLength(1)
      expect(finding.story.at(-1)).toMatch(/^ *\d.*status: the app says ".*"; true is "/)
      await replayed(finding.source, bug)
      await petri.replay(finding.source, agreesWithPetri())
    },
  )

  it('leaves out moves of a history that its failure does not need', { tags: 'slow' }, async () => {
    // The first failure has moves before the cancellation on which the later choices depend.
    const options = { runs: 40, seed: 4, only: partsOf.final_forever }
    const exploring = petri.explore(options, agreesWithPetri('final_forever'))
    const [finding] = (await failureOf(exploring))?.findings ?? []
    expect(finding?.anomalies).toEqual(['walk_in_test', 'cancelled'])
  })

  it.each([{ respond: { status: 503 } }, { drop: 'reset' }, { drop: 'truncate' }])(
    'goes on if a call for the customer fails: %j',
    { tags: 'slow' },
    async (fault) => {
      const calls = ['POST /v2/link/token', 'POST /v3/order/{order_id}/cancel']
      const finding = {
        kind: 'finding',
        name: 'mine',
        summary: 'Calls for the customer fail.',
        seed: 'a',
        now: '2026-01-05T09:00:00Z',
        orders: [{ at: '0s', user: 1, method: 'testkit', steps: [] }],
        actions: [
          { at: '1h', cancel: 1 },
          { at: '2h', connect: 'freestyle_libre', user: 1 },
        ],
        faults: calls.map((operation) => ({ operation, times: 1, ...fault })),
      }
      await petri.replay(JSON.stringify(finding), agreesWithPetri())
    },
  )

  it('does not take calls for the customer for those of the program', { tags: 'slow' }, async () => {
    const happy = happyHistory()
    const actions = [{ at: '2h', connect: 'freestyle_libre', user: 1 }] as const
    const file = { ...happy, actions: [...actions] }
    const world = await petri.world({ frozen: true, now: happy.now, scenario: 'manual' })
    const property: ExploreProperty = async ({ world, history }) => {
      await world.webhooks.deliverTo(() => undefined)
      await history.play()
    }
    const { played } = await replay(file, {}, { world, property })
    expect(played.deliveries.some(({ body }) => body.includes('freestyle_libre'))).toBe(true)
    expect(played.calls).toEqual([])
  })

  it('names unknown options and parts', async () => {
    const exploring = petri.explore({ only: ['order' as 'orders'] }, agreesWithPetri())
    await expect(exploring).rejects.toThrow('Did you mean "orders"?')
  })
})
