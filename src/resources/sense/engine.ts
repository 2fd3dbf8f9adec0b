import { aggregates } from './aggregate.ts'
import { floatingText, partOf, truncate, type Window } from './calendar.ts'
import type { Value } from './column.ts'
import type { Key, Output, Plan } from './plan.ts'

/** The source of rows. */
export interface RowSource {
  readonly provider: string
  readonly type: string
}

/** A summary or sample: its floating time, its source and the selected cells. */
export interface Row {
  readonly at: number
  readonly source: RowSource
  readonly values: Readonly<Record<string, Value>>
}

/** The data of a query. */
export interface SenseData {
  /** The rows of a plan's table in a period, in any order, with at least the plan's columns. */
  rows(plan: Plan, window: Window): Iterable<Row>
  /** The rank of a source for a plan's table; the lowest wins. */
  rank(plan: Plan, source: RowSource): number
}

/** A row of the answer, with its group keys. */
export interface ResultRow {
  readonly keys: readonly Value[]
  readonly cells: readonly Value[]
}

/** A query that exceeds the limits. */
export class TooMuch extends Error {}

/** Evaluates a query, ordered by group keys, or by time without groups. */
export function answer(plan: Plan, data: SenseData, window: Window): ResultRow[] {
  const rows = [...passing(plan, data, window)].sort((a, b) => a.at - b.at)
  if (!plan.isFolded) return rows.map((row) => ({ keys: [], cells: cellsOf(plan, [], [row]) }))
  if (plan.keys.length === 0) return [{ keys: [], cells: cellsOf(plan, [], rows) }]
  const groups = new Map<string, { keys: readonly Value[]; rows: Row[] }>()
  for (const row of rows) {
    const keys = plan.keys.map((key) => keyOf(key, row))
    const name = JSON.stringify(keys)
    const group = groups.get(name)
    if (group) group.rows.push(row)
    else groups.set(name, { keys, rows: [row] })
  }
  const lines = [...groups.values()].map((group) => ({
    keys: group.keys,
    cells: cellsOf(plan, group.keys, preferred(plan, data, group.rows)),
  }))
  return sorted(lines)
}

function* passing(plan: Plan, data: SenseData, { from, until }: Window): Generator<Row> {
  for (const row of data.rows(plan, { from, until })) {
    // Profiles have no time.
    if (plan.table !== 'profile' && (row.at < from || row.at >= until)) continue
    if (!plan.where || plan.where.condition(row.values) === true) yield row
  }
}

function keyOf(key: Key, { at, values }: Row): Value {
  if (key.by === 'trunc') return floatingText(truncate(at, key.period))
  if (key.by === 'part') return partOf(at, key.part)
  return values[key.column] ?? null
}

/** The rows of the one source that comes before the others, so that nothing is counted twice. */
function preferred(plan: Plan, data: SenseData, rows: readonly Row[]): readonly Row[] {
  const ranks = new Map<string, number>()
  for (const { source } of rows) {
    const name = nameOf(source)
    if (!ranks.has(name)) ranks.set(name, data.rank(plan, source))
  }
  if (ranks.size < 2) return rows
  const [best] = [...ranks].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1))
  return rows.filter(({ source }) => nameOf(source) === best?.[0])
}

const nameOf = ({ provider, type }: RowSource) => `${provider}/${type}`

const cellsOf = (plan: Plan, keys: readonly Value[], rows: readonly Row[]): Value[] =>
  plan.outputs.map((output) => cellOf(output, keys, rows))

function cellOf(output: Output, keys: readonly Value[], rows: readonly Row[]): Value {
  if (output.of === 'key') return keys[output.ordinal] ?? null
  if (output.of !== 'aggregate') return rows[0] ? cellAt(rows[0], columnOf(output)) : null
  const cells: Exclude<Value, null>[] = []
  for (const row of rows) {
    const value = cellAt(row, output.column)
    if (value !== null) cells.push(value)
  }
  return aggregates[output.func].of(cells)
}

const columnOf = (output: Output) => (output.of === 'column' ? output.column : null)

const cellAt = (row: Row, column: string | null): Value =>
  column === null ? floatingText(row.at) : (row.values[column] ?? null)

/** In the order of their keys, empty ones last. */
export const sorted = (lines: readonly ResultRow[]): ResultRow[] =>
  [...lines].sort((a, b) => {
    for (const [at, key] of a.keys.entries()) {
      const order = compare(key, b.keys[at] ?? null)
      if (order !== 0) return order
    }
    return 0
  })

function compare(a: Value, b: Value): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return a < b ? -1 : 1
}

/** Rows as the columns the service answers. */
export const toTable = ({ outputs }: Plan, lines: readonly ResultRow[]): Record<string, Value[]> =>
  Object.fromEntries(outputs.map(({ name }, at) => [name, lines.map(({ cells }) => cells[at] ?? null)]))
