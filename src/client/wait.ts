import type { Caller } from './caller.ts'
import type { WaitOptions } from './inputs.ts'

/** Blocks until what is waited for is there; a time-out is thrown with the nearest miss. */
export const waiting = <Found>(
  call: Caller['call'],
  what: object,
  { timeout = '10s', times }: WaitOptions = {},
): Promise<Found> =>
  call<Found>('POST', '/_petri/wait', { ...what, timeout, ...(times !== undefined && { times }) })
