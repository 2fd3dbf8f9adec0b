import { test as base, expect } from 'vitest'
import type { WorldOptions } from './client/kit.ts'
import { type LocalPetri, matchers, type PetriMatchers, type PetriWorld, startPetri } from './index.ts'

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: a declaration has to have the type parameters of the one it extends.
  interface Matchers<T = any> extends PetriMatchers<T> {}
}

expect.extend(matchers)

export interface PetriFixtures {
  /** A Petri for all tests of a worker. */
  petri: LocalPetri
  /** Options of the world of each test: `test.extend({ worldOptions: { scenario: 'critical-result' } })`. */
  worldOptions: WorldOptions
  /** A world for this test, with a frozen clock by default. What was asked and delivered is printed when the test fails. */
  world: PetriWorld
}

/** vitest's `test` with a Petri and a world; `expect` has the matchers. */
export const test = base.extend<PetriFixtures>({
  petri: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures this one needs.
    async ({}, use) => {
      const petri = await startPetri()
      await use(petri)
      await petri.close()
    },
    { scope: 'worker' },
  ],
  worldOptions: {},
  world: async ({ petri, worldOptions, task }, use) => {
    const world = await petri.world(worldOptions)
    await use(world)
    if (task.result?.state === 'fail') console.error(await world.journal())
    await world.close()
  },
})
