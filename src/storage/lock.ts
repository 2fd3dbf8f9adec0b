import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { threadId } from 'node:worker_threads'

/** Who uses a folder. A process is known by its id and, on Linux, by when it was started, for ids come round again. */
interface Holder {
  readonly pid: number
  /** Clock ticks between the machine's start and the process's; null where nobody tells. Source: proc_pid_stat(5), field 22. */
  readonly started: string | null
  readonly host: string
}

export interface Lock {
  renew(): void
  release(): void
}

/** Takes a folder for this process alone; what a dead process left is taken over. Answers how to let go of it. */
export async function takeLock(path: string): Promise<Lock> {
  const own = JSON.stringify({
    pid: process.pid,
    started: startOf(process.pid),
    host: hostname(),
  } satisfies Holder)
  for (let tries = 0; tries < 5; tries++) {
    if (create(path, `${own}\n`)) return { renew: () => undefined, release: () => release(path, own) }
    const text = read(path)
    if (text === undefined) continue
    const holder = parseHolder(text)
    if (holder && isAlive(holder)) refuse(path, holder)
    setAside(path, text)
  }
  throw new Error(`${path} cannot be taken: others keep taking it.`)
}

function refuse(path: string, { pid, host }: Holder): never {
  const who = pid === process.pid ? `this very process (${pid})` : `process ${pid} on ${host}`
  throw new Error(
    `${path} says that another Petri uses this folder: ${who}. ` +
      'Stop that one, or give this one a folder of its own with PETRI_DATA.',
  )
}

/** Puts the file there with its text at once, so that nobody ever reads half of it. */
function create(path: string, text: string): boolean {
  const whole = nameBeside(path)
  writeFileSync(whole, text)
  try {
    linkSync(whole, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    return createWithoutLinks(path, text)
  } finally {
    rmSync(whole, { force: true })
  }
}

const nameBeside = (path: string) => `${path}.${process.pid}.${threadId}`

function createWithoutLinks(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function release(path: string, own: string): void {
  if (read(path)?.trim() === own) rmSync(path, { force: true })
}

/** Removes a dead process's lock, but not the one that somebody else has put in its place meanwhile. */
function setAside(path: string, judged: string): void {
  const aside = nameBeside(path)
  try {
    renameSync(path, aside)
    if (readFileSync(aside, 'utf8') !== judged) linkSync(aside, path)
  } catch {
    // Somebody was quicker; the next try shows who.
  }
  rmSync(aside, { force: true })
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function parseHolder(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Holder
    return Number.isInteger(holder?.pid) && holder.pid > 0 ? holder : undefined
  } catch {
    return undefined
  }
}

/** A holder with our own id but another start is the process before us in a container, where ids begin at 1. */
function isAlive({ pid, started }: Holder): boolean {
  const startedNow = startOf(pid)
  if (startedNow !== null && started !== null) return startedNow === started
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** What `started` says of a process that has ended, and whose parent has not asked how. */
const ENDED = 'ended'

function startOf(pid: number): string | null {
  const stat = process.platform === 'linux' ? read(`/proc/${pid}/stat`) : undefined
  const [state, ...rest] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
  return state === 'Z' ? ENDED : (rest[18] ?? null)
}
