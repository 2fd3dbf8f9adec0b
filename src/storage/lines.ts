import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/** Opens a file for reading; a pipe in its place is empty, instead of waiting for its other end. */
export const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

const PIECE_BYTES = 512 * 1024
export const NEWLINE = 10

/** Lines of a file: `bytes` from `start` to `end`, the position of the last newline. */
export interface Lines {
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
  /** The number of the first line, from 1. */
  readonly number: number
  /** Whether the last line ends with a newline. */
  readonly isWhole: boolean
}

/** Reads a file in groups of lines, one chunk per turn of the event loop. The last group may be smaller. */
export async function readLines(
  path: string,
  linesAtOnce: number,
  take: (lines: Lines) => void,
): Promise<void> {
  const file = await open(path, READ)
  try {
    let rest: Buffer = Buffer.alloc(0)
    let left = (await file.stat()).size
    const read = () => {
      // Starts with a small chunk: thousands of small worlds are read one after the other, and large buffers slow down garbage collection.
      const piece = Buffer.allocUnsafe(Math.max(Math.min(PIECE_BYTES, left + 1), rest.length))
      const reading = file.read(piece)
      reading.catch(() => undefined)
      return reading
    }
    let next = read()
    for (let number = 1; ; ) {
      const { bytesRead, buffer } = await next
      left = Math.max(0, left - bytesRead)
      const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)])
      // The next chunk is read while the lines of this one are processed.
      if (bytesRead > 0) next = read()
      let start = 0
      let count = 0
      let last = -1
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, end + 1)) {
        last = end
        if (++count < linesAtOnce) continue
        take({ bytes, start, end, number, isWhole: true })
        number += count
        start = end + 1
        count = 0
      }
      rest = bytes.subarray(start)
      if (bytesRead > 0) continue
      const isWhole = start + rest.length === last + 1
      if (rest.length > 0)
        take({ bytes: rest, start: 0, end: rest.length - Number(isWhole), number, isWhole })
      return
    }
  } finally {
    await file.close()
  }
}

export const textOf = ({ bytes, start, end }: Lines): string => bytes.toString('utf8', start, end)

/** An error for damaged data on disk. */
export const damage = (path: string, line: number | string, what: string): Error =>
  new Error(
    `${path}, line ${line}: ${what}. Put the file back as it was, or move its folder away to start empty.`,
  )
