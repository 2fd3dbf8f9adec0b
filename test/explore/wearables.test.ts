import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExploreFailure } from '../../src/client/explore.ts'
import { type LocalPetri, startPetri } from '../../src/index.ts'
import { rounds } from '../support/rounds.ts'
import { wearableBugNames, wearableBugs } from './wearable-app.ts'
import { storesWhatCanBeRead } from './wearable-property.ts'

let petri: LocalPetri
beforeAll(async () => {
  petri = await startPetri()
})
afterAll(() => petri.close())

describe('an exploration of connections', { timeout: 60_000 }, () => {
  it('finds nothing wrong with an app that stores what can be read', { tags: 'slow' }, async () => {
    const { coverage } = await petri.explore({ runs: rounds(40), only: ['feeds'] }, storesWhatCanBeRead())
    expect(Object.keys(coverage.events)).toContain('historical.data.sleep.created')
  })

  it.each(wearableBugNames)('finds an app with the bug %s', { tags: 'slow' }, async (bug) => {
    const exploring = petri.explore({ runs: 300, only: ['feeds'] }, storesWhatCanBeRead(bug))
    const failure = await exploring.catch((error: ExploreFailure) => error)
    const [finding] = failure.findings
    expect(finding, wearableBugs[bug]).toBeDefined()
    expect(finding?.anomalies.length).toBeLessThanOrEqual(3)
    await petri.replay(finding?.scenario ?? '', storesWhatCanBeRead())
  })
})
