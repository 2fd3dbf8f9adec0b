import { byName } from '../kernel/fields.ts'
import { Problem } from '../kernel/problem.ts'
import { codeOf, messageOf } from '../kernel/reason.ts'

/** Node raises the soft limit to the hard one. */
export const TOO_MANY_FILES = 'Too many files are open (ulimit -Hn)'

const REASONS = byName<string>({
  ENOSPC: 'The disk is full',
  EDQUOT: 'The disk quota is used up',
  EFBIG: 'A file has reached its size limit',
  EROFS: 'The disk is read-only',
  EIO: 'The disk reports an error',
  EMFILE: TOO_MANY_FILES,
  ENFILE: TOO_MANY_FILES,
})

/** The error for a caller whose changes could not be stored. */
export function storageProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const code = codeOf(error)
  const message = messageOf(error)
  const reason = REASONS[code] ?? `The data folder cannot be written (${message})`
  const detail = `${reason}, so nothing of this call was stored. Petri continues by itself once it can write again.`
  return Object.assign(new Problem('insufficient_storage', detail), { cause: error })
}

/** Runs changes of files for a caller, who gets a storage problem when one fails. */
export async function storing<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change()
  } catch (error) {
    throw storageProblem(error)
  }
}

/** Whether an error comes from the operating system, and says nothing about the content of a file. */
export const isOfSystem = (error: unknown): boolean => codeOf(error) !== ''
