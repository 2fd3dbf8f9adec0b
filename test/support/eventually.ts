import { vi } from 'vitest'

/** What `check` returns once it no longer throws. It may take as long as the machine needs. */
export const eventually = <Result>(check: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(check, { timeout: 240_000, interval: 5 })
