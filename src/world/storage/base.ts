import { open } from 'node:fs/promises'
import { type Entry, textOf as entryText, type Tables } from '../entry.ts'
import { StoredText } from '../page.ts'
import { crc32, RunningChecksum } from './checksum.ts'
import { damage, isWhole, type Line, parse, readLines, readString, textOf } from './lines.ts'

/** The version of what is written; another one is not read. */
export const FORMAT = 1

/** A block of lines is closed by the line that makes it this long; each has its own checksum. */
const BLOCK_BYTES = 64 * 1024
/** Written bytes after which the disk is waited for, so that no wait is long. */
const SYNC_BYTES = 16 * 1024 * 1024
const OPENING = ':{'

/** Refuses what another version of Petri wrote. */
export function checkFormat(path: string, format: unknown): void {
  if (format === FORMAT) return
  throw new Error(
    `${path} has format ${JSON.stringify(format)}, and this Petri reads only format ${FORMAT}. ` +
      'Use the Petri that wrote it, or move its folder away to begin anew.',
  )
}

/** Writes all rows as one JSON document, one row a line, while they go on changing; answers its length in bytes. */
export async function writeBase(
  path: string,
  covers: number,
  tables: Tables,
  goOn: () => void,
): Promise<number> {
  const lines = baseLines(covers, snapshotOf(tables))
  const file = await open(path, 'w')
  try {
    const block = new Block()
    const checksums: number[] = []
    let [length, unsynced] = [0, 0]
    const write = async () => {
      goOn()
      const bytes = block.take()
      await file.writeFile(bytes)
      length += bytes.length
      unsynced += bytes.length
      if (unsynced < SYNC_BYTES) return
      await file.datasync()
      unsynced = 0
    }
    for (const [before, entry, after] of lines) {
      block.add(before, entry, after)
      if (block.length < BLOCK_BYTES) continue
      checksums.push(block.checksum())
      await write()
    }
    checksums.push(block.checksum())
    block.add(`},"crc32":[${checksums}]}\n`)
    await write()
    await file.sync()
    return length
  } finally {
    await file.close()
  }
}

/** Which ids there are, and in which order, as the newer changes begin: replaying those gives the order of now. */
const snapshotOf = (tables: Tables) =>
  [...tables].map(([name, rows]) => ({ name, rows, ids: [...rows.keys()] }))

type BaseLine = readonly [before: string, entry: Entry, after: string]

function* baseLines(covers: number, snapshot: ReturnType<typeof snapshotOf>): Generator<BaseLine> {
  yield [`{"format":${FORMAT},"covers":${covers},"tables":{\n`, '', '']
  for (const [at, { name, rows, ids }] of snapshot.entries()) {
    yield [`${JSON.stringify(name)}${OPENING}\n`, '', '']
    let last: readonly [string, Entry] | undefined
    for (const id of ids) {
      const entry = rows.get(id)
      if (entry === undefined) continue
      if (last) yield [...last, ',\n']
      last = [`${JSON.stringify(id)}:`, entry]
    }
    if (last) yield [...last, '\n']
    yield [at + 1 < snapshot.length ? '},\n' : '}\n', '', '']
  }
}

/** Lines on their way to the file. */
export class Block {
  #bytes = Buffer.alloc(0)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** One string for a line: encoding it leaves the row's own, which may share its parts with others, as it is. */
  add(before: string, entry: Entry = '', after = ''): void {
    if (entry instanceof StoredText) {
      this.#text(before)
      this.#copy(entry.bytes)
      this.#text(after)
    } else this.#text(`${before}${entryText(entry)}${after}`)
  }

  /** Of what was added from a place on, and of what had the checksum `before`. */
  checksum(from = 0, before = 0): number {
    return crc32(this.#bytes.subarray(from, this.#length), before)
  }

  /** What was added; good until something is added again. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length)
    this.#length = 0
    return taken
  }

  #text(text: string): void {
    this.#reserve(text.length * 3)
    this.#length += this.#bytes.write(text, this.#length)
  }

  #copy(bytes: Buffer): void {
    this.#reserve(bytes.length)
    this.#length += bytes.copy(this.#bytes, this.#length)
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(2 * (this.#length + more))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
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
