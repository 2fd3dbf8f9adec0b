import { vi } from 'vitest'

/** From now on every step of long work takes longer than a slice, until `vi.restoreAllMocks()`. */
export function makeStepsSlow(): void {
  let now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => {
    now += 1000
    return now
  })
}

/** From now on no work takes any time, so that none is divided into slices, until `vi.restoreAllMocks()`. */
export function makeStepsInstant(): void {
  vi.spyOn(Date, 'now').mockReturnValue(Date.now())
}

/** How many turns the event loop gets while a call is answered; `onTurn` is awaited in each. */
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
