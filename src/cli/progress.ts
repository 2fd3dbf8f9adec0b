import { startInterval, startTimer } from '../kernel/pause.ts'
import { currentContext, type Output } from './context.ts'

/** Milliseconds after which the progress of a call is shown. */
const LONG_MS = 1000

/** Shows on a terminal how long a call has been running; the line is removed at the end. */
export async function showProgress<Value>(
  work: Promise<Value>,
  terminal: Output = currentContext().stderr,
): Promise<Value> {
  if (!terminal.isTTY) return work
  let seconds = 1
  let shown = false
  const show = () => {
    shown = true
    terminal.write(`\r\u001b[2Kstill at it, ${seconds++} s`)
  }
  let stop = startTimer(LONG_MS, () => {
    show()
    stop = startInterval(LONG_MS, show)
  })
  try {
    return await work
  } finally {
    stop()
    if (shown) terminal.write('\r\u001b[2K')
  }
}
