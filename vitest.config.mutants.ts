import { defineConfig } from 'vitest/config'
import { chosenArea } from './mutation-areas.mjs'

/** The tests of one area, for mutation testing (stryker.config.mjs). */
export default defineConfig({
  test: {
    include: ['test/mutation-area.ts'],
    provide: { areaTests: chosenArea().tests },
    setupFiles: ['test/support/closed-network.ts'],
    testTimeout: 300_000,
    pool: 'threads',
    // Stryker knows which test reaches a mutant only where each file loads its modules anew.
    isolate: true,
    experimental: { fsModuleCache: true },
  },
})
