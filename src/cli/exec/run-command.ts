import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { platform } from '../../kernel/platform.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The statuses of a shell for a command that it cannot run. */
const NOT_FOUND = 127
const NOT_EXECUTABLE = 126
/** Added to the number of the signal that ended a command. */
const SIGNALLED = 128

/** A terminal sends these to all programs in the foreground, so forwarding them would send them twice. */
const sentByTerminal: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']

export interface Ended {
  readonly status: number
  /** Why the command did not start. */
  readonly problem?: string
}

/** Runs a command with the streams of this process, forwards signals to it, and returns its exit status as a shell does. */
export function runCommand(command: readonly string[], env: Environment): Promise<Ended> {
  const [name = '', ...args] = command
  // Before the start: once the command runs, a signal may arrive at any moment, and would end this process alone.
  const stopForwarding = forwardSignals((signal) => child.kill(signal))
  const child = spawn(name, args, { stdio: 'inherit', env })
  return new Promise<Ended>((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) => resolve(notStarted(name, error)))
    child.on('exit', (status, signal) => {
      resolve({ status: signal === null ? (status ?? 1) : SIGNALLED + constants.signals[signal] })
    })
  }).finally(stopForwarding)
}

function notStarted(name: string, { code, message }: NodeJS.ErrnoException): Ended {
  if (code === 'ENOENT') return { status: NOT_FOUND, problem: `There is no command "${name}".` }
  return {
    status: NOT_EXECUTABLE,
    problem: `"${name}" cannot be run: ${code === 'EACCES' ? 'it is not executable' : message}.`,
  }
}

function forwardSignals(forward: (signal: NodeJS.Signals) => void): () => void {
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  const listeners = platform.signals.map((signal) => {
    const listener = () => {
      if (!hasTerminal || !sentByTerminal.includes(signal)) forward(signal)
    }
    process.on(signal, listener)
    return () => void process.off(signal, listener)
  })
  return () => {
    for (const stop of listeners) stop()
  }
}
