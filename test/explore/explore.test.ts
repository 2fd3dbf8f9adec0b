import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExploreFailure } from '../../src/client/explore.ts'
import { type LocalPetri, startPetri } from '../../src/index.ts'
import { rounds } from '../support/rounds.ts'
import { agreesWithPetri } from './property.ts'

let petri: LocalPetri
beforeAll(async () => {
  petri = await startPetri()
})
afterAll(() => petri.close())

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: ExploreFailure) => error,
  )

describe('explore', { timeout: 600_000 }, () => {
  it('finds nothing wrong with a correct app, and says what it has covered', async () => {
    const runs = rounds(20)
    const { runs: played, coverage } = await petri.explore({ runs }, agreesWithPetri())
    expect(played).toBe(runs)
    expect(coverage.edges.covered).toBeGreaterThan(30)
    expect(Object.keys(coverage.events)).toContain('labtest.order.updated')
  })

  it('makes a history in which the app goes wrong as small as possible', async () => {
    const failure = await failureOf(
      petri.explore({ runs: 30, only: ['orders', 'deliveries'] }, agreesWithPetri('last_webhook_wins')),
    )
    const [finding] = failure?.findings ?? []
    expect(finding?.anomalies.length).toBeLessThanOrEqual(3)
    expect(finding?.story.length).toBeLessThanOrEqual(10)
    expect(finding?.problem).toContain('status')
  })
})
