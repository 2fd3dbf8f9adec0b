import { defineConfig } from 'vitest/config'

/** The tests that mutants are tried against: quick ones about orders, the scheduler, webhooks, faults and authentication. */
export default defineConfig({
  test: {
    include: [
      'test/unit/{agenda,clock,lifecycle,ticker,webhooks.*,keyed-mutex,event-bus}.test.ts',
      'test/api/{orders.*,kits,faults,webhooks,hostile-deliveries,same-site,security.keys,worlds,wait,scenarios,control}.test.ts',
    ],
    setupFiles: ['test/support/closed-network.ts'],
    testTimeout: 60_000,
    pool: 'threads',
    isolate: false,
  },
})
