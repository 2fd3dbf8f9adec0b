import * as z from 'zod'
import { type JsonObject, JsonText } from '../kernel/json.ts'
import type { World } from '../world/world.ts'
import { feature } from './features.ts'
import type { EventType } from './resource.ts'

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
  extend(schema, [root, 'value'], enums)
  const [holder, key] = enums[ordinal % Math.max(enums.length, 1)] ?? []
  if (holder && key !== undefined) holder[key] = UNKNOWN_VALUE
  return root.value
}

/** `name` is the field that contains the value; for items of a list, that of the list. */
function extend(schema: unknown, [holder, key]: Property, enums: Property[], name = String(key)): void {
  const value = holder[key]
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    extend(schema.unwrap(), [holder, key], enums, name)
    return
  }
  if (schema instanceof z.ZodEnum && typeof value === 'string') {
    if (!closedEnums.has(name)) enums.push([holder, key])
    return
  }
  if (schema instanceof z.ZodUnion) {
    const fits = schema.options.find((option) => (option as z.ZodType).safeParse(value).success)
    extend(fits, [holder, key], enums, name)
    return
  }
  if (typeof value !== 'object' || value === null) return
  const inner = value as Holder
  if (schema instanceof z.ZodArray) {
    for (const at of Object.keys(inner)) extend(schema.element, [inner, at], enums, name)
  } else if (schema instanceof z.ZodRecord) {
    for (const field of Object.keys(inner)) extend(schema.valueType, [inner, field], enums)
  } else if (schema instanceof z.ZodObject) {
    const shape: JsonObject = schema.shape
    for (const field of Object.keys(inner)) extend(shape[field], [inner, field], enums)
    inner[UNKNOWN_FIELD] = 'Clients of today do not know this field.'
  }
}

/** Fields that stay although they may be null: without them a list ends early. */
const cursors = new Set(['next_cursor', 'next', 'cursor'])

/** A copy of a JSON value with null in every field that its schema allows to be null. */
export function withNulls(schema: unknown, value: unknown): unknown {
  const inner = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? schema.unwrap() : schema
  if (inner instanceof z.ZodNullable) return withNulls(inner.unwrap(), value)
  if (inner instanceof z.ZodUnion)
    return withNulls(
      inner.options.find((option) => (option as z.ZodType).safeParse(value).success),
      value,
    )
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => withNulls(inner.element, item))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const schemaOf = (field: string): unknown => {
    if (inner instanceof z.ZodRecord) return inner.valueType
    return inner instanceof z.ZodObject ? inner.shape[field] : undefined
  }
  return Object.fromEntries(
    Object.entries(value).map(([field, own]) => {
      const of = schemaOf(field)
      const isNullable = of instanceof z.ZodType && of.safeParse(null).success
      return [field, isNullable && !cursors.has(field) ? null : withNulls(of, own)]
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
