import * as z from 'zod'
import { JsonText } from '../kernel/json.ts'
import type { World } from '../world/world.ts'
import { feature } from './features.ts'
import type { EventType } from './resource.ts'
import { bare, memberOf } from './schema.ts'

/** An unknown field for every object and an unknown enum value, to test a client's forward compatibility. */
export const UNKNOWN_FIELD = 'petri_future_field'
export const UNKNOWN_VALUE = 'petri_future_value'

/** Enums the contract does not mark as open to new values. Source: docs/contract/README.md, x-exhaustive. */
const closedEnums = new Set([
  'sensor_location',
  'classification',
  'inconclusive_cause',
  'delivery_mode',
  'delivery_form',
  'bolus_purpose',
  'tags',
  'loinc_match_status',
  'intensity',
])

type Holder = Record<PropertyKey, unknown>
type Property = readonly [holder: Holder, key: PropertyKey]

/** A copy of a JSON value with an unknown field in every object and an unknown value in one enum, selected by `ordinal`. */
export function addUnknownFields(schema: unknown, value: unknown, ordinal: number): unknown {
  const enums: Property[] = []
  const root: Holder = { value: structuredClone(value) }
  extend(schema, [root, 'value'], enums, 'value')
  const [holder, key] = enums[ordinal % Math.max(enums.length, 1)] ?? []
  if (holder && key !== undefined) holder[key] = UNKNOWN_VALUE
  return root.value
}

/** `name` is the field that contains the value; for items of a list, that of the list. */
function extend(schema: unknown, [holder, key]: Property, enums: Property[], name: string): void {
  const value = holder[key]
  const known = chosen(schema, value)
  if (known instanceof z.ZodEnum && typeof value === 'string') {
    if (!closedEnums.has(name)) enums.push([holder, key])
    return
  }
  if (typeof value !== 'object' || value === null) return
  const inner = value as Holder
  for (const field of Object.keys(inner))
    extend(memberOf(known, field), [inner, field], enums, known instanceof z.ZodArray ? name : field)
  if (known instanceof z.ZodObject) inner[UNKNOWN_FIELD] = 'Clients of today do not know this field.'
}

/** The schema without its wrappers; of several, the one that fits a value. */
function chosen(schema: unknown, value: unknown): unknown {
  const known = bare(schema)
  if (!(known instanceof z.ZodUnion)) return known
  return chosen(
    known.options.find((option) => (option as z.ZodType).safeParse(value).success),
    value,
  )
}

/** Fields that stay although they may be null: without them a list ends early, or nobody can be linked. */
const needed = new Set([
  'next_cursor',
  'next',
  'cursor',
  'oauth_url',
  'redirect_url',
  'auth_type',
  'provider_mfa',
])

/** A copy of a JSON value with null in every field that its schema allows to be null. */
export function withNulls(schema: unknown, value: unknown): unknown {
  const known = chosen(schema, value)
  if (Array.isArray(value)) return value.map((item) => withNulls(memberOf(known, ''), item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([field, own]) => {
      const of = memberOf(known, field)
      const isNullable = of instanceof z.ZodType && of.safeParse(null).success
      return [field, isNullable && !needed.has(field) ? null : withNulls(of, own)]
    }),
  )
}

/** How the world's features change a reply or the data of an event; undefined if they do not. */
export function changeOf(world: World): ((schema: unknown, value: unknown) => unknown) | undefined {
  const ordinal = feature(world, 'unknown_futures') ? world.next('future') : undefined
  const isSparse = feature(world, 'sparse')
  if (ordinal === undefined && !isSparse) return undefined
  return (schema, value) => {
    const kept = isSparse ? withNulls(schema, value) : value
    return ordinal === undefined ? kept : addUnknownFields(schema, kept, ordinal)
  }
}

/** Changes the data of events as `changeOf` says. */
export function changedEvents(
  eventTypes: () => ReadonlyMap<string, EventType>,
): (world: World, type: string, data: object) => object {
  return (world, type, data) => {
    const change = changeOf(world)
    const schema = change && eventTypes().get(type)?.data
    if (!change || !schema) return data
    const value: unknown = data instanceof JsonText ? JSON.parse(data.text) : data
    return change(schema(), value) as object
  }
}
