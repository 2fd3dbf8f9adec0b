import { spawn } from 'node:child_process'
import { type Signals, statusOf } from './signals.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The statuses of a shell for a command that it cannot run. */
const NOT_FOUND = 127
const NOT_EXECUTABLE = 126
export interface Ended {
  readonly status: number
  /** Why the command did not start. */
  readonly problem?: string
}

/** Runs a command with the streams of this process, forwards signals to it, and returns its exit status as a shell does. */
export function runCommand(
  command: readonly string[],
  env: Environment,
  { forwardTo }: Signals,
): Promise<Ended> {
  const [name = '', ...args] = command
  const child = spawn(name, args, { stdio: 'inherit', env })
  const stopForwarding = forwardTo((signal) => child.kill(signal))
  return new Promise<Ended>((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) => resolve(notStarted(name, error)))
    child.on('exit', (status, signal) => {
      resolve({ status: signal === null ? (status ?? 1) : statusOf(signal) })
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
