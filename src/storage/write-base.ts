import { type FileHandle, open } from 'node:fs/promises'
import { BLOCK_BYTES, FORMAT, OPENING } from './base.ts'
import { crc32 } from './checksum.ts'
import { type Entry, type Tables, textOf } from './entry.ts'
import { StoredText } from './memory-page.ts'

/** Written bytes after which the disk is waited for, so that no wait is long. */
const SYNC_BYTES = 16 * 1024 * 1024

/** Writes all rows as one JSON document, one row a line, while they go on changing; answers its length in bytes. */
export async function writeBase(
  path: string,
  covers: number,
  tables: Tables,
  goOn: () => void,
): Promise<number> {
  const snapshot = snapshotOf(tables)
  const file = await open(path, 'w')
  const blocks = new Blocks(file, goOn)
  try {
    blocks.add(`{"format":${FORMAT},"covers":${covers},"tables":{`)
    await blocks.endLine()
    for (const [at, { name, rows, ids }] of snapshot.entries()) {
      blocks.add(`${JSON.stringify(name)}${OPENING}`)
      await blocks.endLine()
      await writeRows(blocks, rows, ids)
      blocks.add(at + 1 < snapshot.length ? '},' : '}')
      await blocks.endLine()
    }
    return await blocks.end()
  } finally {
    await file.close()
  }
}

/** Which ids there are, and in which order, as the newer changes begin: replaying those gives the order of now. */
const snapshotOf = (tables: Tables) =>
  [...tables].map(([name, rows]) => ({ name, rows, ids: [...rows.keys()] }))

async function writeRows(blocks: Blocks, rows: ReadonlyMap<string, Entry>, ids: readonly string[]) {
  let isFirst = true
  for (const id of ids) {
    const entry = rows.get(id)
    if (entry === undefined) continue
    if (!isFirst) {
      blocks.add(',')
      const writing = blocks.endLine()
      if (writing) await writing
    }
    isFirst = false
    blocks.addRow(id, entry)
  }
  if (!isFirst) await blocks.endLine()
}

/** Lines on their way to the file, in blocks that each have a checksum. */
class Blocks {
  readonly #file: FileHandle
  readonly #goOn: () => void
  readonly #checksums: number[] = []
  #bytes = Buffer.allocUnsafeSlow(2 * BLOCK_BYTES)
  #used = 0
  #written = 0
  #unsynced = 0

  /** `goOn` is asked before each block is written, and throws when it is not to be. */
  constructor(file: FileHandle, goOn: () => void) {
    this.#file = file
    this.#goOn = goOn
  }

  add(text: string): void {
    this.#reserve(text.length * 3)
    this.#used += this.#bytes.write(text, this.#used)
  }

  addRow(id: string, entry: Entry): void {
    this.add(`${JSON.stringify(id)}:`)
    if (entry instanceof StoredText) this.#copy(entry)
    else this.add(textOf(entry))
  }

  /** Ends a line, and with it the block if that is long enough; then it is to be waited for. */
  endLine(): Promise<void> | undefined {
    this.add('\n')
    return this.#used < BLOCK_BYTES ? undefined : this.#endBlock()
  }

  /** Ends the document; answers its length. */
  async end(): Promise<number> {
    await this.#endBlock()
    this.add(`},"crc32":[${this.#checksums}]}\n`)
    await this.#write()
    await this.#file.sync()
    return this.#written
  }

  #endBlock(): Promise<void> {
    this.#checksums.push(crc32(this.#bytes.subarray(0, this.#used)))
    return this.#write()
  }

  #copy(text: StoredText): void {
    this.#reserve(text.length)
    text.copyTo(this.#bytes, this.#used)
    this.#used += text.length
  }

  async #write(): Promise<void> {
    this.#goOn()
    const bytes = this.#bytes.subarray(0, this.#used)
    this.#used = 0
    await this.#file.writeFile(bytes)
    this.#written += bytes.length
    this.#unsynced += bytes.length
    if (this.#unsynced < SYNC_BYTES) return
    this.#unsynced = 0
    await this.#file.datasync()
  }

  #reserve(more: number): void {
    if (this.#used + more <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(2 * (this.#used + more))
    this.#bytes.copy(larger, 0, 0, this.#used)
    this.#bytes = larger
  }
}
