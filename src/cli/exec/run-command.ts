import { spawn } from 'node:child_process'
import { inShort } from '../../kernel/in-short.ts'
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
  // Throws for what cannot be passed to the system, such as a name of 5000 characters, instead of emitting an error.
  return new Promise<Ended>((resolve, reject) => {
    const child = spawn(name, args, { stdio: 'inherit', env })
    const stopForwarding = forwardTo((signal) => child.kill(signal))
    child.on('error', reject)
    child.on('exit', (status, signal) => {
      stopForwarding()
      resolve({ status: signal === null ? (status ?? 1) : statusOf(signal) })
    })
  }).catch((error: NodeJS.ErrnoException) => notStarted(name, error))
}

function notStarted(name: string, { code, message }: NodeJS.ErrnoException): Ended {
  if (code === 'ENOENT' || name === '')
    return { status: NOT_FOUND, problem: `There is no command "${commandText([name])}".` }
  const reason = code === 'EACCES' ? 'it is not executable' : message
  return { status: NOT_EXECUTABLE, problem: `"${commandText([name])}" cannot be run: ${reason}.` }
}

const MAX_LENGTH = 80

/** A command as messages show it. */
export const commandText = (command: readonly string[]): string => inShort(command.join(' '), MAX_LENGTH)
