import type { Caller } from './caller.ts'
import type { WaitOptions } from './inputs.ts'

/** Waits until the condition is met. After the timeout it throws an error with the nearest match. */
export const waiting = <Found>(
  call: Caller['call'],
  what: object,
  { timeout = '10s', times }: WaitOptions = {},
): Promise<Found> =>
  call<Found>('POST', '/_petri/wait', { ...what, timeout, ...(times !== undefined && { times }) })
