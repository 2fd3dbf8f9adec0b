import * as fs from 'node:fs'
import { hostname } from 'node:os'
import { threadId } from 'node:worker_threads'
import { wallClock } from '../kernel/clock.ts'
import { parseJson } from '../kernel/json.ts'
import { pause, startInterval } from '../kernel/pause.ts'
import { platform } from '../kernel/platform.ts'
import { Problem } from '../kernel/problem.ts'
import { isProcessAlive } from '../kernel/process-alive.ts'
import { codeOf, reasonOf } from '../kernel/reason.ts'
import { isOutOfHandles } from './file-handles.ts'
import { unlessMissing } from './files.ts'
import { FILE_MODE } from './modes.ts'

/** The process that uses a folder. It is identified by its id and, on Linux, its start time, because ids are reused. */
interface Holder {
  readonly pid: number
  /**
   * Clock ticks between the start of the machine and that of the process; null if unknown. Source: proc_pid_stat(5),
   * field 22.
   */
  readonly started: string | null
  readonly host: string
  /** The scope of process ids: one boot of one machine, and one container on it. */
  readonly space?: string
}

export interface Lock {
  /** Throws if another process has taken the folder. */
  assertHeld(): void
  release(): void
}

/**
 * The interval in milliseconds at which the holder touches the file, and the age from which a holder on another
 * machine counts as dead.
 */
const RENEW_MS = 3000
const EXPIRE_MS = 15_000
const LOOK_MS = 500
/**
 * The age of what the holder knows of its lock, in milliseconds, from which it looks again before a write. The clock of a
 * virtual machine that was suspended may not show that time has passed.
 */
const TRUSTED_MS = 100

/** Locks a folder for this process; the lock of a dead process is replaced. */
export async function takeLock(path: string, warn: (message: string) => void): Promise<Lock> {
  const space = pidSpace()
  const own = { pid: process.pid, started: startOf(process.pid), host: hostname(), space } satisfies Holder
  for (let tries = 0; tries < 5; tries++) {
    const ownText = `${JSON.stringify(own)}\n`
    if (createUnlessFull(path, ownText)) return hold(path, ownText, warn)
    const text = read(path)
    if (text === undefined) continue
    const holder = parseHolder(text)
    if (await isHeld(path, text, holder, space)) refuse(path, holder)
    remove(path, text)
  }
  throw new Error(`${path} cannot be locked: other processes keep locking it.`)
}

/** Renews a lock until it is released. A process that was suspended checks the lock before it writes again. */
function hold(path: string, own: string, warn: (message: string) => void): Lock {
  let renewedAt = wallClock()
  let lookedAt = renewedAt
  let isLost = false
  /** Why the lock could not be renewed: the folder was removed, or its disk is gone. */
  let failure: Error | undefined
  const tryToRenew = () => {
    // A network disk may have created the file although the call failed, so what is in it decides.
    const text = read(path) ?? (create(path, own) ? own : read(path))
    isLost ||= text !== undefined && text !== own
    lookedAt = wallClock()
    if (isLost || Math.abs(lookedAt - renewedAt) < RENEW_MS / 2) return
    renewedAt = lookedAt
    fs.utimesSync(path, renewedAt / 1000, renewedAt / 1000)
  }
  const renew = () => {
    try {
      tryToRenew()
      failure = undefined
    } catch (error) {
      if (!failure) warn(`could not renew ${path}, and nothing is stored until it can be: ${reasonOf(error)}`)
      failure = error as Error
    }
  }
  const stop = startInterval(RENEW_MS, renew)
  return {
    assertHeld() {
      if (failure || Math.abs(wallClock() - lookedAt) > TRUSTED_MS) renew()
      if (failure) throw failure
      if (isLost)
        throw new Problem('unavailable', `Another Petri has taken ${path}; nothing is stored here any more.`)
    },
    release() {
      stop()
      try {
        if (read(path) === own) fs.rmSync(path, { force: true })
      } catch {
        // The next start replaces the lock of a process that has ended.
      }
    },
  }
}

/** Process ids of another machine or container are meaningless here, but a running holder renews the file. */
async function isHeld(
  path: string,
  text: string,
  holder: Holder | undefined,
  space: string,
): Promise<boolean> {
  if (holder?.space === space) return isAlive(holder)
  const touchedAt = touched(path)
  for (let age = ageOf(path, touchedAt); age < EXPIRE_MS; age += LOOK_MS) {
    await pause(LOOK_MS)
    const now = read(path)
    if (now === undefined) return false
    if (now !== text || touched(path) !== touchedAt) return true
  }
  return false
}

const touched = (path: string): number => fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** By the clock of the file system, which is the same for all machines that share it. */
function ageOf(path: string, touchedAt: number): number {
  const beside = nameBeside(path)
  try {
    fs.writeFileSync(beside, '', { mode: FILE_MODE })
  } catch (error) {
    throw isReadOnly(error) ? readOnly(path) : error
  }
  const age = touched(beside) - touchedAt
  fs.rmSync(beside, { force: true })
  return Math.max(0, age)
}

function refuse(path: string, holder: Holder | undefined): never {
  const { pid, host } = holder ?? {}
  const other = pid === undefined ? 'one that could not write its name' : `process ${pid} on ${host}`
  const who = pid === process.pid && host === hostname() ? `this very process (${pid})` : other
  throw new Error(
    `${path} says that another Petri uses this folder: ${who}. ` +
      'Stop that one, or give this one a folder of its own with PETRI_DATA.',
  )
}

/** Creates the file with this text; returns false if it already exists. */
function create(path: string, text: string): boolean {
  let file: number
  try {
    file = fs.openSync(path, 'wx', FILE_MODE)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    return false
  }
  try {
    fs.writeFileSync(file, text)
  } catch (error) {
    fs.rmSync(path, { force: true })
    throw error
  } finally {
    fs.closeSync(file)
  }
  return true
}

/** On a full disk there is no file until it can be created, before the first write. */
function createUnlessFull(path: string, text: string): boolean {
  try {
    return create(path, text)
  } catch (error) {
    if (!['ENOSPC', 'EDQUOT'].includes(codeOf(error))) throw error
    return true
  }
}

const nameBeside = (path: string) => `${path}.${process.pid}.${threadId}`

/** Removes the lock of a dead process, unless another process has replaced it meanwhile. */
function remove(path: string, judged: string): void {
  const aside = nameBeside(path)
  try {
    fs.renameSync(path, aside)
    if (read(aside) !== judged) fs.linkSync(aside, path)
  } catch (error) {
    // Otherwise another process was faster, which the next attempt detects.
    if (isReadOnly(error)) throw readOnly(path)
  }
  fs.rmSync(aside, { force: true })
}

const isReadOnly = (error: unknown) => ['EROFS', 'EACCES', 'EPERM'].includes(codeOf(error))

const readOnly = (path: string) =>
  new Error(
    `${path} is left from an earlier Petri and cannot be replaced, because its folder is read-only. ` +
      'Make the folder writable, or give this Petri a folder of its own with PETRI_DATA.',
  )

const read = (path: string): string | undefined => unlessMissing(() => fs.readFileSync(path, 'utf8'))

function parseHolder(text: string): Holder | undefined {
  const holder = parseJson(text) as Holder | null | undefined
  return holder && Number.isInteger(holder.pid) && holder.pid > 0 ? holder : undefined
}

/** A holder with this process's id but another start is the previous process in a container, where ids begin at 1. */
function isAlive({ pid, started }: Holder): boolean {
  const startedNow = startOf(pid)
  if (startedNow !== null && started !== null) return startedNow === started
  return pid !== process.pid && isProcessAlive(pid)
}

/** The value of `started` for a zombie process. */
const ENDED = 'ended'

function startOf(pid: number): string | null {
  const stat = readProc(`${pid}/stat`)
  const [state, ...rest] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
  return state === 'Z' ? ENDED : (rest[18] ?? null)
}

function pidSpace(): string {
  const boot = readProc('sys/kernel/random/boot_id')?.trim()
  return boot === undefined ? hostname() : `${boot} ${fs.readlinkSync('/proc/self/ns/pid')}`
}

/** A file of the system's about processes; undefined where there is none, or for a process that has ended. */
function readProc(name: string): string | undefined {
  if (!platform.hasProcFileSystem) return undefined
  try {
    return fs.readFileSync(`/proc/${name}`, 'utf8')
  } catch (error) {
    if (isOutOfHandles(error)) throw error
    return undefined
  }
}
