import { defineConfig } from 'vitest/config'
import { chosenArea } from './areas.mjs'

export default defineConfig({
  test: {
    include: ['test/mutants/area-tests.ts'],
    provide: { areaTests: chosenArea().tests },
    setupFiles: ['test/support/closed-network.ts'],
    testTimeout: 60_000,
    pool: 'threads',
    // Stryker knows which test reaches a mutant only where each file loads its modules anew.
    isolate: true,
    experimental: { fsModuleCache: true },
  },
})
