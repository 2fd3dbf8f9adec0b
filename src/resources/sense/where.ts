import { byName } from '../../kernel/fields.ts'
import type { Kind, Value } from './columns.ts'

/** A column in a condition. */
export interface Named {
  readonly column: string
  readonly kind: Kind
}

/** An error in a condition. */
export class WhereFault extends Error {}

export interface Where {
  /** Whether a row matches; an empty cell matches nothing. */
  readonly matches: (values: Readonly<Record<string, Value>>) => boolean
  /** The columns it reads. */
  readonly columns: readonly string[]
}

const MAX_CHARACTERS = 4000

const COMPARISON =
  /\s*("?)([A-Za-z_][\w.]*)\1\s*(>=|<=|!=|>|<|=)\s*(?:'((?:[^']|'')*)'|(-?\d+(?:\.\d+)?)|(true|false)\b)\s*(?:(AND)\b|$)/iy

type Cell = number | string | boolean
const operators = byName<(a: Cell, b: Cell) => boolean>({
  '=': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
})

/** Parses comparisons of columns with values, joined by AND. */
export function readWhere(text: string, resolve: (name: string) => Named | undefined): Where {
  if (text.length > MAX_CHARACTERS)
    throw new WhereFault(`a condition has at most ${MAX_CHARACTERS} characters`)
  const comparisons: (Named & { readonly holds: (cell: Cell) => boolean })[] = []
  const pattern = new RegExp(COMPARISON)
  let isOpen = true
  for (let start = 0; isOpen; start = pattern.lastIndex) {
    pattern.lastIndex = start
    const [, , name = '', operator = '', quoted, digits, truth, and] = pattern.exec(text) ?? []
    const compare = operators[operator]
    if (!compare) {
      const rest = text.slice(start).trim().slice(0, 20)
      throw new WhereFault(
        `Petri reads comparisons of a column with a value, joined by AND, and cannot read "${rest}"`,
      )
    }
    const named = resolve(name)
    if (!named) throw new WhereFault(`there is no column ${name}`)
    const value: Cell =
      quoted?.replaceAll("''", "'") ?? (digits === undefined ? /^true$/i.test(truth ?? '') : Number(digits))
    const kind = typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'boolean'
    if (kind !== named.kind)
      throw new WhereFault(`${name} is a ${named.kind}, and is compared with a ${kind}`)
    comparisons.push({ ...named, holds: (cell) => compare(cell, value) })
    isOpen = and !== undefined
  }
  return {
    columns: comparisons.map(({ column }) => column),
    matches: (values) =>
      comparisons.every(({ column, holds }) => {
        const cell = values[column] ?? null
        return cell !== null && holds(cell as Cell)
      }),
  }
}
