import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Wrap } from '../../intercept/namespace.ts'
import { inShort } from '../../kernel/in-short.ts'
import type { Environment } from '../../kernel/platform.ts'
import { type Signals, statusOf } from './signals.ts'

/** The statuses of a shell for a command that it cannot run. */
const NOT_FOUND = 127
const NOT_EXECUTABLE = 126
export interface Ended {
  readonly status: number
  /** Why the command did not start. */
  readonly problem?: string
}

export interface RunOptions {
  readonly env: Environment
  readonly wrap?: Wrap | undefined
  /** Called with a command that gets a channel to this process; returns what is called at its end. */
  readonly onChannel?: (child: ChildProcess) => () => void
}

/** Runs a command with the streams of this process, forwards signals to it, and returns its exit status as a shell does. */
export function runCommand(
  command: readonly string[],
  { env, wrap, onChannel }: RunOptions,
  { forwardTo }: Signals,
): Promise<Ended> {
  const [name = ''] = command
  // What cannot be run is not wrapped, so that the system says why.
  const [file = '', ...args] = wrap && isExecutable(name, env) ? wrap(command) : command
  // Throws for what cannot be passed to the system, such as a name of 5000 characters, instead of emitting an error.
  return new Promise<Ended>((resolve, reject) => {
    const child = spawn(file, args, {
      stdio: ['inherit', 'inherit', 'inherit', ...(onChannel ? ['ipc' as const] : [])],
      env,
    })
    const closeChannel = onChannel?.(child)
    const stopForwarding = forwardTo((signal) => child.kill(signal))
    child.on('error', reject)
    child.on('exit', (status, signal) => {
      stopForwarding()
      closeChannel?.()
      resolve({ status: signal === null ? (status ?? 1) : statusOf(signal) })
    })
  }).catch((error: NodeJS.ErrnoException) => notStarted(name, error))
}

function isExecutable(name: string, { PATH = '' }: Environment): boolean {
  if (name === '') return false
  const folders = name.includes('/') ? [''] : PATH.split(delimiter)
  return folders.some((folder) => canExecute(join(folder, name)))
}

function canExecute(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
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
