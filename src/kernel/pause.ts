import { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from 'node:timers'

/** Timers of the wall clock, regardless of the clocks of worlds. */

/** The timers of Node as they were when Petri was loaded: a test of a user's that fakes them must not stop Petri. */
export const ownTimers = { clearInterval, clearTimeout, setInterval, setTimeout }

/** The `setImmediate` of Node, which stays the same where a test fakes the global one: all calls of Petri depend on it. */
export const inNextTurn = setImmediate

/** Resolves in the next turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => inNextTurn(resolve))

/** Resolves after `waitMs` milliseconds. */
export const pause = (waitMs: number): Promise<void> =>
  new Promise((resolve) => {
    ownTimers.setTimeout(resolve, waitMs)
  })

/** Like `setTimeout`; returns the function that cancels it. */
export function startTimer(waitMs: number, act: () => void): () => void {
  const timer = ownTimers.setTimeout(act, waitMs)
  return () => ownTimers.clearTimeout(timer)
}

/** Like `setInterval`, without keeping the process running; returns the function that stops it. */
export function startInterval(intervalMs: number, act: () => void): () => void {
  const timer = ownTimers.setInterval(act, intervalMs).unref()
  return () => ownTimers.clearInterval(timer)
}
