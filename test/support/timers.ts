import { vi } from 'vitest'

/** What `work` resolves to; the time-outs it waits for are over at once. */
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
