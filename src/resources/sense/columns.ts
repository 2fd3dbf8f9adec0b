import * as z from 'zod'
import tables from '../../../seeds/sense/columns.json' with { type: 'json' }
import type { JsonObject } from '../../kernel/json.ts'
import { bundledTable, type SeedRow } from '../../kernel/seed-table.ts'

/** The value of a cell; times and dates are floating text, without an offset. */
export type Value = number | string | boolean | null | readonly string[]

export type Kind = 'number' | 'text' | 'boolean'

/** A summary in wire format. */
export type Item = JsonObject

/** The time of an item in the user's local time. */
export interface LocalTime {
  /** A wire instant as local time: `2026-01-05T07:10:00`. */
  readonly local: (instant: unknown) => string | null
  readonly timeZone: string
}

/** A column of a table, and how to read it from an item. */
interface Column {
  readonly kind: Kind
  readonly read: (item: Item, local: LocalTime) => Value
}

/** The value at `a.b.c` of an item. */
const at = (item: Item, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Item | null | undefined)?.[key], item)

/** How a column is read: a number at a path, or as the key says. Null for one that Petri's summaries have no field for. */
const cell = () =>
  z.union([
    z.null(),
    z.string(),
    z.strictObject({ text: z.string() }),
    z.strictObject({ flag: z.string() }),
    /** An instant in the user's local time. */
    z.strictObject({ time: z.string() }),
    /** The beginning of a date. */
    z.strictObject({ day: z.string() }),
    /** Minutes, whose sum is shown in seconds. */
    z.strictObject({ minutes: z.array(z.string()) }),
    z.strictObject({ zone: z.literal(true) }),
  ])

/** The columns of the summaries that queries read. Source: docs/contract/health-data.md#introspection-and-sense. */
const readTables = bundledTable('sense/columns.json', tables.read, () => z.record(z.string(), cell()))
/** The columns of tables that Petri does not read. */
const otherTables: ReadonlyMap<string, readonly string[]> = bundledTable(
  'sense/columns.json',
  tables.listed,
  () => z.array(z.string()),
)

/** A table of summaries that Petri reads. */
export type Summary = keyof typeof tables.read

const typeNames = { number: 'number', text: 'string', boolean: 'boolean' } as const

const valueAt = (kind: Kind, path: string): Column => ({
  kind,
  read(item) {
    const value = at(item, path)
    return typeof value === typeNames[kind] ? (value as Value) : null
  },
})

const textOf = (read: Column['read']): Column => ({ kind: 'text', read })

function columnOf(how: SeedRow<typeof cell>): Column {
  if (how === null || typeof how === 'string') return valueAt('number', how ?? '')
  if ('text' in how) return valueAt('text', how.text)
  if ('flag' in how) return valueAt('boolean', how.flag)
  if ('time' in how) return textOf((item, { local }) => local(at(item, how.time)))
  if ('day' in how) return textOf((item) => `${at(item, how.day)}T00:00:00`)
  if ('zone' in how) return textOf((_, { timeZone }) => timeZone)
  return {
    kind: 'number',
    read(item) {
      const known = how.minutes.map((path) => at(item, path)).filter((value) => typeof value === 'number')
      return known.length === 0 ? null : known.reduce((sum, value) => sum + value * 60, 0)
    },
  }
}

const columns: ReadonlyMap<string, ReadonlyMap<string, Column>> = new Map(
  [...readTables].map(([table, cells]) => [
    table,
    new Map(Object.entries(cells).map(([name, how]) => [name, columnOf(how)])),
  ]),
)

/** A column of a table that Petri reads. */
export const findColumn = (table: string, name: string): Column | undefined => columns.get(table)?.get(name)

export const namesOf = (table: string): readonly string[] =>
  otherTables.get(table) ?? [...(columns.get(table)?.keys() ?? [])]
