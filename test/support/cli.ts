import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { makeFolder } from './new-folder.ts'

/** The built command line. */
export const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

export interface Finished {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the built command line until it ends, in an empty folder unless told otherwise. */
export async function petri(
  args: readonly string[],
  env: Record<string, string> = {},
  cwd?: string,
): Promise<Finished> {
  const child = launch(args, env, cwd)
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text
    })
  }
  const [status] = await once(child, 'close')
  return { status, ...output }
}

export interface Started {
  readonly child: ChildProcess
  /** The line that told Petri is ready. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into its fields.
  readonly ready: any
  /** The lines before it. */
  readonly before: readonly unknown[]
}

/** Starts the built Petri on a free port, with memory data unless told otherwise. */
export async function startPetri(
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Started> {
  const child = launch(['start', '--port', '0', '--data', 'memory', '--log-format', 'json', ...args], env)
  const before: unknown[] = []
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const ready = JSON.parse(line)
    if (ready.url) return { child, ready, before }
    before.push(ready)
  }
  throw new Error('Petri ended before it was ready')
}

function launch(
  args: readonly string[],
  env: Record<string, string>,
  cwd = makeFolder('petri-'),
): ChildProcess {
  return spawn(process.execPath, [main, ...args], { cwd, env: { PATH: process.env.PATH ?? '', ...env } })
}

/** A port that nobody takes meanwhile: it is below those that the system gives to whoever asks for any, and not near another worker's. */
export async function freePort(): Promise<string> {
  for (let port = 10_000 + (process.pid % 500) * 40; ; port++) {
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return String(port)
  }
}

/** Asks a child to stop; resolves to its exit status. */
export async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  const closed = once(child, 'close')
  child.kill(signal)
  return (await closed)[0]
}
