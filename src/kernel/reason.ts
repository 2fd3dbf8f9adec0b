/** The message of an error; some connection errors have only a code. */
export function reasonOf(error: unknown): string {
  const { cause } = error as Error
  const { message, code } = (cause instanceof Error ? cause : error) as NodeJS.ErrnoException
  return message || String(code)
}

/** The meaning of error codes of the file system. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'is not there: a part of its path is a file',
  ELOOP: 'is a symbolic link that leads back to itself',
}

/** Why a file cannot be written, as a sentence without a full stop. */
export function whyUnwritable(path: string, error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM') return `this user may not write to ${path}`
  if (code === 'ENOENT') return `${path} is not in a folder that exists`
  if (code === 'EROFS') return `${path} is on a read-only file system`
  return code === 'ENOSPC' ? `the disk of ${path} is full` : message
}

/** Why a file or folder cannot be read, as a sentence without a full stop. */
export function whyUnreadable(path: string, error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (code === '') return message
  return `${path} ${reasons[code] ?? `cannot be read: ${message}`}`
}
