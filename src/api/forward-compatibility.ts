import * as z from 'zod'
import { JsonText } from '../kernel/json.ts'
import type { World } from '../world/world.ts'
import { feature } from './features.ts'
import type { EventType } from './resource.ts'

/** What clients of today do not know: a field of every object, and a value of an enum. */
export const FUTURE_FIELD = 'petri_future_field'
export const FUTURE_VALUE = 'petri_future_value'

/** Fields whose values the contract does not say may grow; all other enums may. Source: contract/openapi.json, x-exhaustive. */
const maybeClosed = new Set([
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
type Spot = readonly [holder: Holder, key: PropertyKey]

/** A JSON value of a schema as a later version of the service may send it: more fields, and one enum with a new value, another each time. */
export function asInFuture(schema: unknown, value: unknown, ordinal: number): unknown {
  const spots: Spot[] = []
  const root: Holder = { value: structuredClone(value) }
  extend(schema, [root, 'value'], spots)
  const [holder, key] = spots[ordinal % Math.max(spots.length, 1)] ?? []
  if (holder && key !== undefined) holder[key] = FUTURE_VALUE
  return root.value
}

function extend(schema: unknown, [holder, key]: Spot, spots: Spot[]): void {
  const value = holder[key]
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    extend(schema.unwrap(), [holder, key], spots)
    return
  }
  if (schema instanceof z.ZodEnum && typeof value === 'string') {
    if (!maybeClosed.has(String(key))) spots.push([holder, key])
    return
  }
  if (schema instanceof z.ZodUnion) {
    const fits = schema.options.find((option) => (option as z.ZodType).safeParse(value).success)
    extend(fits, [holder, key], spots)
    return
  }
  if (typeof value !== 'object' || value === null) return
  const inner = value as Holder
  if (schema instanceof z.ZodArray) {
    for (const at of Object.keys(inner)) extend(schema.element, [inner, at], spots)
  } else if (schema instanceof z.ZodRecord) {
    for (const name of Object.keys(inner)) extend(schema.valueType, [inner, name], spots)
  } else if (schema instanceof z.ZodObject) {
    const shape: Record<string, unknown> = schema.shape
    for (const name of Object.keys(inner)) extend(shape[name], [inner, name], spots)
    inner[FUTURE_FIELD] = 'Clients of today do not know this field.'
  }
}

/** Whether this world's answers and events are to be as in the future, and which enum it is the turn of. */
export const futureOrdinal = (world: World): number | undefined =>
  feature(world, 'unknown_futures') ? world.next('future') : undefined

/** Alters the body of an event, where the world is to send it as in the future. */
export function futureEvents(
  declared: readonly EventType[],
): (world: World, type: string, data: object) => object {
  const schemas = new Map(declared.map(({ name, data }) => [name, data]))
  return (world, type, data) => {
    const ordinal = futureOrdinal(world)
    const schema = ordinal === undefined ? undefined : schemas.get(type)
    if (ordinal === undefined || !schema) return data
    const value: unknown = data instanceof JsonText ? JSON.parse(data.text) : data
    return asInFuture(schema(), value, ordinal) as object
  }
}
