import { pageAfter } from '../api/pagination.ts'
import { compare } from '../kernel/compare.ts'
import { orNotFound } from '../kernel/problem.ts'
import { createRandom } from '../kernel/random.ts'
import type { Database } from '../storage/database.ts'
import type { Table } from '../storage/table.ts'
import { nextNumber, type Organisation } from '../world/organisation.ts'

/** The next number of a kind, and the id derived from it. */
export function nextOf(db: Database, kind: string): { readonly ordinal: number; readonly id: string } {
  const ordinal = nextNumber(db, kind)
  return { ordinal, id: createRandom(`petri/organisation/${kind}`).uuid(`${ordinal}`) }
}

interface WithId {
  readonly id: string
}

/**
 * Rows of one kind that belong to the organisation. A change finds the row, checks and writes in one turn, so that of
 * two calls at the same moment the second sees what the first has done.
 */
export const collection = <Row extends WithId>(rows: Table<Row>, missing: string) => {
  const find = (db: Database, id: string): Row => orNotFound(db.find(rows, id), missing)
  return {
    list: ({ db }: Organisation): Row[] => [...db.all(rows)],

    get: ({ db }: Organisation, id: string): Row => find(db, id),

    /** Creates a row, unless `check` throws for the rows that are there. */
    create: (
      organisation: Organisation,
      kind: string,
      check: (existing: readonly Row[]) => void,
      build: (next: { readonly ordinal: number; readonly id: string }) => Row,
    ): Promise<Row> =>
      organisation.change((db) => {
        check([...db.all(rows)])
        return db.put(rows, build(nextOf(db, kind)))
      }),

    update: (organisation: Organisation, id: string, change: (row: Row) => Row): Promise<Row> =>
      organisation.change((db) => db.put(rows, change(find(db, id)))),

    delete: (organisation: Organisation, id: string): Promise<null> =>
      organisation.change((db) => {
        find(db, id)
        db.delete(rows, id)
        return null
      }),
  }
}

/** A page of a list of the management API. `of` names the list and its filter. */
export function pageById<Item extends WithId>(
  of: readonly unknown[],
  rows: readonly Item[],
  cursor: string | null | undefined,
  keyOf?: (item: Item) => string | number,
) {
  const sorted = keyOf ? rows.toSorted((a, b) => compare(keyOf(a), keyOf(b))) : rows
  const list = { of, rows: sorted, idOf: ({ id }: Item) => id, ...(keyOf && { keyOf }) }
  const { items, nextCursor } = pageAfter(list, cursor, 100)
  return { items, next_cursor: nextCursor }
}
