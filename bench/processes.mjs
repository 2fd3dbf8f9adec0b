// Servers under test, each in a separate process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'

const here = (file) => fileURLToPath(new URL(file, import.meta.url))
/** The signal that ends each process. */
const running = new Map()

/** Ends the processes that still run when the bench ends early. */
export function killAll() {
  for (const [child, signal] of running) child.kill(signal)
}

/** Registers a process to be ended by `killAll`. */
export function killAtEnd(child, signal = 'SIGKILL') {
  running.set(child, signal)
  child.once('exit', () => running.delete(child))
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** Starts a server. Resolves after the first 200 of `path`, with the milliseconds and those of CPU until then. */
export async function startServer(args, port, path, { environment = {}, watched = false } = {}) {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...(watched ? ['--import', here('watch.mjs')] : []), ...args], {
    stdio: ['ignore', 'inherit', 'inherit', ...(watched ? ['ipc'] : [])],
    env: { ...cleanEnvironment(), ...environment },
  })
  killAtEnd(child)
  await firstAnswer(child, `http://127.0.0.1:${port}${path}`)
  const startMs = performance.now() - startedAt
  const startCpuMs = 1000 * cpuSeconds(child.pid)
  return { child, port, url: `http://127.0.0.1:${port}`, startMs, startCpuMs, stop: () => stop(child) }
}

/** Petri as it is installed, with a folder of its own. */
export async function startPetri(
  main,
  data,
  { path = '/_petri/health', flags = ['--frozen'], watched } = {},
) {
  const port = await freePort()
  const fixed = ['start', '--port', String(port), '--data', data, '--log', 'silent', ...flags]
  return startServer([main, ...fixed], port, path, { watched })
}

/** Starts a reference server; `facts` is the file with its answers. */
export async function startReference(name, facts) {
  const port = await freePort()
  return startServer([here(`${name}.mjs`), String(port), facts], port, '/')
}

/** Resident memory in MB. */
export function residentMb({ child }) {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

/** Seconds of CPU that a process has used so far, and its children. */
export function cpuSeconds(pid) {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`)
  return threads.reduce((sum, thread) => {
    const [nanoseconds] = readFileSync(`${thread}/schedstat`, 'utf8').split(' ')
    const children = readFileSync(`${thread}/children`, 'utf8').split(' ').filter(Boolean)
    return sum + Number(nanoseconds) / 1e9 + children.reduce((all, child) => all + cpuSeconds(child), 0)
  }, 0)
}

/** Bytes that a process has handed to the kernel so far, sockets included. */
export const bytesWritten = ({ child }) =>
  Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${child.pid}/io`, 'utf8'))?.[1])

/** The longest delay of a watched server's event loop since the last call, in milliseconds. */
export async function longestStall({ child }) {
  child.send('longest stall')
  const [stallMs] = await once(child, 'message')
  return stallMs
}

/** Kills a process. */
export async function kill({ child }) {
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(late)
}

/** The environment without Petri's settings. */
const cleanEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PETRI_|NODE_OPTIONS)/.test(name)))

const API_KEY = 'sk_us_petri'

async function firstAnswer(child, url) {
  for (let ended = false; !ended; ended = child.exitCode !== null) {
    try {
      const { statusCode, body } = await request(url, {
        headers: { 'x-service-api-key': API_KEY },
        reset: true,
      })
      await body.dump()
      if (statusCode === 200) return
    } catch {
      // Not there yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  throw new Error(`${child.spawnargs.join(' ')} ended before it answered`)
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
