import { closeSync, constants, fdatasync, fdatasyncSync, fstatSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { parseJson } from '../kernel/json.ts'
import { Problem } from '../kernel/problem.ts'
import { messageOf } from '../kernel/reason.ts'
import { checkFormat, FORMAT } from './base-file.ts'
import { type Files, syncInBackground, syncNow } from './files.ts'
import { damage, type Lines, readLines, textOf } from './lines.ts'
import { applyChange, type RowChange, type Tables } from './rows.ts'

/** The end of a journal: its length, and the checksum of its last line, from which that of the next one continues. */
export interface JournalEnd {
  readonly length: number
  readonly checksum: number
}

export interface JournalOptions {
  readonly files: Files
  readonly path: string
  readonly generation: number
  /** Where the next line belongs; for a new journal, the end of the journal before it, with length 0. */
  readonly end: JournalEnd
  /** Whether each batch is synced to disk before it counts as written. */
  readonly isDurable: boolean
  readonly warn: (message: string) => void
}

/**
 * A file with one line for each write batch, after a first line that is its head. A line contains a checksum, and for
 * each changed row its table, id and JSON (empty for a deleted row), separated by tabs. The checksum of a line includes
 * that of the line before it, so that no line can be missing or in another place.
 */
export class Journal {
  readonly #options: JournalOptions
  #file: number | undefined
  #end: JournalEnd
  /** Whether nothing was appended since `closeIfIdle` was called last. */
  #isIdle = false
  /** Whether a failed write left bytes after the last complete line. */
  #isTorn = false

  constructor(options: JournalOptions) {
    this.#options = options
    this.#end = options.end
  }

  get length(): number {
    return this.#end.length
  }

  get end(): JournalEnd {
    return this.#end
  }

  /** When this returns, the batch survives the end of the process; if it throws, nothing of the batch is written. */
  append(changes: readonly RowChange[]): void {
    const { files, path, isDurable } = this.#options
    files.assertHeld()
    if (this.length === 0) this.#writeHead()
    const { bytes, checksum } = lineOf(changes, this.#end.checksum)
    const file = this.#open()
    this.#isIdle = false
    const { nlink, size } = fstatSync(file)
    // A deleted file can still be written, but is lost when the process ends.
    if (nlink === 0) throw new Error(`${path} was deleted`)
    if (size < this.length) throw new Error(`${path} was cut off`)
    try {
      this.repair()
      this.#isTorn = true
      files.append(file, bytes)
      if (isDurable) fdatasyncSync(file)
      this.#isTorn = false
      this.#end = { length: this.length + bytes.length, checksum }
    } catch (error) {
      this.#undo()
      throw error
    }
  }

  /** Removes what a failed write has left, or makes a line of it that is not complete. */
  #undo(): void {
    this.#orWarn('repair', () => this.repair())
    if (!this.#isTorn) return
    const { files, path } = this.#options
    try {
      files.overwrite(path, this.length, INCOMPLETE)
    } catch {
      throw new Problem(
        'insufficient_storage',
        `Nothing in ${path} can be changed now. If Petri is killed before it can, the write that failed counts as stored.`,
      )
    }
  }

  /** Removes what a failed write has left, which would otherwise be read as stored. */
  repair(): void {
    const { files, path } = this.#options
    if (this.#isTorn) files.truncate(path, this.length)
    this.#isTorn = false
  }

  /** Syncs the appended lines to disk. */
  async sync(): Promise<void> {
    if (this.length > 0) await promisify(fdatasync)(this.#open())
  }

  /** Syncs the last lines of a journal that ends here, because no line may follow in another journal before they are on disk. */
  finish(): void {
    if (this.length > 0) fdatasyncSync(this.#open())
    this.close()
  }

  /** Closes the file if nothing was appended since the last call; the next append opens it again. */
  closeIfIdle(): void {
    if (this.#isIdle) this.close()
    this.#isIdle = true
  }

  /** Only warns of a failure, because the callers have nothing to undo. */
  close(): void {
    const file = this.#file
    this.#file = undefined
    this.#orWarn('repair', () => this.repair())
    if (file !== undefined) this.#orWarn('close', () => closeSync(file))
  }

  #orWarn(what: string, act: () => void): void {
    try {
      act()
    } catch (error) {
      this.#options.warn(`could not ${what} ${this.#options.path}: ${messageOf(error)}`)
    }
  }

  /** Opens the file, which must exist: one that was deleted is not begun again. */
  #open(): number {
    this.#file ??= openSync(this.#options.path, constants.O_WRONLY | constants.O_APPEND)
    return this.#file
  }

  /** A journal has its head from the beginning. */
  #writeHead(): void {
    const { files, path, generation, isDurable } = this.#options
    const beside = `${path}.tmp`
    const head = headOf(generation, this.#end.checksum)
    try {
      files.write(beside, head)
      files.rename(beside, path)
    } catch (error) {
      files.remove(beside)
      throw error
    }
    const sync = isDurable ? syncNow : syncInBackground
    const folder = dirname(path)
    sync([path, folder, dirname(folder)])
    this.#end = { length: head.length, checksum: zlib.crc32(head) }
  }
}

const TAB = 9
const SUM_LENGTH = 8
/** The version of journals before; `migrate` changes their rows. */
const FORMER_FORMAT = 2
const hex = (checksum: number) => checksum.toString(16).padStart(SUM_LENGTH, '0')
/** The first line of a journal, with the checksum of the last line of the journal before it. */
const headOf = (generation: number, after: number, format = FORMAT) =>
  `${JSON.stringify({ format, journal: generation, after: hex(after) })}\n`
/** The format of a complete line, even if it was modified afterwards. */
const LINE = /^([0-9a-f]{8}|.{8}\t)/s
/** The beginning of a line that is not complete. */
const INCOMPLETE = Buffer.from(' '.repeat(SUM_LENGTH + 1))

function lineOf(changes: readonly RowChange[], before: number) {
  let line = ' '.repeat(SUM_LENGTH)
  for (const { table, id, text } of changes)
    line += `\t${JSON.stringify(table)}\t${JSON.stringify(id)}\t${text ?? ''}`
  const bytes = Buffer.from(`${line}${changes.length > 0 ? '' : '\t'}\n`)
  const checksum = zlib.crc32(bytes.subarray(SUM_LENGTH, -1), before)
  bytes.write(hex(checksum), 'latin1')
  return { bytes, checksum }
}

/** The content of a journal: the end of its valid lines, and what follows the last of them. */
export interface ReadJournal {
  readonly end: JournalEnd
  readonly torn: { readonly line: number; readonly bytes: number } | undefined
  /** Whether it has the current format. */
  readonly isCurrent: boolean
}

/**
 * Applies a journal to `tables`. It may end with an incomplete line, which was being written when the process or the
 * machine stopped; after a power failure, it may be empty or consist of zeros. Any other invalid line is damage. `after`
 * is the end of the journal before it, unless the base includes that one.
 */
export async function readJournal(
  path: string,
  generation: number,
  after: JournalEnd | undefined,
  tables: Tables,
): Promise<ReadJournal> {
  let end: JournalEnd = { length: 0, checksum: 0 }
  let torn: ReadJournal['torn'] = { line: 1, bytes: 0 }
  let isCurrent = true
  await readLines(path, 1, (line) => {
    const size = line.end + Number(line.isWhole) - line.start
    if (line.number === 1) {
      if (!line.isWhole && isZeros(line)) {
        torn = { line: 1, bytes: size }
        return
      }
      isCurrent = checkHead(path, generation, after, line)
      torn = undefined
      end = { length: size, checksum: zlib.crc32(line.bytes.subarray(line.start, line.end + 1)) }
      return
    }
    const checksum = line.isWhole ? checksumOf(line, end.checksum) : undefined
    if (checksum !== undefined) {
      if (torn) throw damage(path, torn.line, 'this is not a line of a journal, but other lines follow')
      apply(line, tables)
      end = { length: end.length + size, checksum }
    } else if (line.isWhole && LINE.test(textOf(line))) {
      throw damage(
        path,
        line.number,
        'this line was modified, or does not follow the line before it (checksum)',
      )
    } else torn = { line: torn?.line ?? line.number, bytes: (torn?.bytes ?? 0) + size }
  })
  return { end, torn, isCurrent }
}

const isZeros = ({ bytes, start, end }: Lines) => bytes.subarray(start, end).every((byte) => byte === 0)

/** Returns whether the journal has the current format. */
function checkHead(path: string, generation: number, after: JournalEnd | undefined, line: Lines): boolean {
  const text = `${textOf(line)}\n`
  const head = parseJson(text) as { format?: unknown; after?: unknown } | undefined
  if (head?.format !== undefined) checkFormat(path, head.format, FORMER_FORMAT)
  const isCurrent = head?.format !== FORMER_FORMAT
  const before = Number.parseInt(String(head?.after), 16)
  if (!line.isWhole || text !== headOf(generation, before, isCurrent ? FORMAT : FORMER_FORMAT))
    throw damage(path, 1, `this is not the beginning of journal ${generation}`)
  if (after && before !== after.checksum)
    throw damage(
      path,
      1,
      `this journal does not follow the last line of journal ${generation - 1} (checksum)`,
    )
  return isCurrent
}

/** The checksum of a line that follows a line with the checksum `before`; undefined if the line is not valid. */
function checksumOf({ bytes, start, end }: Lines, before: number): number | undefined {
  const sum = start + SUM_LENGTH
  const checksum = zlib.crc32(bytes.subarray(sum, end), before)
  return bytes.toString('latin1', start, sum) === hex(checksum) && bytes[sum] === TAB ? checksum : undefined
}

function apply({ bytes, start, end }: Lines, tables: Tables): void {
  let at = start + SUM_LENGTH
  // Separate strings, because a substring would keep the whole line in memory.
  const next = () => {
    const from = at + 1
    const tab = bytes.indexOf(TAB, from)
    at = tab === -1 || tab > end ? end : tab
    return bytes.toString('utf8', from, at)
  }
  while (at < end - 1)
    applyChange(tables, { table: JSON.parse(next()), id: JSON.parse(next()), text: next() || null })
}

/** The file name of a journal. */
export const JOURNAL = /^journal\.(\d+)\.log$/

/** The generations of the journals after a given one, in order. */
export const generationsIn = (names: readonly string[], after: number): number[] =>
  names
    .map((name) => Number(JOURNAL.exec(name)?.[1] ?? 0))
    .filter((generation) => generation > after)
    .sort((a, b) => a - b)
