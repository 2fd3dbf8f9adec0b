import * as realTimers from 'node:timers'
import { vi } from 'vitest'
import { ownTimers } from '../../src/kernel/pause.ts'

/** What `check` returns once it no longer throws; its last error if that takes nearly as long as a test may. */
export const eventually = <Result>(check: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(check, { timeout: 18_000, interval: 5 })

/** Lets this many turns of the event loop go by. */
export async function turns(count = 1): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

type TimerName = keyof typeof ownTimers

/** Fakes timers, also those that Petri keeps for itself, until `useRealTimers()`. */
export function useFakeTimers(...toFake: readonly TimerName[]): void {
  vi.useFakeTimers({ toFake: [...toFake] })
  for (const name of toFake) Object.assign(ownTimers, { [name]: globalThis[name] })
}

export function useRealTimers(): void {
  vi.useRealTimers()
  const { clearInterval, clearTimeout, setInterval, setTimeout } = realTimers
  Object.assign(ownTimers, { clearInterval, clearTimeout, setInterval, setTimeout })
}

/** What `work` resolves to; the timeouts it waits for elapse at once. */
export async function withoutWaiting<Result>(work: () => Promise<Result>): Promise<Result> {
  useFakeTimers('setTimeout', 'clearTimeout')
  try {
    let isDone = false
    const result = work().finally(() => {
      isDone = true
    })
    result.catch(() => undefined)
    while (!isDone) {
      await turns()
      vi.runOnlyPendingTimers()
    }
    return await result
  } finally {
    useRealTimers()
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
  let count = 0
  for (; !isDone; count++) {
    await turns()
    await onTurn()
  }
  await done
  return count
}
