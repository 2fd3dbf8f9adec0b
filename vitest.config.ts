import { defineConfig } from 'vitest/config'

export default defineConfig({
  // As tsconfig.page.json has it.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/closed-network.ts'],
    // Long enough for a machine that is busy with other things.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    pool: 'threads',
    // Nothing at the top of a module is ever altered, so files may share their modules.
    isolate: false,
    // As many as the smallest machine has cores; left to itself, one fewer.
    maxWorkers: 2,
  },
})
