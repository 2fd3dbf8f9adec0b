import { closeSync, fdatasync, ftruncateSync, openSync, writeSync, writevSync } from 'node:fs'
import { promisify } from 'node:util'
import { checkFormat, FORMAT } from './base.ts'
import { crc32, RunningChecksum } from './checksum.ts'
import type { Tables } from './entry.ts'
import { damage, isWhole, type Line, parse, readLines, readString, textOf } from './lines.ts'
import { StoredText } from './memory-page.ts'

/** A file that batches of changes are appended to; made with the first of them. */
export class ChangesFile {
  readonly #path: string
  readonly #generation: number
  #file: number | undefined
  #length: number

  constructor(path: string, generation: number, length = 0) {
    this.#path = path
    this.#generation = generation
    this.#length = length
  }

  get length(): number {
    return this.#length
  }

  /**
   * Once this returns, a batch of so many changes survives the end of the process. `lines` are theirs, run after run;
   * a batch that cannot be written whole leaves nothing.
   */
  append(count: number, lines: readonly Buffer[]): void {
    this.#file ??= openSync(this.#path, 'a')
    const checksum = lines.reduce((before, run) => crc32(run, before), 0)
    const runs = [...lines, Buffer.from(`[${count},${checksum}]\n`)]
    if (this.#length === 0) runs.unshift(Buffer.from(head(this.#generation)))
    try {
      this.#length += writeAll(this.#file, runs)
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
}

const head = (generation: number) => `{"format":${FORMAT},"changes":${generation}}\n`

/** In one go, unless the disk takes only a part of it. */
function writeAll(file: number, runs: readonly Buffer[]): number {
  const length = runs.reduce((sum, run) => sum + run.length, 0)
  let written = writevSync(file, runs)
  for (const rest = Buffer.concat(written < length ? runs : []); written < length; )
    written += writeSync(file, rest, written)
  return length
}

/** What a file of changes held: the length of its whole batches, and what comes after the last of them. */
export interface ReadChanges {
  readonly length: number
  readonly torn: { readonly line: number; readonly bytes: number } | undefined
}

/** Applies a file of changes to `tables`. Only the newest may end in a batch that is not whole: it was being written when the process ended. */
export function readChanges(path: string, generation: number, tables: Tables): ReadChanges {
  const reader = new ChangesReader(path, generation, tables)
  for (const line of readLines(path)) reader.read(line)
  return reader.result()
}

interface ReadChange {
  readonly table: string
  readonly id: string
  readonly row: StoredText | undefined
}

class ChangesReader {
  readonly #path: string
  readonly #generation: number
  readonly #tables: Tables
  readonly #checksum = new RunningChecksum()
  #batch: ReadChange[] = []
  #firstLine = 1
  #length = 0
  #pending = 0

  constructor(path: string, generation: number, tables: Tables) {
    this.#path = path
    this.#generation = generation
    this.#tables = tables
  }

  read(line: Line): void {
    const { bytes, start, end, number } = line
    if (!isWhole(line)) {
      this.#pending += end - start
      return
    }
    this.#pending += end + 1 - start
    if (number === 1) this.#readHead(line)
    else if (bytes[start + 1] === 34) this.#readChange(line)
    else this.#readCommit(line)
  }

  result(): ReadChanges {
    const torn = this.#pending > 0 ? { line: this.#firstLine, bytes: this.#pending } : undefined
    return { length: this.#length, torn }
  }

  #readHead(line: Line): void {
    const found = parse(textOf(line)) as { format?: unknown } | undefined
    if (found?.format !== undefined) checkFormat(this.#path, found.format)
    if (`${textOf(line)}\n` !== head(this.#generation))
      throw damage(this.#path, 1, `this is not how changes ${this.#generation} begin`)
    this.#firstLine = 2
  }

  #readChange(line: Line): void {
    const { page, bytes, start, end } = line
    const table = readString(bytes, start + 1, end)
    const id = table && bytes[table.end] === 44 ? readString(bytes, table.end + 1, end) : undefined
    if (!table || !id || bytes[start] !== 91 || bytes[end - 1] !== 93)
      throw damage(this.#path, line.number, 'this is not a change')
    if (id.end !== end - 1 && (bytes[id.end] !== 44 || bytes[id.end + 1] !== 123 || bytes[end - 2] !== 125))
      throw damage(this.#path, line.number, 'this is not a row')
    this.#checksum.reach(bytes, start)
    const row = id.end === end - 1 ? undefined : new StoredText(page, id.end + 1, end - 1)
    this.#batch.push({ table: table.text, id: id.text, row })
  }

  #readCommit(line: Line): void {
    const { number, start } = line
    const commit = parse(textOf(line))
    if (!Array.isArray(commit) || !commit.every(Number.isInteger))
      throw damage(this.#path, number, 'this is neither a change nor the end of a batch')
    if (commit[0] !== this.#batch.length || commit[1] !== this.#checksum.take(line.bytes, start))
      this.#refuse(number)
    for (const change of this.#batch) this.#apply(change)
    this.#batch = []
    this.#firstLine = number + 1
    this.#length += this.#pending
    this.#pending = 0
  }

  #refuse(last: number): never {
    for (const line of readLines(this.#path))
      if (line.number >= this.#firstLine && line.number < last && !parse(textOf(line)))
        throw damage(this.#path, line.number, 'this is not JSON')
    const lines = this.#firstLine === last ? last : `${this.#firstLine} to ${last}`
    throw damage(this.#path, lines, 'something here was altered (checksum)')
  }

  #apply({ table, id, row }: ReadChange): void {
    const rows = this.#tables.get(table) ?? new Map()
    this.#tables.set(table, rows)
    if (row) rows.set(id, row)
    else rows.delete(id)
  }
}
