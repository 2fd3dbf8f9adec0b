import {
  closeSync,
  constants,
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
import { FILE_MODE } from './modes.ts'
import { applyChange, type RowChange, type Tables } from './rows.ts'

/**
 * A file with one line for each write batch, after a first line that is its head. A line contains a checksum, and for
 * each changed row its table, id and JSON (empty for a deleted row), separated by tabs.
 */
export class Journal {
  readonly #path: string
  readonly #generation: number
  #file: number | undefined
  #length: number
  /** Whether nothing was appended since `closeIfIdle` was called last. */
  #isIdle = false
  /** Whether a failed write left bytes after the last complete line. */
  #isTorn = false

  constructor(path: string, generation: number, length: number) {
    this.#path = path
    this.#generation = generation
    this.#length = length
  }

  get length(): number {
    return this.#length
  }

  /** When this returns, the batch survives the end of the process; if it throws, nothing of the batch is written. */
  append(changes: readonly RowChange[]): void {
    const bytes = lineOf(changes)
    if (this.#length === 0) this.#writeHead()
    const file = this.#open()
    this.#isIdle = false
    const { nlink, size } = fstatSync(file)
    // A deleted file can still be written, but is lost when the process ends.
    if (nlink === 0) throw new Error(`${this.#path} was deleted`)
    if (size < this.#length) throw new Error(`${this.#path} was cut off`)
    try {
      if (this.#isTorn) ftruncateSync(file, this.#length)
      this.#isTorn = true
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
      this.#isTorn = false
      this.#length += bytes.length
    } catch (error) {
      ftruncateSync(file, this.#length)
      throw error
    }
  }

  /** Syncs the appended lines to disk. */
  async sync(): Promise<void> {
    if (this.#length > 0) await promisify(fdatasync)(this.#open())
  }

  /** Closes the file if nothing was appended since the last call; the next append opens it again. */
  closeIfIdle(): void {
    if (this.#isIdle) this.close()
    this.#isIdle = true
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  /** Opens the file, which must exist: one that was deleted is not begun again. */
  #open(): number {
    this.#file ??= openSync(this.#path, constants.O_WRONLY | constants.O_APPEND)
    return this.#file
  }

  /** A journal has its head from the beginning, so an empty one is recognised as damaged. */
  #writeHead(): void {
    const beside = `${this.#path}.tmp`
    const head = headOf(this.#generation)
    try {
      writeFileSync(beside, head, { mode: FILE_MODE })
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
/** The format of a complete line, even if it was modified afterwards. */
const LINE = /^([0-9a-f]{8}|.{8}\t)/s

function lineOf(changes: readonly RowChange[]): Buffer {
  let line = ' '.repeat(SUM_LENGTH)
  for (const { table, id, text } of changes)
    line += `\t${JSON.stringify(table)}\t${JSON.stringify(id)}\t${text ?? ''}`
  const bytes = Buffer.from(`${line}${changes.length > 0 ? '' : '\t'}\n`)
  bytes.write(hex(crc32(bytes.subarray(SUM_LENGTH, -1))), 'latin1')
  return bytes
}

/** The content of a journal: the length of its valid lines, and what follows the last of them. */
export interface ReadJournal {
  readonly length: number
  readonly torn: { readonly line: number; readonly bytes: number } | undefined
}

/**
 * Applies a journal to `tables`. It may end with an incomplete line, which was being written when the process or the
 * machine stopped. Any other invalid line is damage.
 */
export async function readJournal(path: string, generation: number, tables: Tables): Promise<ReadJournal> {
  let length = 0
  let torn: ReadJournal['torn']
  await readLines(path, 1, (line) => {
    const size = line.end + Number(line.isWhole) - line.start
    if (line.number === 1) {
      checkHead(path, generation, line)
      length = size
    } else if (line.isWhole && apply(line, tables)) {
      if (torn) throw damage(path, torn.line, 'this is not a line of a journal, but other lines follow')
      length += size
    } else if (line.isWhole && LINE.test(textOf(line))) {
      throw damage(path, line.number, 'this line was modified (checksum)')
    } else torn = { line: torn?.line ?? line.number, bytes: (torn?.bytes ?? 0) + size }
  })
  if (length === 0) throw damage(path, 1, 'the journal is empty')
  return { length, torn }
}

function checkHead(path: string, generation: number, line: Lines): void {
  const head = parseJson(textOf(line)) as { format?: unknown } | undefined
  if (head?.format !== undefined) checkFormat(path, head.format)
  if (!line.isWhole || `${textOf(line)}\n` !== headOf(generation))
    throw damage(path, 1, `this is not the beginning of journal ${generation}`)
}

/** Applies a line; returns whether it is valid. */
function apply({ bytes, start, end }: Lines, tables: Tables): boolean {
  const sum = start + SUM_LENGTH
  const isValid = bytes.toString('latin1', start, sum) === hex(crc32(bytes.subarray(sum, end)))
  if (!isValid || bytes[sum] !== TAB) return false
  let at = sum
  // Separate strings, because a substring would keep the whole line in memory.
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

/** The file name of a journal. */
export const JOURNAL = /^journal\.(\d+)\.log$/

/** The generations of the journals after a given one, in order. */
export const generationsIn = (names: readonly string[], after: number): number[] =>
  names
    .map((name) => Number(JOURNAL.exec(name)?.[1] ?? 0))
    .filter((generation) => generation > after)
    .sort((a, b) => a - b)
