import type { Change } from '../change.ts'
import type { RowText, Tables } from '../entry.ts'
import { type Page, Pages, StoredText } from '../page.ts'
import { readString } from './lines.ts'

const [COMMA, CLOSING, NEWLINE] = [44, 93, 10]
/** What a line needs beside its row and how that row is called. */
const FRAME = 3

/**
 * Where a world's rows lie once they are stored: in pages, a line `["table","id",{…}]` each, just as they are written down.
 * A page of which most rows were replaced or deleted since is given up, and what is left of it moves on.
 */
export class RowPages {
  readonly #tables: Tables
  /** How the lines of each table begin. */
  readonly #openings = new Map<string, string>()
  readonly #sparse = new Set<Page>()
  readonly #fresh = new Pages((page) => page.isSparse && this.#sparse.add(page))
  readonly #moved = new Pages((page) => page.isSparse && this.#sparse.add(page))

  constructor(tables: Tables) {
    this.#tables = tables
  }

  /** Lays changes down, and with them what their tables hold; answers the lines, run after run. */
  lay(changes: readonly Change[]): Buffer[] {
    const runs: Buffer[] = []
    let page: Page | undefined
    let from = 0
    for (const change of changes) {
      const [opening, called] = [this.#openingOf(change.table), JSON.stringify(change.id)]
      const parts = partsOf(change.text)
      const room = this.#fresh.roomFor(parts, 3 * (opening.length + called.length) + FRAME)
      if (page && room !== page) runs.push(page.bytes.subarray(from, page.used))
      if (room !== page) from = room.used
      page = room
      page.write(opening)
      page.write(called)
      this.#layRow(page, parts, change)
    }
    if (page) runs.push(page.bytes.subarray(from, page.used))
    return runs
  }

  /** Moves what is left of one page that is given up, if there is any. */
  tidy(): void {
    const [page] = this.#sparse
    if (!page) return
    this.#sparse.delete(page)
    for (let start = 0; start < page.used; ) {
      const end = page.bytes.indexOf(NEWLINE, start) + 1
      this.#moveLine(page, start, end)
      start = end
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

  #moveLine(from: Page, start: number, end: number): void {
    const { bytes } = from
    const table = readString(bytes, start + 1, end)
    const id = table && readString(bytes, table.end + 1, end)
    const rows = table && this.#tables.get(table.text)
    const entry = id && rows?.get(id.text)
    if (!rows || !id || !(entry instanceof StoredText) || !entry.liesAt(from, id.end + 1)) return
    const page = this.#moved.roomForBytes(end - start)
    rows.set(id.text, page.keepCopy(entry, id.end + 1 - start, FRAME - 1))
  }

  #openingOf(table: string): string {
    const known = this.#openings.get(table)
    if (known !== undefined) return known
    const opening = `[${JSON.stringify(table)},`
    this.#openings.set(table, opening)
    return opening
  }
}

const partsOf = (text: RowText | null): readonly string[] => {
  if (text === null) return []
  return typeof text === 'string' ? [text] : text.parts
}
