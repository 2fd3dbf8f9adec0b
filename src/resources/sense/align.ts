import { addPeriod, floatingText, type Period, truncate, type Window } from './calendar.ts'
import type { Value } from './column.ts'
import { type ResultRow, sorted, TooMuch } from './engine.ts'
import type { Carry, Plan } from './plan.ts'

/** The most lines that filling may make of a table. */
const MOST_LINES = 100_000

/** Gives every stretch of time its line, and fills empty cells from the nearest stretch that has a value. */
export function align(plan: Plan, lines: readonly ResultRow[], { from, until }: Window): ResultRow[] {
  const at = plan.keys.findIndex(({ by }) => by === 'trunc')
  const key = plan.keys[at]
  if (!plan.carry || key?.by !== 'trunc' || lines.length === 0) return [...lines]
  const starts = startsOf(key.period, boundsOf(lines, at, { from, until }))
  const groups = new Map<string, ResultRow[]>()
  for (const line of lines) {
    const others = JSON.stringify(line.keys.filter((_, ordinal) => ordinal !== at))
    groups.set(others, [...(groups.get(others) ?? []), line])
  }
  if (starts.length * groups.size > MOST_LINES)
    throw new TooMuch(`its table has more than ${MOST_LINES} rows when aligned`)
  return sorted([...groups.values()].flatMap((group) => filled(plan, plan.carry as Carry, group, at, starts)))
}

/** The time asked for; where all time was, from the first line to the last. */
function boundsOf(lines: readonly ResultRow[], at: number, { from, until }: Window): Window {
  const times = lines.map(({ keys }) => Date.parse(`${keys[at]}Z`))
  const isOpen = until - from > 100 * 366 * 86_400_000
  return isOpen ? { from: Math.min(...times), until: Math.max(...times) + 1 } : { from, until }
}

function startsOf(period: Period, { from, until }: Window): number[] {
  const starts: number[] = []
  for (let start = truncate(from, period); start < until; start = addPeriod(start, period, 1)) {
    starts.push(start)
    if (starts.length > MOST_LINES)
      throw new TooMuch(`its table has more than ${MOST_LINES} rows when aligned`)
  }
  return starts
}

function filled(
  plan: Plan,
  carry: Carry,
  group: readonly ResultRow[],
  at: number,
  starts: readonly number[],
): ResultRow[] {
  const known = new Map(group.map((line) => [String(line.keys[at]), line]))
  const first = group[0] as ResultRow
  const lines = starts.map((start) => {
    const text = floatingText(start)
    const keys = first.keys.map((key, ordinal) => (ordinal === at ? text : key))
    return known.get(text) ?? { keys, cells: emptyCells(plan, keys) }
  })
  const columns = plan.outputs.map((output, column) => {
    const cells = lines.map(({ cells: all }) => all[column] ?? null)
    return output.of === 'aggregate' ? carried(carry, cells, starts) : cells
  })
  return lines.map(({ keys }, line) => ({ keys, cells: columns.map((cells) => cells[line] ?? null) }))
}

const emptyCells = ({ outputs }: Plan, keys: readonly Value[]): Value[] =>
  outputs.map((output) => (output.of === 'key' ? (keys[output.ordinal] ?? null) : null))

function carried({ mode, within }: Carry, cells: readonly Value[], starts: readonly number[]): Value[] {
  const before = nearest(cells, (at) => at - 1)
  const after = nearest(cells, (at) => at + 1)
  return cells.map((cell, at) => {
    if (cell !== null) return cell
    const candidates = [
      ...(mode === 'carry_backward' ? [] : [before(at)]),
      ...(mode === 'carry_forward' ? [] : [after(at)]),
    ].filter((other) => other !== undefined)
    const here = starts[at] ?? 0
    const distance = (other: number) => Math.abs((starts[other] ?? 0) - here)
    const [best] = candidates
      .filter((other) => within === null || isWithin(here, starts[other] ?? 0, within))
      .sort((a, b) => distance(a) - distance(b))
    return best === undefined ? null : (cells[best] ?? null)
  })
}

function isWithin(here: number, there: number, period: Period): boolean {
  return there >= addPeriod(here, period, -1) && there <= addPeriod(here, period, 1)
}

/** Where the next cell that is not empty stands, going one way. */
function nearest(cells: readonly Value[], step: (at: number) => number): (at: number) => number | undefined {
  return (from) => {
    for (let at = step(from); at >= 0 && at < cells.length; at = step(at)) if (cells[at] !== null) return at
    return undefined
  }
}
