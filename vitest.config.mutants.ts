import { defineConfig } from 'vitest/config'
import { chosenArea } from './mutation-areas.mjs'

const { tests } = chosenArea()

/** The tests of one area, for mutation testing (stryker.config.mjs). */
export default defineConfig({
  test: {
    include: tests.map((path) => `test/${path}.test.ts`),
    setupFiles: ['test/support/closed-network.ts'],
    testTimeout: 300_000,
    pool: 'threads',
    // Stryker knows which test reaches a mutant only where each file loads its modules anew.
    isolate: true,
    experimental: { fsModuleCache: true },
  },
})
