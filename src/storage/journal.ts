import {
  closeSync,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { parseJson } from '../kernel/json.ts'
import { checkFormat, FORMAT } from './base-file.ts'
import { damage, type Lines, readLines, textOf } from './lines.ts'
import { applyChange, type RowChange, type Tables } from './rows.ts'

/**
 * A file that write batches are appended to, a line each: a checksum, and for each changed row its table, its id and its JSON,
 * which is empty when the row was deleted, parted by tabs. Its first line is its head.
 */
export class Journal {
  readonly #path: string
  readonly #generation: number
  #file: number | undefined
  #length: number
  /** A write left something behind the last whole line. */
  #isTorn = false

  constructor(path: string, generation: number, length: number) {
    this.#path = path
    this.#generation = generation
    this.#length = length
  }

  get length(): number {
    return this.#length
  }

  /** Once this returns, the batch survives the end of the process; when it throws, nothing of it was written. */
  append(changes: readonly RowChange[]): void {
    const bytes = lineOf(changes)
    if (this.#length === 0) this.#writeHead()
    this.#file ??= openSync(this.#path, 'a')
    // A deleted file takes writes as before, and they are gone with the process.
    if (fstatSync(this.#file).nlink === 0) throw new Error(`${this.#path} was deleted`)
    try {
      if (this.#isTorn) ftruncateSync(this.#file, this.#length)
      this.#isTorn = true
      for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written)
      this.#isTorn = false
      this.#length += bytes.length
    } catch (error) {
      ftruncateSync(this.#file, this.#length)
      throw error
    }
  }

  /** Waits until the disk has what was appended. */
  async sync(): Promise<void> {
    if (this.#file !== undefined) await promisify(fdatasync)(this.#file)
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  /** A journal has its head from the first moment on, so that an empty one is known to be damaged. */
  #writeHead(): void {
    const beside = `${this.#path}.tmp`
    const head = headOf(this.#generation)
    try {
      writeFileSync(beside, head)
      renameSync(beside, this.#path)
    } catch (error) {
      rmSync(beside, { force: true })
      throw error
    }
    this.#length = head.length
  }
}

const TAB = 9
const SUM_LENGTH = 8
const headOf = (generation: number) => `{"format":${FORMAT},"journal":${generation}}\n`
const hex = (checksum: number) => checksum.toString(16).padStart(SUM_LENGTH, '0')
/** How a line looks that was written to its end, and altered since. */
const LINE = /^([0-9a-f]{8}|.{8}\t)/s

function lineOf(changes: readonly RowChange[]): Buffer {
  let line = ' '.repeat(SUM_LENGTH)
  for (const { table, id, text } of changes)
    line += `\t${JSON.stringify(table)}\t${JSON.stringify(id)}\t${text ?? ''}`
  const bytes = Buffer.from(`${line}${changes.length > 0 ? '' : '\t'}\n`)
  bytes.write(hex(crc32(bytes.subarray(SUM_LENGTH, -1))), 'latin1')
  return bytes
}

/** What a journal held: the length of its valid lines, and what comes after the last of them. */
export interface ReadJournal {
  readonly length: number
  readonly torn: { readonly line: number; readonly bytes: number } | undefined
}

/**
 * Applies a journal to `tables`. It may end in something that is no line, which was being written when the process or the
 * machine ended; anything else that is not as it was written is damage.
 */
export async function readJournal(path: string, generation: number, tables: Tables): Promise<ReadJournal> {
  let [length, torn]: [number, { line: number; bytes: number } | undefined] = [0, undefined]
  await readLines(path, 1, (line) => {
    const size = line.end + Number(line.isWhole) - line.start
    if (line.number === 1) {
      checkHead(path, generation, line)
      length = size
    } else if (line.isWhole && apply(line, tables)) {
      if (torn) throw damage(path, torn.line, 'this is no line of a journal, although others follow it')
      length += size
    } else if (line.isWhole && LINE.test(textOf(line))) {
      throw damage(path, line.number, 'something here was altered (checksum)')
    } else torn = { line: torn?.line ?? line.number, bytes: (torn?.bytes ?? 0) + size }
  })
  if (length === 0) throw damage(path, 1, 'the journal is empty')
  return { length, torn }
}

function checkHead(path: string, generation: number, line: Lines): void {
  const head = parseJson(textOf(line)) as { format?: unknown } | undefined
  if (head?.format !== undefined) checkFormat(path, head.format)
  if (!line.isWhole || `${textOf(line)}\n` !== headOf(generation))
    throw damage(path, 1, `this is not how journal ${generation} begins`)
}

/** Applies a line; answers whether it is as it was written. */
function apply({ bytes, start, end }: Lines, tables: Tables): boolean {
  const sum = start + SUM_LENGTH
  const isValid = bytes.toString('latin1', start, sum) === hex(crc32(bytes.subarray(sum, end)))
  if (!isValid || bytes[sum] !== TAB) return false
  let at = sum
  // Each is a string of its own: a part of the line would keep all of it in memory.
  const next = () => {
    const from = at + 1
    const tab = bytes.indexOf(TAB, from)
    at = tab === -1 || tab > end ? end : tab
    return bytes.toString('utf8', from, at)
  }
  while (at < end - 1)
    applyChange(tables, { table: JSON.parse(next()), id: JSON.parse(next()), text: next() || null })
  return true
}

/** The name of a journal's file. */
export const JOURNAL = /^journal\.(\d+)\.log$/

/** The generations of the journals that come after one, in order. */
export const generationsIn = (names: readonly string[], after: number): number[] =>
  names
    .map((name) => Number(JOURNAL.exec(name)?.[1] ?? 0))
    .filter((generation) => generation > after)
    .sort((a, b) => a - b)
