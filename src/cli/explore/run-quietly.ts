import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Environment } from '../../kernel/platform.ts'
import { reasonOf } from '../../kernel/reason.ts'

/** How a command ended, and the end of what it has written. */
export interface QuietlyEnded {
  readonly status: number
  readonly output: string
}

const MAX_OUTPUT = 4000
/** The status of a shell for a command that cannot be run. */
const NOT_RUN = 127

/** Runs a command and keeps what it writes. */
export async function runQuietly(
  [name = '', ...args]: readonly string[],
  env: Environment,
  signal: AbortSignal,
): Promise<QuietlyEnded> {
  const child = spawn(name, args, { stdio: ['ignore', 'pipe', 'pipe'], env, signal })
  let output = ''
  const keep = (text: Buffer) => {
    output = (output + text.toString()).slice(-MAX_OUTPUT)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  try {
    const [status] = await once(child, 'close')
    return { status: typeof status === 'number' ? status : 1, output }
  } catch (error) {
    return { status: NOT_RUN, output: `${reasonOf(error)}.` }
  }
}
