import type { Kind, Value } from './columns.ts'
import type { Func } from './vocabulary.ts'

/** The argument types and implementation of each function. It gets the non-empty cells of a group, oldest first. */
interface Aggregate {
  readonly takes: readonly Kind[]
  readonly of: (cells: readonly Exclude<Value, null>[]) => Value
}

const anything = ['number', 'text', 'boolean'] as const
const ordered = ['number', 'text'] as const

export const aggregates: Readonly<Record<Func, Aggregate>> = {
  count: { takes: anything, of: (cells) => cells.length },
  oldest: { takes: anything, of: (cells) => cells[0] ?? null },
  newest: { takes: anything, of: (cells) => cells.at(-1) ?? null },
  min: { takes: ordered, of: (cells) => extreme(cells, (a, b) => a < b) },
  max: { takes: ordered, of: (cells) => extreme(cells, (a, b) => a > b) },
  sum: { takes: ['number'], of: (cells) => rounded(cells, sumOf) },
  mean: { takes: ['number'], of: (cells) => rounded(cells, meanOf) },
  median: { takes: ['number'], of: (cells) => rounded(cells, medianOf) },
  stddev: { takes: ['number'], of: (cells) => (cells.length < 2 ? null : rounded(cells, deviationOf)) },
}

type Cell = Exclude<Value, null>

function extreme(cells: readonly Cell[], isBetter: (a: Cell, b: Cell) => boolean): Value {
  let best: Cell | undefined
  for (const cell of cells) if (best === undefined || isBetter(cell, best)) best = cell
  return best ?? null
}

/** Rounds to millionths, so that sums of tenths stay exact. */
function rounded(cells: readonly Cell[], of: (numbers: readonly number[]) => number): Value {
  if (cells.length === 0) return null
  const value = of(cells as readonly number[])
  const rounded = Math.round(value * 1e6) / 1e6
  return Number.isFinite(rounded) ? rounded : null
}

function sumOf(numbers: readonly number[]): number {
  let sum = 0
  for (const value of numbers) sum += value
  return sum
}

const meanOf = (numbers: readonly number[]) => sumOf(numbers) / numbers.length

function medianOf(numbers: readonly number[]): number {
  const sorted = Float64Array.from(numbers).sort()
  const middle = sorted.length >> 1
  const low = sorted[middle - 1] ?? 0
  const high = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? high : (low + high) / 2
}

/** The standard deviation of a sample, with n − 1 in the denominator. */
function deviationOf(numbers: readonly number[]): number {
  const mean = meanOf(numbers)
  return Math.sqrt(sumOf(numbers.map((value) => (value - mean) ** 2)) / (numbers.length - 1))
}
