import { DAY_MS } from '../../kernel/instant.ts'
import { addPeriod, floatingText, type Period, truncate, type Window } from './calendar.ts'
import type { Value } from './column.ts'
import { LimitExceeded, type ResultRow, sorted } from './engine.ts'
import type { Carry, Plan } from './plan.ts'

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
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
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
  const lines: ResultRow[] = []
  for (const start of starts) {
    const text = floatingText(start)
    const keys = first.keys.map((key, ordinal) => (ordinal === at ? text : key))
    lines.push(known.get(text) ?? { keys, cells: emptyCells(plan, keys) })
    yield
  }
  const columns: Value[][] = []
  for (const [column, output] of plan.outputs.entries()) {
    const cells = lines.map(({ cells: all }) => all[column] ?? null)
    columns.push(output.of === 'aggregate' ? yield* carried(carry, cells, starts) : cells)
    yield
  }
  const whole: ResultRow[] = []
  for (const [line, { keys }] of lines.entries()) {
    whole.push({ keys, cells: columns.map((cells) => cells[line] ?? null) })
    yield
  }
  return whole
}

const emptyCells = ({ outputs }: Plan, keys: readonly Value[]): Value[] =>
  outputs.map((output) => (output.of === 'key' ? (keys[output.ordinal] ?? null) : null))

function* carried(
  { mode, within }: Carry,
  cells: readonly Value[],
  starts: readonly number[],
): Generator<void, Value[]> {
  const before = mode === 'carry_backward' ? [] : nearest(cells, false)
  const after = mode === 'carry_forward' ? [] : nearest(cells, true)
  const whole: Value[] = []
  for (const [at, cell] of cells.entries()) {
    const here = starts[at] ?? 0
    const distance = (other: number) => Math.abs((starts[other] ?? 0) - here)
    const [best] = [before[at], after[at]]
      .filter((other) => other !== undefined)
      .filter((other) => within === null || isWithin(here, starts[other] ?? 0, within))
      .sort((a, b) => distance(a) - distance(b))
    whole.push(cell ?? (best === undefined ? null : (cells[best] ?? null)))
    yield
  }
  return whole
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
