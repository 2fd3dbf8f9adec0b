import { readFileSync, type Stats, statSync } from 'node:fs'
import { FileError } from './reason.ts'

/** A file as messages name it; "-" is standard input. */
export const shownName = (path: string): string => (path === '-' ? 'Standard input' : path)

/** The largest PDF of the user that is stored for an order. */
export const MAX_PDF_BYTES = 2 * 1024 * 1024

/**
 * The state of a file that a user names. Throws for anything but a regular file: reading a pipe or a device may never
 * end.
 */
export function statFile(path: string): Stats {
  const stats = statSync(path)
  if (stats.isFile()) return stats
  throw new FileError(`is ${stats.isDirectory() ? 'a folder' : 'a pipe or a device'}, not a file`)
}

/** Reads a file that a user names. Throws if it is not a regular file, or longer than `maxBytes`. */
export function readUserFile(path: string, maxBytes: number): Buffer {
  if (statFile(path).size > maxBytes) throw new FileError(`is longer than ${maxBytes} bytes`)
  return readFileSync(path)
}
