import { runAtOnce, sortInSteps } from '../../kernel/slices.ts'
import { aggregates } from './aggregate.ts'
import { floatingText, truncate, type Window } from './calendar.ts'
import type { Value } from './columns.ts'
import type { Output, Plan } from './plan.ts'

/** The source of rows. */
export interface RowSource {
  readonly provider: string
  readonly type: string
}

/** A summary or sample: its floating time, its source and the selected cells. */
export interface SenseRow {
  readonly at: number
  readonly source: RowSource
  readonly values: Readonly<Record<string, Value>>
}

/** The data of a query. */
export interface SenseData {
  /** The rows of a plan's table in a window, in any order, with at least the plan's columns; undefined for each step without a row. */
  rows(plan: Plan, window: Window): Iterable<SenseRow | undefined>
  /** The rank of a source for a plan's table; the lowest wins. */
  rank(plan: Plan, source: RowSource): number
}

/** A row of the answer, with its group key, if any. */
export interface ResultRow {
  readonly keys: readonly Value[]
  readonly cells: readonly Value[]
}

/** A query that exceeds the limits. */
export class LimitExceeded extends Error {}

/** Evaluates a query, in the order of time. Yields between its steps. */
export function* answer(plan: Plan, data: SenseData, { from, until }: Window): Generator<void, ResultRow[]> {
  const passing: SenseRow[] = []
  for (const row of data.rows(plan, { from, until })) {
    yield
    if (row && row.at >= from && row.at < until && plan.where?.matches(row.values) !== false)
      passing.push(row)
  }
  const rows = yield* sortInSteps(passing, (a, b) => a.at - b.at)
  const { period, outputs } = plan
  if (!period) {
    const isFolded = outputs.some(({ of }) => of === 'aggregate')
    return (isFolded ? [rows] : rows.map((row) => [row])).map((of) => ({
      keys: [],
      cells: cellsOf(plan, of),
    }))
  }
  const groups = new Map<string, SenseRow[]>()
  for (const row of rows) {
    yield
    const key = floatingText(truncate(row.at, period))
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  const lines: ResultRow[] = []
  for (const [key, group] of groups) {
    yield
    lines.push({ keys: [key], cells: cellsOf(plan, preferred(plan, data, group), key) })
  }
  return lines
}

/** The rows of the preferred source only, so that nothing is counted twice. */
function preferred(plan: Plan, data: SenseData, rows: readonly SenseRow[]): readonly SenseRow[] {
  const ranks = new Map(rows.map(({ source }) => [nameOf(source), source]))
  if (ranks.size < 2) return rows
  const [best] = [...ranks]
    .map(([name, source]) => ({ name, rank: data.rank(plan, source) }))
    .sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1))
  return rows.filter(({ source }) => nameOf(source) === best?.name)
}

const nameOf = ({ provider, type }: RowSource) => `${provider}/${type}`

const cellsOf = ({ outputs }: Plan, rows: readonly SenseRow[], key: string | null = null): Value[] =>
  outputs.map((output) => (output.of === 'key' ? key : cellOf(output, rows)))

function cellOf(output: Exclude<Output, { of: 'key' }>, rows: readonly SenseRow[]): Value {
  const { column } = output
  const cells = rows
    .map((row) => (column === null ? floatingText(row.at) : (row.values[column] ?? null)))
    .filter((cell) => cell !== null)
  return output.of === 'aggregate' ? aggregates[output.func].of(cells) : (cells[0] ?? null)
}

/** A result by column, as in the response. */
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
