import { type Caller, withQuery } from './caller.ts'

/** All rows of a paginated list. */
export async function allPages<Row>(call: Caller['call'], path: string, filter: object = {}): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | undefined
  do {
    const page = await call<{ data: Row[]; next_cursor: string | null }>(
      'GET',
      withQuery(path, { ...filter, limit: 500, cursor }),
    )
    rows.push(...page.data)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return rows
}
