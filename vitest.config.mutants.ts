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
    isolate: false,
    experimental: { fsModuleCache: true },
  },
})
