import { DAY_MS } from '../../kernel/instant.ts'
import { runAtOnce, sortInSteps } from '../../kernel/slices.ts'
import { aggregates } from './aggregate.ts'
import { addPeriod, floatingText, type Period, partOf, truncate, type Window } from './calendar.ts'
import type { Value } from './columns.ts'
import type { Carry, Key, Output, Plan } from './plan.ts'

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
  readonly rows: SenseRow[]
}

function* groupsOf(plan: Plan, rows: readonly SenseRow[]): Generator<void, Iterable<Group>> {
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

function* passing(plan: Plan, data: SenseData, { from, until }: Window): Generator<void, SenseRow[]> {
  const rows: SenseRow[] = []
  for (const row of data.rows(plan, { from, until })) {
    yield
    // Profiles have no time.
    if (!row || (plan.table !== 'profile' && (row.at < from || row.at >= until))) continue
    if (!plan.where || plan.where.condition(row.values) === true) rows.push(row)
  }
  return rows
}

function keyOf(key: Key, { at, values }: SenseRow): Value {
  if (key.by === 'trunc') return floatingText(truncate(at, key.period))
  if (key.by === 'part') return partOf(at, key.part)
  return values[key.column] ?? null
}

/** The rows of the preferred source only, so that nothing is counted twice. */
function preferred(plan: Plan, data: SenseData, rows: readonly SenseRow[]): readonly SenseRow[] {
  const ranks = new Map<string, number>()
  for (const { source } of rows) {
    const name = nameOf(source)
    if (!ranks.has(name)) ranks.set(name, data.rank(plan, source))
  }
  if (ranks.size < 2) return rows
  const best = [...ranks].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1))[0]
  return rows.filter(({ source }) => nameOf(source) === best?.[0])
}

const nameOf = ({ provider, type }: RowSource) => `${provider}/${type}`

function* cellsOf(plan: Plan, keys: readonly Value[], rows: readonly SenseRow[]): Generator<void, Value[]> {
  const cells: Value[] = []
  for (const output of plan.outputs) {
    cells.push(cellOf(output, keys, rows))
    yield
  }
  return cells
}

function cellOf(output: Output, keys: readonly Value[], rows: readonly SenseRow[]): Value {
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

const cellAt = (row: SenseRow, column: string | null): Value =>
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

/** The maximum number of rows of a filled table. */
const MAX_LINES = 100_000

/** Adds a row for each missing period, and fills empty cells from the nearest period with a value. Yields between its steps. */
export function* align(
  plan: Plan,
  lines: readonly ResultRow[],
  { from, until }: Window,
): Generator<void, ResultRow[]> {
  const at = plan.keys.findIndex(({ by }) => by === 'trunc')
  const key = plan.keys[at]
  if (!plan.carry || key?.by !== 'trunc' || lines.length === 0) return [...lines]
  const starts = yield* startsOf(key.period, boundsOf(lines, at, { from, until }))
  const groups = new Map<string, ResultRow[]>()
  for (const line of lines) {
    const others = JSON.stringify(line.keys.filter((_, ordinal) => ordinal !== at))
    const group = groups.get(others)
    if (group) group.push(line)
    else groups.set(others, [line])
    yield
  }
  if (starts.length * groups.size > MAX_LINES)
    throw new LimitExceeded(`its table has more than ${MAX_LINES} rows when aligned`)
  const all: ResultRow[] = []
  for (const group of groups.values())
    for (const line of yield* filled(plan, plan.carry, group, at, starts)) all.push(line)
  return yield* sorted(all)
}

/** The requested window; for an unlimited one, from the first row to the last. */
function boundsOf(lines: readonly ResultRow[], at: number, { from, until }: Window): Window {
  if (until - from <= 100 * 366 * DAY_MS) return { from, until }
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (const { keys } of lines) {
    const time = Date.parse(`${keys[at]}Z`)
    first = Math.min(first, time)
    last = Math.max(last, time)
  }
  return { from: first, until: last + 1 }
}

function* startsOf(period: Period, { from, until }: Window): Generator<void, number[]> {
  const starts: number[] = []
  for (let start = truncate(from, period); start < until; start = addPeriod(start, period, 1)) {
    starts.push(start)
    if (starts.length > MAX_LINES)
      throw new LimitExceeded(`its table has more than ${MAX_LINES} rows when aligned`)
    yield
  }
  return starts
}

function* filled(
  plan: Plan,
  carry: Carry,
  group: readonly ResultRow[],
  at: number,
  starts: readonly number[],
): Generator<void, ResultRow[]> {
  const known = new Map(group.map((line) => [String(line.keys[at]), line]))
  const first = group[0] as ResultRow
  const lines: { readonly keys: readonly Value[]; readonly cells: Value[] }[] = []
  for (const start of starts) {
    const text = floatingText(start)
    const keys = first.keys.map((key, ordinal) => (ordinal === at ? text : key))
    lines.push({ keys, cells: [...(known.get(text)?.cells ?? emptyCells(plan, keys))] })
    yield
  }
  for (const [column, output] of plan.outputs.entries()) {
    if (output.of === 'aggregate') yield* fillColumn(carry, lines, column, starts)
    yield
  }
  return lines
}

const emptyCells = ({ outputs }: Plan, keys: readonly Value[]): Value[] =>
  outputs.map((output) => (output.of === 'key' ? (keys[output.ordinal] ?? null) : null))

function* fillColumn(
  { mode, within }: Carry,
  lines: readonly { readonly cells: Value[] }[],
  column: number,
  starts: readonly number[],
): Generator<void, void> {
  const cells = lines.map((line) => line.cells[column] ?? null)
  const before = mode === 'carry_backward' ? [] : nearest(cells, false)
  const after = mode === 'carry_forward' ? [] : nearest(cells, true)
  for (const [at, line] of lines.entries()) {
    yield
    if (cells[at] !== null) continue
    const here = starts[at] ?? 0
    const distance = (other: number) => Math.abs((starts[other] ?? 0) - here)
    const best = [before[at], after[at]]
      .filter((other) => other !== undefined)
      .filter((other) => within === null || isWithin(here, starts[other] ?? 0, within))
      .sort((a, b) => distance(a) - distance(b))[0]
    line.cells[column] = best === undefined ? null : (cells[best] ?? null)
  }
}

function isWithin(here: number, there: number, period: Period): boolean {
  return there >= addPeriod(here, period, -1) && there <= addPeriod(here, period, 1)
}

/** For each cell, the index of the last one before it that is not empty; read backward, of the next one. */
function nearest(cells: readonly Value[], isBackward: boolean): (number | undefined)[] {
  const found: (number | undefined)[] = []
  let last: number | undefined
  for (let step = 0; step < cells.length; step++) {
    const at = isBackward ? cells.length - 1 - step : step
    if (cells[at] !== null) last = at
    found[at] = last
  }
  return found
}
