import { Problem } from '../kernel/problem.ts'

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full',
  EDQUOT: 'The disk quota is used up',
  EFBIG: 'A file has reached the size that is allowed',
  EROFS: 'The disk can only be read',
  EIO: 'The disk reports an error',
  EMFILE: 'Too many files are open',
}

/** What to tell the caller when something could not be stored. */
export function storageProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  const reason = REASONS[code] ?? `The data folder cannot be written (${message})`
  return new Problem(
    'insufficient_storage',
    `${reason}, so nothing of this call was stored. Petri goes on by itself once it can write again.`,
  )
}
