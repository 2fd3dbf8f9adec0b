import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { Page } from './memory-page.ts'

const PIECE_BYTES = 8 * 1024 * 1024
const NEWLINE = 10

/** One line of a file: `bytes` from `start` up to `end`, where its newline is, or is missing. */
export interface Line {
  /** What the rows that are found in it lie in. */
  readonly page: Page
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
  /** From 1. */
  readonly number: number
}

/** Reads a file line by line, in pieces: it may be larger than any string, and a piece is freed once no row lies in it. */
export function* readLines(path: string): Generator<Line> {
  let number = 0
  for (const bytes of readPieces(path)) {
    const page = new Page(bytes)
    for (let start = 0; start < bytes.length; ) {
      const newline = bytes.indexOf(NEWLINE, start)
      const end = newline === -1 ? bytes.length : newline
      yield { page, bytes, start, end, number: ++number }
      start = end + 1
    }
  }
}

/** Whether the line has its newline; only a file's last can lack it. */
export const isWhole = ({ bytes, end }: Line): boolean => end < bytes.length

export const textOf = ({ bytes, start, end }: Line): string => bytes.toString('utf8', start, end)

/** Data on disk that Petri did not write so. */
export const damage = (path: string, line: number | string, what: string): Error =>
  new Error(
    `${path}, line ${line}: ${what}. Put the file back as it was, or move its folder away to begin anew.`,
  )

/** What begins at `start` as a JSON string: its value, and where it ends. */
export function readString(
  bytes: Buffer,
  start: number,
  end: number,
): { text: string; end: number } | undefined {
  if (bytes[start] !== 34) return undefined
  let escaped = false
  for (let at = start + 1; at < end; at++) {
    const byte = bytes[at]
    if (byte === 34) {
      const text = escaped
        ? parse(bytes.toString('utf8', start, at + 1))
        : bytes.toString('utf8', start + 1, at)
      return typeof text === 'string' ? { text, end: at + 1 } : undefined
    }
    if (byte === 92) {
      escaped = true
      at++
    }
  }
  return undefined
}

/** The value of a JSON text; undefined when it is none. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function* readPieces(path: string): Generator<Buffer> {
  const file = openSync(path, 'r')
  try {
    let left = fstatSync(file).size
    let rest: Buffer = Buffer.alloc(0)
    while (left > 0) {
      const piece = Buffer.allocUnsafeSlow(rest.length + Math.min(left, PIECE_BYTES))
      rest.copy(piece)
      const got = readSync(file, piece, rest.length, piece.length - rest.length, null)
      if (got === 0) break
      left -= got
      const filled = piece.subarray(0, rest.length + got)
      const end = filled.lastIndexOf(NEWLINE) + 1
      if (end > 0) yield filled.subarray(0, end)
      rest = filled.subarray(end)
    }
    if (rest.length > 0) yield rest
  } finally {
    closeSync(file)
  }
}
