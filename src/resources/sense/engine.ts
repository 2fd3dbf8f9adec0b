import { compare } from '../../kernel/compare.ts'
import { groupBy } from '../../kernel/list.ts'
import { runAtOnce, sortInSteps } from '../../kernel/slices.ts'
import { aggregates } from './aggregate.ts'
import { floatingText, plus, truncate, type Window } from './calendar.ts'
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
  /** The current instant in the user's time. */
  readonly now: number
  /** The rows of a plan's table in a window, in any order, with at least the plan's columns; undefined for each step without a row. */
  rows(plan: Plan, window: Window): Iterable<SenseRow | undefined>
  /** The rank of a source for a plan's table; the lowest wins. */
  rank(plan: Plan, source: RowSource): number
}

/** A row of the answer, with its group keys, if any. */
export interface ResultRow {
  readonly keys: readonly Value[]
  readonly cells: readonly Value[]
}

/** A query that exceeds the limits. */
export class LimitExceeded extends Error {}

/** The maximum number of rows a call can read, and of rows a query can fill. */
export const MAX_ROWS = 250_000

/** Evaluates a query, in the order of time, then of the other group keys. Yields between its steps. */
export function* answer(plan: Plan, data: SenseData, { from, until }: Window): Generator<void, ResultRow[]> {
  const passing: SenseRow[] = []
  for (const row of data.rows(plan, { from, until })) {
    yield
    if (row && row.at >= from && row.at < until && plan.where?.matches(row.values) !== false)
      passing.push(row)
  }
  const rows = yield* sortInSteps(passing, (a, b) => a.at - b.at)
  const { keys, bucket, outputs } = plan
  if (keys.length === 0) {
    const isFolded = outputs.some(({ of }) => of === 'aggregate')
    return (isFolded ? [rows] : rows.map((row) => [row])).map((of) => lineOf(plan, [], of))
  }
  const groups = new Map<string, { readonly keys: Value[]; readonly rows: SenseRow[] }>()
  for (const row of rows) {
    yield
    const own = keys.map((key) =>
      typeof key === 'string' ? (row.values[key] ?? null) : floatingText(truncate(row.at, key)),
    )
    // The time comes first, so that names are in the order of the answer.
    const name = JSON.stringify([bucket && own[bucket.key], own])
    const group = groups.get(name)
    if (group) group.rows.push(row)
    else groups.set(name, { keys: own, rows: [row] })
  }
  const lines: ResultRow[] = []
  for (const [, group] of yield* sortInSteps([...groups], byName)) {
    yield
    lines.push(lineOf(plan, group.keys, preferred(plan, data, group.rows)))
  }
  return yield* carriedForward(plan, lines, Math.min(data.now, until - 1))
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => compare(a, b)

/** Fills the empty groups of each series of groups with the same other keys: from its first to its last, and for the maximum age after it, until `end`. */
function* carriedForward(
  { outputs, bucket }: Plan,
  lines: ResultRow[],
  end: number,
): Generator<void, ResultRow[]> {
  if (!bucket || bucket.maxAge === false) return lines
  const { key, period, maxAge } = bucket
  const startOf = ({ keys }: ResultRow) => Date.parse(`${keys[key]}Z`)
  const filled: ResultRow[] = []
  const all = groupBy(lines, ({ keys }) => JSON.stringify(keys.toSpliced(key, 1)))
  for (const [, series] of [...all].sort(byName)) {
    const known = new Map(series.map((line) => [startOf(line), line]))
    const [first = 0, ...later] = known.keys()
    const last = later.at(-1) ?? first
    const to = maxAge ? Math.max(last, Math.min(plus(last, maxAge), end)) : last
    const carried: { value: Value; until: number }[] = []
    for (let at = first; at <= to; at = plus(at, period)) {
      yield
      if (filled.length === MAX_ROWS)
        throw new LimitExceeded(`more than ${MAX_ROWS} rows are filled; ask for a shorter time`)
      const keys = (known.get(first) as ResultRow).keys.with(key, floatingText(at))
      const cells = outputs.map((output, column) => {
        if (output.of === 'key') return keys[output.key] ?? null
        const value = known.get(at)?.cells[column] ?? null
        if (value !== null) carried[column] = { value, until: maxAge ? plus(at, maxAge) : to }
        const before = carried[column]
        return before && at <= before.until ? before.value : null
      })
      filled.push({ keys, cells })
    }
  }
  return yield* sortInSteps(filled, (a, b) => startOf(a) - startOf(b))
}

/** The rows of the preferred source only, so that nothing is counted twice. */
function preferred(plan: Plan, data: SenseData, rows: readonly SenseRow[]): readonly SenseRow[] {
  const sources = groupBy(rows, ({ source: { provider, type } }) => `${provider}/${type}`)
  const rankOf = ([row]: readonly SenseRow[]) => (row ? data.rank(plan, row.source) : 0)
  const [first] = [...sources].sort(([a, one], [b, other]) => rankOf(one) - rankOf(other) || compare(a, b))
  return first?.[1] ?? rows
}

const lineOf = ({ outputs }: Plan, keys: readonly Value[], rows: readonly SenseRow[]): ResultRow => ({
  keys,
  cells: outputs.map((output) => (output.of === 'key' ? (keys[output.key] ?? null) : cellOf(output, rows))),
})

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
  const columns = outputs.map(({ name }): [string, Value[]] => [name, []])
  for (const { cells } of lines) {
    for (const [at, [, column]] of columns.entries()) column.push(cells[at] ?? null)
    yield
  }
  return Object.fromEntries(columns)
}

export const toTable = (plan: Plan, lines: readonly ResultRow[]): Table => runAtOnce(tableOf(plan, lines))
