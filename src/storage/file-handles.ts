import { closeSync, openSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'
import { platform } from '../kernel/platform.ts'
import { codeOf } from '../kernel/reason.ts'

/** Whether an error says that this process, or the machine, can open no more files. */
export const isOutOfHandles = (error: unknown): boolean => ['EMFILE', 'ENFILE'].includes(codeOf(error))

/** Whether a file can be opened now. */
export function canOpenFiles(): boolean {
  try {
    closeSync(openSync(devNull, 'r'))
    return true
  } catch (error) {
    return !isOutOfHandles(error)
  }
}

/** The number of files and connections this process may have open; undefined where the system does not tell. Source: proc_pid_limits(5). */
export function maxOpenFiles(): number | undefined {
  if (!platform.hasProcFileSystem) return undefined
  const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
  return limit === undefined ? undefined : Number(limit)
}
