import zlib from 'node:zlib'
import { parseJson } from '../kernel/json.ts'
import type { Files } from './files.ts'
import { damage, NEWLINE, readLines, textOf } from './lines.ts'
import type { Tables } from './rows.ts'

/** The version of the format of stored rows, in documents and journals. */
export const FORMAT = 3
/** The version of documents before; `migrate` changes their rows. */
const FORMER_FORMAT = 1
/** The number of lines that share a checksum. */
const BLOCK_LINES = 64
/** The number of written bytes after which the file is synced, so that no sync takes long. */
const SYNC_BYTES = 16 * 1024 * 1024
/** The size of a buffer; most blocks are smaller. */
const BUFFER_BYTES = 512 * 1024
/** The maximum number of bytes of a string's character in UTF-8. */
const MAX_UTF8_BYTES = 3
const END = '},"crc32":'

/** The first line of a document. */
export interface BaseHead {
  readonly format: number
  /** The last generation of the journal whose changes the rows include. */
  readonly covers: number
  /** The description of a snapshot. */
  readonly about?: unknown
}

/** Thrown for a file that a newer version of Petri wrote. */
export class NewerFormat extends Error {}

/** Throws for a file of another version of Petri than this one and the one before. */
export function checkFormat(path: string, format: unknown, former: number): void {
  if (format === FORMAT || format === former) return
  const isNewer = Number(format) > FORMAT
  const message =
    `${path} has format ${JSON.stringify(format)}, and this Petri reads ${isNewer ? 'up to' : 'only'} format ${FORMAT}. ` +
    `Use ${isNewer ? 'the newer version of Petri that wrote it, or another folder; nothing was changed.' : 'the Petri that wrote it, or move its folder away to start empty.'}`
  throw isNewer ? new NewerFormat(message) : new Error(message)
}

/**
 * Writes all rows as one JSON document, one row a line; rows that change meanwhile are in the journal. Returns its
 * length in bytes. `onBlock` is called with the number of rows of each block before the block is written, and throws to
 * stop writing.
 */
export async function writeBase(
  files: Files,
  path: string,
  tables: Tables,
  head: Omit<BaseHead, 'format'>,
  onBlock: (rows: number) => void = () => undefined,
): Promise<number> {
  const lines = linesOf(tables, idsOf(tables), head)
  const file = await files.create(path)
  const checksums: number[] = []
  let written = 0
  let synced = 0
  const write = async (bytes: Buffer) => {
    onBlock(BLOCK_LINES)
    await file.write(bytes)
    written += bytes.length
    if (written - synced < SYNC_BYTES) return
    synced = written
    await file.sync()
  }
  try {
    for (const block of blocksOf(lines)) {
      checksums.push(zlib.crc32(block))
      await write(block)
    }
    await write(Buffer.from(`${END}[${checksums}]}\n`))
    await file.sync()
    return written
  } finally {
    await file.close()
  }
}

/**
 * The lines in blocks. Each is valid until the next one is requested, because large buffers would slow down garbage
 * collection.
 */
function* blocksOf(lines: Iterable<string>): Generator<Buffer> {
  let bytes = Buffer.allocUnsafe(BUFFER_BYTES)
  let end = 0
  let count = 0
  for (const line of lines) {
    const most = end + MAX_UTF8_BYTES * line.length + 1
    if (most > bytes.length) bytes = Buffer.concat([bytes.subarray(0, end)], 2 * most)
    end += bytes.write(line, end)
    end = bytes.writeUInt8(NEWLINE, end)
    if (++count < BLOCK_LINES) continue
    yield bytes.subarray(0, end)
    end = 0
    count = 0
  }
  if (count > 0) yield bytes.subarray(0, end)
}

/** The ids of all rows in their order, as of the beginning of the next journal. */
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

/** Reads a file of `writeBase`. The lines of a block are decoded at once, and the text of a row is a substring. */
export async function readBase(path: string): Promise<ReadBase> {
  const tables: Tables = new Map()
  const checksums: number[] = []
  let head: BaseHead = { format: 0, covers: 0 }
  let recorded: unknown
  let rows: Map<string, string> | undefined
  let length = 0
  let lastLine = 0
  const readLine = (text: string, number: number) => {
    if (number === 1) head = readHead(path, text)
    else if (text.startsWith('}')) rows = undefined
    else if (rows) readRow(path, text, number, rows)
    else rows = addTable(path, text, number, tables)
  }
  await readLines(path, BLOCK_LINES, (block) => {
    const { bytes, start, end, number, isWhole } = block
    if (recorded) throw damage(path, number, 'there is text after the end of the document')
    const lines = textOf(block).split('\n')
    lastLine = number + lines.length - 1
    if (!isWhole) throw damage(path, lastLine, 'the file is truncated here')
    length += end + 1 - start
    const last = lines.at(-1) ?? ''
    if (last.startsWith(END)) {
      recorded = (parseJson(`{"":{${last}`) as { crc32?: unknown } | undefined)?.crc32
      if (!Array.isArray(recorded)) throw damage(path, lastLine, 'this is not the end of a world')
      lines.pop()
    }
    const rowsEnd = recorded ? end - Buffer.byteLength(last) : end + 1
    if (rowsEnd > start) checksums.push(zlib.crc32(bytes.subarray(start, rowsEnd)))
    for (const [at, line] of lines.entries()) readLine(line, number + at)
  })
  if (!Array.isArray(recorded)) throw damage(path, lastLine, 'the file is truncated after this line')
  const bad = checksums.findIndex((checksum, at) => checksum !== (recorded as unknown[])[at])
  if (bad >= 0) {
    const lines = `${bad * BLOCK_LINES + 1} to ${Math.min(lastLine, (bad + 1) * BLOCK_LINES)}`
    throw damage(path, lines, 'these lines were modified (checksum)')
  }
  if (recorded.length !== checksums.length) throw damage(path, lastLine, 'the number of checksums is wrong')
  return { ...head, tables, length }
}

function readHead(path: string, text: string): BaseHead {
  const head = parseJson(`${text}}}`) as (Partial<BaseHead> & { tables?: unknown }) | undefined
  if (head?.format !== undefined) checkFormat(path, head.format, FORMER_FORMAT)
  if (!Number.isInteger(head?.covers)) throw damage(path, 1, 'this is not the beginning of a world')
  return { format: Number(head?.format), covers: Number(head?.covers), about: head?.about }
}

function addTable(path: string, text: string, line: number, tables: Tables): Map<string, string> {
  const name = text.endsWith(':{') ? parseJson(text.slice(0, -2)) : undefined
  if (typeof name !== 'string') throw damage(path, line, 'this should be the name of a table')
  const rows = new Map<string, string>()
  tables.set(name, rows)
  return rows
}

function readRow(path: string, text: string, line: number, rows: Map<string, string>): void {
  const tab = text.indexOf('\t')
  const id = tab > 0 ? parseJson(text.slice(0, tab - 1)) : undefined
  if (typeof id !== 'string') throw damage(path, line, 'this is not a row')
  rows.set(id, text.slice(tab + 1, text.endsWith(',') ? -1 : undefined))
}
