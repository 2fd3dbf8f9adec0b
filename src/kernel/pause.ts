import { setImmediate as nextTurn } from 'node:timers'

/** Timers of the wall clock, regardless of the clocks of worlds. */

/** The `setImmediate` of Node, which stays the same where a test fakes the global one: all calls of Petri depend on it. */
export const inNextTurn = nextTurn

/** Resolves after `waitMs` milliseconds. */
export const pause = (waitMs: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, waitMs)
  })

/** Like `setTimeout`; returns the function that cancels it. */
export function startTimer(waitMs: number, act: () => void): () => void {
  const timer = setTimeout(act, waitMs)
  return () => clearTimeout(timer)
}

/** Like `setInterval`, without keeping the process running; returns the function that stops it. */
export function startInterval(intervalMs: number, act: () => void): () => void {
  const timer = setInterval(act, intervalMs).unref()
  return () => clearInterval(timer)
}
