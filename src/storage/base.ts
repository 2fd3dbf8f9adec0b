import { RunningChecksum } from './checksum.ts'
import type { Entry, Tables } from './entry.ts'
import { damage, isWhole, type Line, parse, readLines, readString, textOf } from './lines.ts'
import { StoredText } from './memory-page.ts'

/** The version of what is written; another one is not read. */
export const FORMAT = 1

/** A block of lines is closed by the line that makes it this long; each has its own checksum. */
export const BLOCK_BYTES = 64 * 1024
/** What follows the name of a table. */
export const OPENING = ':{'

/** Refuses what another version of Petri wrote. */
export function checkFormat(path: string, format: unknown): void {
  if (format === FORMAT) return
  throw new Error(
    `${path} has format ${JSON.stringify(format)}, and this Petri reads only format ${FORMAT}. ` +
      'Use the Petri that wrote it, or move its folder away to begin anew.',
  )
}

/** Reads what `writeBase` wrote: the rows into `tables`, and the generation of changes that they include. */
export function readBase(path: string, tables: Tables): { covers: number; length: number } {
  const reader = new BaseReader(path, tables)
  for (const line of readLines(path)) reader.read(line)
  return reader.finish()
}

class BaseReader {
  readonly #path: string
  readonly #tables: Tables
  readonly #checksum = new RunningChecksum()
  readonly #blocks: { readonly checksum: number; readonly lastLine: number }[] = []
  #blockBytes = 0
  #covers = 0
  #length = 0
  #rows: Map<string, Entry> | undefined
  #line = 0
  #kept: unknown

  constructor(path: string, tables: Tables) {
    this.#path = path
    this.#tables = tables
  }

  read(line: Line): void {
    const { bytes, start, end, number } = line
    if (this.#kept !== undefined)
      throw damage(this.#path, number, 'something follows the end of the document')
    if (!isWhole(line)) throw damage(this.#path, number, 'the file is cut off here')
    this.#line = number
    this.#length += end + 1 - start
    if (number > 1 && !this.#rows && bytes[start] === 125) this.#readEnd(line)
    else this.#readLine(line)
  }

  #readLine(line: Line): void {
    const { bytes, start, end, number } = line
    this.#checksum.reach(bytes, start)
    this.#blockBytes += end + 1 - start
    if (number === 1) this.#readHead(line)
    else if (bytes[start] === 125) this.#rows = undefined
    else if (this.#rows) this.#readRow(line, this.#rows)
    else this.#readTable(line)
    if (this.#blockBytes >= BLOCK_BYTES) this.#closeBlock(bytes, end + 1, number)
  }

  finish(): { covers: number; length: number } {
    if (this.#kept === undefined) throw damage(this.#path, this.#line, 'the file is cut off after this')
    const kept = Array.isArray(this.#kept) ? this.#kept : []
    const bad = this.#blocks.findIndex(({ checksum }, at) => checksum !== kept[at])
    if (bad >= 0) this.#refuse((this.#blocks[bad - 1]?.lastLine ?? 0) + 1, this.#blocks[bad]?.lastLine ?? 0)
    if (kept.length !== this.#blocks.length)
      throw damage(this.#path, this.#line, 'the checksums are not those of the lines above')
    return { covers: this.#covers, length: this.#length }
  }

  #readHead(line: Line): void {
    const head = parse(`${textOf(line)}}}`) as { format?: unknown; covers?: unknown } | undefined
    if (head?.format !== undefined) checkFormat(this.#path, head.format)
    if (!Number.isInteger(head?.covers)) throw damage(this.#path, 1, 'this is not how a world begins')
    this.#covers = Number(head?.covers)
  }

  #readTable({ bytes, start, end, number }: Line): void {
    const name = readString(bytes, start, end)
    if (!name || bytes.toString('latin1', name.end, end) !== OPENING)
      throw damage(this.#path, number, 'here should be the name of a table')
    this.#rows = new Map()
    this.#tables.set(name.text, this.#rows)
  }

  #readRow({ page, bytes, start, end, number }: Line, rows: Map<string, Entry>): void {
    const id = readString(bytes, start, end)
    const last = bytes[end - 1] === 44 ? end - 1 : end
    if (!id || bytes[id.end] !== 58 || bytes[id.end + 1] !== 123 || bytes[last - 1] !== 125)
      throw damage(this.#path, number, 'this is not a row')
    rows.set(id.text, new StoredText(page, id.end + 1, last))
  }

  #readEnd(line: Line): void {
    this.#closeBlock(line.bytes, line.start, line.number - 1)
    const end = parse(`{"":{${textOf(line)}`) as { crc32?: unknown } | undefined
    if (!end) throw damage(this.#path, line.number, 'this is not how a world ends')
    this.#kept = end.crc32 ?? []
  }

  #closeBlock(bytes: Buffer, end: number, lastLine: number): void {
    this.#blocks.push({ checksum: this.#checksum.take(bytes, end), lastLine })
    this.#blockBytes = 0
  }

  #refuse(from: number, to: number): never {
    for (const line of readLines(this.#path)) {
      if (line.number < from || line.number > to) continue
      const text = textOf(line)
      if (text.startsWith('"') && !text.endsWith(OPENING) && !parse(`{${text.replace(/,$/, '')}}`))
        throw damage(this.#path, line.number, 'this is not JSON')
    }
    throw damage(this.#path, from === to ? from : `${from} to ${to}`, 'something here was altered (checksum)')
  }
}
