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

/** Counts the replies and events that get unknown fields; undefined where the world's feature `unknown_futures` is off. */
export const nextUnknown = (world: World): number | undefined =>
  feature(world, 'unknown_futures') ? world.next('future') : undefined

/** Adds unknown fields and values to the data of events, in worlds with the feature `unknown_futures`. */
export function unknownFieldsInEvents(
  eventTypes: () => ReadonlyMap<string, EventType>,
): (world: World, type: string, data: object) => object {
  return (world, type, data) => {
    const ordinal = nextUnknown(world)
    const schema = ordinal === undefined ? undefined : eventTypes().get(type)?.data
    if (ordinal === undefined || !schema) return data
    const value: unknown = data instanceof JsonText ? JSON.parse(data.text) : data
    return addUnknownFields(schema(), value, ordinal) as object
  }
}
