import { byName } from './fields.ts'
import { valueAt } from './json.ts'

/** The message of an error; some connection errors have only a code. */
export function reasonOf(error: unknown): string {
  const cause = valueAt(error, ['cause'])
  const origin = cause instanceof Error ? cause : error
  return messageOf(origin) || codeOf(origin)
}

/** The message of whatever was thrown. */
export const messageOf = (error: unknown): string => String(valueAt(error, ['message']) ?? error)

/** The code of an error of the system, such as `ENOENT`; empty for others. */
export const codeOf = (error: unknown): string => String(valueAt(error, ['code']) ?? '')

/** The meaning of error codes of the file system. */
const reasons = byName<string>({
  ENOENT: 'is not there',
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'does not exist: a part of its path is a file',
  ELOOP: 'is a symbolic link that leads back to itself',
})

/** Why a file cannot be written, as a sentence without a full stop. */
export function whyUnwritable(path: string, error: unknown): string {
  const code = codeOf(error)
  if (code === 'EACCES' || code === 'EPERM') return `this user may not write to ${path}`
  if (code === 'ENOENT') return `${path} is not in a folder that exists`
  if (code === 'EROFS') return `${path} is on a read-only file system`
  return code === 'ENOSPC' ? `the disk of ${path} is full` : messageOf(error)
}

/** Why a file or folder cannot be used; the message is the words that follow its name. */
export class FileError extends Error {
  override readonly name = 'FileError'
}

/** Why a file or folder cannot be read, in the words that follow its name. */
export function whyUnread(error: unknown): string {
  if (error instanceof FileError) return error.message
  // The message of a parser continues with an excerpt of the file.
  const [message] = messageOf(error).split('\n', 1)
  return reasons[codeOf(error)] ?? `cannot be read: ${message}`
}

/** Why a file or folder cannot be read, as a sentence without a full stop. */
export const whyUnreadable = (path: string, error: unknown): string => `${path} ${whyUnread(error)}`
