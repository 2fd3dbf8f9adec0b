import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/closed-network.ts'],
    testTimeout: 20_000,
    pool: 'threads',
  },
})
