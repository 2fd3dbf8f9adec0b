import { runAtOnce, sortInSteps } from '../../kernel/slices.ts'
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
  /** The rows of a plan's table in a window, in any order, with at least the plan's columns; undefined for each step without a row. */
  rows(plan: Plan, window: Window): Iterable<Row | undefined>
  /** The rank of a source for a plan's table; the lowest wins. */
  rank(plan: Plan, source: RowSource): number
}

/** A row of the answer, with its group keys. */
export interface ResultRow {
  readonly keys: readonly Value[]
  readonly cells: readonly Value[]
}

/** A query that exceeds the limits. */
export class LimitExceeded extends Error {}

/** Evaluates a query, ordered by group keys, or by time without groups. Yields between its steps. */
export function* answer(plan: Plan, data: SenseData, window: Window): Generator<void, ResultRow[]> {
  const rows = yield* sortInSteps(yield* passing(plan, data, window), (a, b) => a.at - b.at)
  const lines: ResultRow[] = []
  if (!plan.isFolded) {
    for (const row of rows) lines.push({ keys: [], cells: yield* cellsOf(plan, [], [row]) })
    return lines
  }
  if (plan.keys.length === 0) return [{ keys: [], cells: yield* cellsOf(plan, [], rows) }]
  for (const { keys, rows: grouped } of yield* groupsOf(plan, rows))
    lines.push({ keys, cells: yield* cellsOf(plan, keys, preferred(plan, data, grouped)) })
  return yield* sorted(lines)
}

interface Group {
  readonly keys: readonly Value[]
  readonly rows: Row[]
}

function* groupsOf(plan: Plan, rows: readonly Row[]): Generator<void, Iterable<Group>> {
  const groups = new Map<string, Group>()
  for (const row of rows) {
    yield
    const keys = plan.keys.map((key) => keyOf(key, row))
    const name = JSON.stringify(keys)
    const group = groups.get(name)
    if (group) group.rows.push(row)
    else groups.set(name, { keys, rows: [row] })
  }
  return groups.values()
}

function* passing(plan: Plan, data: SenseData, { from, until }: Window): Generator<void, Row[]> {
  const rows: Row[] = []
  for (const row of data.rows(plan, { from, until })) {
    yield
    // Profiles have no time.
    if (!row || (plan.table !== 'profile' && (row.at < from || row.at >= until))) continue
    if (!plan.where || plan.where.condition(row.values) === true) rows.push(row)
  }
  return rows
}

function keyOf(key: Key, { at, values }: Row): Value {
  if (key.by === 'trunc') return floatingText(truncate(at, key.period))
  if (key.by === 'part') return partOf(at, key.part)
  return values[key.column] ?? null
}

/** The rows of the preferred source only, so that nothing is counted twice. */
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

function* cellsOf(plan: Plan, keys: readonly Value[], rows: readonly Row[]): Generator<void, Value[]> {
  const cells: Value[] = []
  for (const output of plan.outputs) {
    cells.push(cellOf(output, keys, rows))
    yield
  }
  return cells
}

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

/** Rows sorted by their keys, empty keys last. */
export const sorted = (lines: readonly ResultRow[]): Generator<void, ResultRow[]> =>
  sortInSteps(lines, byKeys)

function byKeys(a: ResultRow, b: ResultRow): number {
  for (let at = 0; at < a.keys.length; at++) {
    const order = compare(a.keys[at] ?? null, b.keys[at] ?? null)
    if (order !== 0) return order
  }
  return 0
}

function compare(a: Value, b: Value): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return a < b ? -1 : 1
}

/** Rows as the columns the service answers. */
export type Table = Record<string, Value[]>

export function* tableOf({ outputs }: Plan, lines: readonly ResultRow[]): Generator<void, Table> {
  const columns = outputs.map((): Value[] => [])
  for (const { cells } of lines) {
    for (const [at, column] of columns.entries()) column.push(cells[at] ?? null)
    yield
  }
  return Object.fromEntries(outputs.map(({ name }, at) => [name, columns[at] ?? []]))
}

export const toTable = (plan: Plan, lines: readonly ResultRow[]): Table => runAtOnce(tableOf(plan, lines))
