import zlib from 'node:zlib'
import * as z from 'zod'
import { compare, countBefore } from '../kernel/compare.ts'
import { parseJson } from '../kernel/json.ts'
import { badRequest } from '../kernel/problem.ts'
import { runAtOnce } from '../kernel/slices.ts'
import { integer, maybe, text } from './fields.ts'
import { nullableText, unnamed } from './schema.ts'

/** The response of a paginated list, whose items are in `data` unless the service names them. */
export const pageOf = <Item extends z.ZodType, Name extends string = 'data'>(
  item: Item,
  name: Name = 'data' as Name,
) => z.object({ [name]: z.array(item), next_cursor: nullableText() } as PageShape<Item, Name>)

type PageShape<Item extends z.ZodType, Name extends string> = Record<Name, z.ZodArray<Item>> & {
  next_cursor: z.ZodNullable<z.ZodString>
}

/** The query of a paginated list of the control API. */
export const pageQuery = () => ({
  limit: integer({ ge: 1, le: 500 }).default(100),
  cursor: maybe(text()),
})

interface Page<Row> {
  readonly items: Row[]
  /** Null on the last page. */
  readonly nextCursor: string | null
}

interface List<Row> {
  /** Names the list and its filter. A cursor of another list or filter is refused. */
  readonly of: readonly unknown[]
  /** In ascending order, including those that `isWanted` leaves out. */
  readonly rows: readonly Row[]
  readonly idOf: (row: Row) => string
  /** The sort key, which several rows may share. */
  readonly keyOf?: (row: Row) => string | number
  readonly isWanted?: (row: Row) => boolean
  readonly order?: 'asc' | 'desc'
}

const Cursor = unnamed(() => ({
  list: z.number(),
  /** The last row of the page. */
  last: z.string(),
  key: z.union([z.string(), z.number()]),
  /** The first row of the next page. */
  next: z.string(),
}))

/** The page of a list after a cursor. */
export const pageAfter = <Row>(
  list: List<Row>,
  cursor: string | null | undefined,
  limit: number,
): Page<Row> => runAtOnce(pageInSteps(list, cursor, limit))

/** The page of a long list after a cursor, found in steps. */
export function* pageInSteps<Row>(
  { of, rows, idOf, keyOf = () => 0, isWanted = () => true, order = 'asc' }: List<Row>,
  cursor: string | null | undefined,
  limit: number,
): Generator<void, Page<Row>> {
  const list = zlib.crc32(JSON.stringify(of))
  const sorted = order === 'asc' ? rows : rows.toReversed()
  const items: Row[] = []
  for (const row of sorted.slice(cursor ? startOf(cursor) : 0)) {
    yield
    if (!isWanted(row)) continue
    if (items.length < limit) {
      items.push(row)
      continue
    }
    const last = items.at(-1)
    if (last === undefined) break
    const next = { list, last: idOf(last), key: keyOf(last), next: idOf(row) }
    return { items, nextCursor: Buffer.from(JSON.stringify(next)).toString('base64url') }
  }
  return { items, nextCursor: null }

  /** Continues after the last row. If it was deleted or moved, at the next one; if that was too, by the sort key. */
  function startOf(text: string): number {
    const { data } = Cursor().safeParse(parseJson(Buffer.from(text, 'base64url').toString()))
    if (data?.list !== list) throw badRequest('Invalid cursor')
    const { last, key, next } = data
    const before = sorted.findIndex((row) => idOf(row) === last && keyOf(row) === key)
    if (before >= 0) return before + 1
    const at = sorted.findIndex((row) => idOf(row) === next)
    if (at >= 0) return at
    const sign = order === 'asc' ? 1 : -1
    return countBefore(sorted, (row) => sign * compare(keyOf(row), key) < 0)
  }
}
