import { startTimer } from '../kernel/pause.ts'
import type { World } from './world.ts'

/** The maximum time a call waits for earlier deliveries, in wall-clock milliseconds. */
const MAX_WAIT_MS = 5000

/**
 * In a frozen world, resolves once everything due now is done and delivered. Calls that change deliveries, copy the world
 * or read the results of jobs wait for this, so that equal calls find equal worlds regardless of the speed of receivers.
 */
export async function earlierWorkDone({ agenda, clock }: World): Promise<void> {
  if (!clock.frozen) return
  let stopTimer = () => {}
  const tooLong = new Promise<void>((resolve) => {
    stopTimer = startTimer(MAX_WAIT_MS, resolve)
  })
  await Promise.race([agenda.settled(), tooLong])
  stopTimer()
}
