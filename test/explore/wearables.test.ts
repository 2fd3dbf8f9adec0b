import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExploreFailure } from '../../src/client/explore.ts'
import { type LocalPetri, startPetri } from '../../src/index.ts'
import { lives } from '../../src/tools/explore/lives.ts'
import { wearableBugNames, wearableBugs } from './wearable-app.ts'
import { storesWhatCanBeRead } from './wearable-property.ts'

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

describe('an exploration of connections', { timeout: 600_000 }, () => {
  it('finds nothing wrong with an app that stores what can be read', { tags: 'slow' }, async () => {
    const runs = Number(process.env.RUNS ?? 40)
    console.log(lives())
    const start = Date.now()
    const found = await failureOf(petri.explore({ runs, only: ['feeds'] }, storesWhatCanBeRead()))
    console.log(found?.message, Date.now() - start)
    expect(found).toBeUndefined()
  })

  it.each(wearableBugNames)('finds an app with the bug %s', { tags: 'slow' }, async (bug) => {
    const start = Date.now()
    const found = await failureOf(petri.explore({ runs: 300, only: ['feeds'] }, storesWhatCanBeRead(bug)))
    const [finding] = found?.findings ?? []
    console.log(bug, Date.now() - start, finding?.run, finding?.anomalies, finding?.problem)
    expect(finding, wearableBugs[bug]).toBeDefined()
  })
})
