import { vi } from 'vitest'

/** What `check` returns once it no longer throws; its last error if that takes nearly as long as a test may. */
export const eventually = <Result>(check: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(check, { timeout: 18_000, interval: 5 })

/** What `work` resolves to; the timeouts it waits for elapse at once. */
export async function withoutWaiting<Result>(work: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    let isDone = false
    const result = work().finally(() => {
      isDone = true
    })
    result.catch(() => undefined)
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve))
      vi.runOnlyPendingTimers()
    }
    return await result
  } finally {
    vi.useRealTimers()
  }
}

/** Makes every step of long work take longer than a slice, until `vi.restoreAllMocks()`. */
export function makeStepsSlow(): void {
  let now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1000
    return now
  })
}

/** Makes all work take no time, so that none is divided into slices, until `vi.restoreAllMocks()`. */
export function makeStepsInstant(): void {
  vi.spyOn(performance, 'now').mockReturnValue(performance.now())
}

/** Counts the turns of the event loop during a call; `onTurn` is awaited in each. */
export async function countTurns(
  call: Promise<unknown>,
  onTurn: () => Promise<unknown> = async () => undefined,
): Promise<number> {
  let isDone = false
  const done = call.finally(() => {
    isDone = true
  })
  let turns = 0
  for (; !isDone; turns++) {
    await new Promise((resolve) => setImmediate(resolve))
    await onTurn()
  }
  await done
  return turns
}
