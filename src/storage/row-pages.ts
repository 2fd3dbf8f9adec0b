import type { Change } from './change.ts'
import type { RowText, Tables } from './entry.ts'
import { readString } from './lines.ts'
import { type Page, Pages, StoredText } from './memory-page.ts'

const [COMMA, CLOSING, NEWLINE] = [44, 93, 10]
/** What a line needs beside its row and how that row is called. */
const FRAME = 3

/** Where the rows of one table lie. */
interface TablePages {
  readonly table: string
  /** How their lines begin. */
  readonly opening: string
  readonly fresh: Pages
  readonly moved: Pages
}

/**
 * Where a world's rows lie once they are stored: in pages, a line `["table","id",{…}]` each, just as they are written down.
 * A page has the rows of one table, for those live about as long. One of which most rows were replaced or deleted since is
 * given up, and what is left of it moves on.
 */
export class RowPages {
  readonly #tables: Tables
  readonly #ofTables = new Map<string, TablePages>()
  /** To be given up. */
  readonly #sparse = new Map<Page, TablePages>()

  constructor(tables: Tables) {
    this.#tables = tables
  }

  /** Lays changes down, and with them what their tables hold; answers the lines, run after run. */
  lay(changes: readonly Change[]): Buffer[] {
    const runs: Buffer[] = []
    let page: Page | undefined
    let from = 0
    for (const change of changes) {
      const { opening, fresh } = this.#of(change.table)
      const called = opening + JSON.stringify(change.id)
      const parts = partsOf(change.text)
      const room = fresh.roomFor(parts, 3 * called.length + FRAME)
      if (page && room !== page) runs.push(page.bytes.subarray(from, page.used))
      if (room !== page) from = room.used
      page = room
      page.write(called)
      this.#layRow(page, parts, change)
    }
    if (page) runs.push(page.bytes.subarray(from, page.used))
    return runs
  }

  /** Moves what is left of one page that is given up, if there is any. */
  tidy(): void {
    for (const [page, of] of this.#sparse) {
      this.#sparse.delete(page)
      if (page.isEmpty) continue
      this.#moveLines(page, of)
      return
    }
  }

  #layRow(page: Page, parts: readonly string[], { table, id, text, entry }: Change): void {
    if (text !== null) {
      page.writeByte(COMMA)
      const stored = page.keep(parts)
      const rows = this.#tables.get(table)
      if (rows && rows.get(id) === entry) rows.set(id, stored)
      else stored.forget()
    }
    page.writeByte(CLOSING)
    page.writeByte(NEWLINE)
  }

  #moveLines(from: Page, { table, opening, moved }: TablePages): void {
    const rows = this.#tables.get(table)
    const { bytes } = from
    for (let start = 0, end = 0; start < from.used; start = end) {
      end = bytes.indexOf(NEWLINE, start) + 1
      const id = readString(bytes, start + opening.length, end)
      const entry = id && rows?.get(id.text)
      if (!id || !(entry instanceof StoredText) || !entry.liesAt(from, id.end + 1)) continue
      const page = moved.roomForBytes(end - start)
      rows?.set(id.text, page.keepCopy(entry, id.end + 1 - start, FRAME - 1))
    }
  }

  #of(table: string): TablePages {
    return this.#ofTables.get(table) ?? this.#open(table)
  }

  #open(table: string): TablePages {
    const onLoss = (page: Page) => page.isSparse && this.#sparse.set(page, pages)
    const opening = `[${JSON.stringify(table)},`
    const pages = { table, opening, fresh: new Pages(onLoss), moved: new Pages(onLoss) }
    this.#ofTables.set(table, pages)
    return pages
  }
}

const partsOf = (text: RowText | null): readonly string[] => {
  if (text === null) return []
  return typeof text === 'string' ? [text] : text.parts
}
