import { constants } from 'node:os'
import { platform } from '../../kernel/platform.ts'
import { CommandFailed } from '../../terminal/errors.ts'

/** Added to the number of the signal that ended a command. */
const SIGNALLED = 128

/** The exit status of a shell for a command that a signal has ended. */
export const statusOf = (signal: NodeJS.Signals): number => SIGNALLED + constants.signals[signal]

/** A terminal sends these to all programs in the foreground, so forwarding them would send them twice. */
const sentByTerminal: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']

/** The signals that this process receives, so that none ends it before it has cleaned up. */
export interface Signals {
  /** Aborted by a signal that no command receives, with the `CommandFailed` to end with. */
  readonly interrupted: AbortSignal
  /** Forwards signals to a command until it has ended. */
  forwardTo(send: (signal: NodeJS.Signals) => void): () => void
  close(): void
}

export function receiveSignals(): Signals {
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  const interruption = new AbortController()
  let forward: ((signal: NodeJS.Signals) => void) | undefined
  const receive = (signal: NodeJS.Signals) => {
    if (!forward) interruption.abort(new CommandFailed(statusOf(signal)))
    else if (!hasTerminal || !sentByTerminal.includes(signal)) forward(signal)
  }
  for (const signal of platform.signals) process.on(signal, receive)
  return {
    interrupted: interruption.signal,
    forwardTo(send) {
      forward = send
      return () => {
        forward = undefined
      }
    },
    close() {
      for (const signal of platform.signals) process.off(signal, receive)
    },
  }
}
