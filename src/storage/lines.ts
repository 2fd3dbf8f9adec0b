import { open } from 'node:fs/promises'

const PIECE_BYTES = 1024 * 1024
const NEWLINE = 10

/** One line of a file: `bytes` from `start` up to `end`, where its newline is. */
export interface Line {
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
  /** From 1. */
  readonly number: number
  /** False for a last line without a newline. */
  readonly isWhole: boolean
}

/** Reads a file line by line, one piece a turn of the event loop. */
export async function readLines(path: string, take: (line: Line) => void): Promise<void> {
  const file = await open(path)
  try {
    let rest: Buffer = Buffer.alloc(0)
    for (let number = 1; ; ) {
      const piece = Buffer.allocUnsafe(Math.max(PIECE_BYTES, rest.length))
      const { bytesRead } = await file.read(piece)
      const bytes = Buffer.concat([rest, piece.subarray(0, bytesRead)])
      let start = 0
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
        take({ bytes, start, end, number: number++, isWhole: true })
        start = end + 1
      }
      rest = bytes.subarray(start)
      if (bytesRead > 0) continue
      if (rest.length > 0) take({ bytes: rest, start: 0, end: rest.length, number, isWhole: false })
      return
    }
  } finally {
    await file.close()
  }
}

export const textOf = ({ bytes, start, end }: Line): string => bytes.toString('utf8', start, end)

/** Data on disk that Petri did not write so. */
export const damage = (path: string, line: number | string, what: string): Error =>
  new Error(
    `${path}, line ${line}: ${what}. Put the file back as it was, or move its folder away to begin anew.`,
  )

/** A file without the one it goes on from. */
export const missing = (path: string, before: string): Error =>
  new Error(
    `${path} is there, but not what comes before it (${before}). ` +
      'Put the missing file back, or move the folder away to begin anew.',
  )

/** The value of a JSON text; undefined when it is none. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
