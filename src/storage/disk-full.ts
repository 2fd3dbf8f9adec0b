import { mkdirSync } from 'node:fs'
import { Problem } from '../kernel/problem.ts'
import { codeOf, messageOf } from '../kernel/reason.ts'
import { FOLDER_MODE } from './modes.ts'

/** Node raises the soft limit to the hard one. */
export const TOO_MANY_FILES = 'Too many files are open (ulimit -Hn)'

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full',
  EDQUOT: 'The disk quota is used up',
  EFBIG: 'A file has reached the size that is allowed',
  EROFS: 'The disk can only be read',
  EIO: 'The disk reports an error',
  EMFILE: TOO_MANY_FILES,
  ENFILE: TOO_MANY_FILES,
}

/** The error for a caller whose changes could not be stored. */
export function storageProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const code = codeOf(error)
  const message = messageOf(error)
  const reason = REASONS[code] ?? `The data folder cannot be written (${message})`
  const detail = `${reason}, so nothing of this call was stored. Petri goes on by itself once it can write again.`
  return Object.assign(new Problem('insufficient_storage', detail), { cause: error })
}

/** Creates a folder if it does not exist. Its parent must exist: a data folder that was removed is not created again. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, FOLDER_MODE)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw storageProblem(error)
  }
}
