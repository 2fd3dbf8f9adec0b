/** The value of a cell; times and dates are floating text, without an offset. */
export type Value = number | string | boolean | null | readonly string[]

export type Kind = 'number' | 'text' | 'boolean' | 'list'

/** A summary in wire format. */
export type Item = Readonly<Record<string, unknown>>

/** The time of an item in the user's local time. */
export interface Place {
  /** A wire instant as local time: `2026-01-05T07:10:00`. */
  readonly local: (instant: unknown) => string | null
  readonly timeZone: string
}

/** A column of a table, and how to read it from an item. */
export interface Column {
  readonly kind: Kind
  readonly read: (item: Item, place: Place) => Value
}

export type Columns = Readonly<Record<string, Column>>

/** The value at `a.b.c` of an item. */
export function at(item: Item, path: string): unknown {
  let value: unknown = item
  for (const key of path.split('.'))
    value = typeof value === 'object' && value !== null ? (value as Item)[key] : undefined
  return value
}

const asNumber = (value: unknown) => (typeof value === 'number' ? value : null)

export const number = (path: string, factor = 1): Column => ({
  kind: 'number',
  read(item) {
    const value = asNumber(at(item, path))
    return value === null ? null : value * factor
  },
})

export const text = (path: string): Column => ({
  kind: 'text',
  read(item) {
    const value = at(item, path)
    return typeof value === 'string' ? value : null
  },
})

export const boolean = (path: string): Column => ({
  kind: 'boolean',
  read(item) {
    const value = at(item, path)
    return typeof value === 'boolean' ? value : null
  },
})

/** An instant in the user's local time. */
export const time = (path: string): Column => ({
  kind: 'text',
  read: (item, { local }) => local(at(item, path)),
})

/** Columns that Petri's summaries have no field for. */
export const unknown = (kind: Kind): Column => ({ kind, read: () => null })

/** A list, which a subquery reduces to one value. */
export const list = (): Column => ({ kind: 'list', read: () => null })

export const sources: Columns = {
  source_type: text('source.type'),
  source_provider: text('source.provider'),
  source_app_id: text('source.app_id'),
  source_device_id: text('source.device_id'),
}

export const timeZone: Column = { kind: 'text', read: (_, place) => place.timeZone }

/** Why an expression cannot be answered. */
export interface Refusal {
  readonly refused: string
}
