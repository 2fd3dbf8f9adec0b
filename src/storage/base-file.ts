import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { damage, type Line, parse, readLines, textOf } from './lines.ts'
import type { Tables } from './rows.ts'

/** The version of what is written. */
export const FORMAT = 2
/** Lines that share a checksum. */
const BLOCK_LINES = 64
/** Written bytes after which the disk is waited for, so that no wait is long. */
const SYNC_BYTES = 16 * 1024 * 1024
const [TAB, COMMA, CLOSING] = [9, 44, 125]

/** The first line of a document. */
export interface BaseHead {
  readonly format: number
  /** The last generation of the journal that the rows include. */
  readonly covers: number
  /** What a snapshot is about. */
  readonly about?: unknown
}

/** Refuses what another version of Petri wrote. */
export function checkFormat(path: string, format: unknown): void {
  if (format === FORMAT) return
  throw new Error(
    `${path} has format ${JSON.stringify(format)}, and this Petri reads only formats up to ${FORMAT}. ` +
      'Use the Petri that wrote it, or move its folder away to begin anew.',
  )
}

/**
 * Writes all rows as one JSON document, one row a line, while they may go on changing: what changes meanwhile is in the
 * journal. Answers its length in bytes. `goOn` is told the rows of each block before it is written, and throws to stop the writing.
 */
export async function writeBase(
  path: string,
  tables: Tables,
  head: Omit<BaseHead, 'format'>,
  goOn: (rows: number) => void = () => undefined,
): Promise<number> {
  const lines = linesOf(tables, idsOf(tables), head)
  const file = await open(path, 'w')
  const checksums: number[] = []
  let [written, synced] = [0, 0]
  const write = async (bytes: Buffer) => {
    goOn(BLOCK_LINES)
    await file.writeFile(bytes)
    written += bytes.length
    if (written - synced < SYNC_BYTES) return
    synced = written
    await file.datasync()
  }
  try {
    for (const block of blocksOf(lines)) {
      checksums.push(crc32(block))
      await write(block)
    }
    await write(Buffer.from(`},"crc32":[${checksums}]}\n`))
    await file.sync()
    return written
  } finally {
    await file.close()
  }
}

function* blocksOf(lines: Iterable<string>): Generator<Buffer> {
  let block: string[] = []
  for (const line of lines) {
    block.push(line, '\n')
    if (block.length < 2 * BLOCK_LINES) continue
    yield Buffer.from(block.join(''))
    block = []
  }
  if (block.length > 0) yield Buffer.from(block.join(''))
}

/** Which rows there are, and in which order, as the next journal begins: that gives the order of later. */
const idsOf = (tables: Tables) => [...tables].map(([name, rows]) => [name, [...rows.keys()]] as const)

function* linesOf(
  tables: Tables,
  ids: ReturnType<typeof idsOf>,
  head: Omit<BaseHead, 'format'>,
): Generator<string> {
  yield `${JSON.stringify({ format: FORMAT, ...head }).slice(0, -1)},"tables":{`
  for (const [at, [name, all]] of ids.entries()) {
    yield `${JSON.stringify(name)}:{`
    let row = ''
    for (const id of all) {
      const text = tables.get(name)?.get(id)
      if (!text) continue
      if (row) yield `${row},`
      row = `${JSON.stringify(id)}:\t${text}`
    }
    if (row) yield row
    yield at + 1 < ids.length ? '},' : '}'
  }
}

export interface ReadBase extends BaseHead {
  readonly tables: Tables
  /** In bytes. */
  readonly length: number
}

/** Reads what `writeBase` wrote. */
export async function readBase(path: string): Promise<ReadBase> {
  const reader = new BaseReader(path)
  await readLines(path, (line) => reader.read(line))
  return reader.finish()
}

class BaseReader {
  readonly #path: string
  readonly #tables: Tables = new Map()
  readonly #checksums: number[] = []
  #checksum = 0
  #head: BaseHead = { format: 0, covers: 0 }
  #length = 0
  #rows: Map<string, string> | undefined
  #line = 0
  #recorded: readonly unknown[] | undefined

  constructor(path: string) {
    this.#path = path
  }

  read(line: Line): void {
    const { bytes, start, end, number } = line
    if (this.#recorded) throw damage(this.#path, number, 'something follows the end of the document')
    if (!line.isWhole) throw damage(this.#path, number, 'the file is cut off here')
    this.#length += end + 1 - start
    if (number > 1 && !this.#rows && bytes[start] === CLOSING) {
      this.#readEnd(line)
      return
    }
    this.#line = number
    this.#checksum = crc32(bytes.subarray(start, end + 1), this.#checksum)
    if (number === 1) this.#readHead(line)
    else if (bytes[start] === CLOSING) this.#rows = undefined
    else if (this.#rows) this.#readRow(line, this.#rows)
    else this.#readTable(line)
    if (number % BLOCK_LINES === 0) this.#endBlock()
  }

  finish(): ReadBase {
    if (!this.#recorded) throw damage(this.#path, this.#line, 'the file is cut off after this')
    const bad = this.#checksums.findIndex((checksum, at) => checksum !== this.#recorded?.[at])
    if (bad >= 0) {
      const [from, to] = [bad * BLOCK_LINES + 1, Math.min(this.#line, (bad + 1) * BLOCK_LINES)]
      throw damage(this.#path, `${from} to ${to}`, 'something here was altered (checksum)')
    }
    if (this.#recorded.length !== this.#checksums.length)
      throw damage(this.#path, this.#line, 'the checksums are not those of the lines above')
    return { ...this.#head, tables: this.#tables, length: this.#length }
  }

  #readHead(line: Line): void {
    const head = parse(`${textOf(line)}}}`) as (Partial<BaseHead> & { tables?: unknown }) | undefined
    if (head?.format !== undefined) checkFormat(this.#path, head.format)
    if (!Number.isInteger(head?.covers)) throw damage(this.#path, 1, 'this is not how a world begins')
    this.#head = { format: FORMAT, covers: Number(head?.covers), about: head?.about }
  }

  #readTable(line: Line): void {
    const text = textOf(line)
    const name = text.endsWith(':{') ? parse(text.slice(0, -2)) : undefined
    if (typeof name !== 'string') throw damage(this.#path, line.number, 'here should be the name of a table')
    this.#rows = new Map()
    this.#tables.set(name, this.#rows)
  }

  #readRow({ bytes, start, end, number }: Line, rows: Map<string, string>): void {
    const tab = bytes.indexOf(TAB, start)
    const last = bytes[end - 1] === COMMA ? end - 1 : end
    const id = tab > start && tab < end ? parse(bytes.toString('utf8', start, tab - 1)) : undefined
    if (typeof id !== 'string') throw damage(this.#path, number, 'this is not a row')
    rows.set(id, bytes.toString('utf8', tab + 1, last))
  }

  #readEnd(line: Line): void {
    if (this.#line % BLOCK_LINES !== 0) this.#endBlock()
    const end = parse(`{"":{${textOf(line)}`) as { crc32?: unknown } | undefined
    if (!Array.isArray(end?.crc32)) throw damage(this.#path, line.number, 'this is not how a world ends')
    this.#recorded = end.crc32
  }

  #endBlock(): void {
    this.#checksums.push(this.#checksum)
    this.#checksum = 0
  }
}
