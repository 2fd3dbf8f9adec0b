import type { Arbitrary } from 'fast-check'
import * as z from 'zod'
import { filterFields } from '../../src/kernel/fields.ts'
import { isObject, type JsonObject, listIn, objectIn } from '../../src/kernel/json.ts'

/** The module of fast-check, which is loaded when a walk begins. */
export type FastCheck = typeof import('fast-check')

/** How fields are generated that a schema does not describe completely, by name. */
export interface InputRules {
  /** Legal values of fields. */
  readonly values: Readonly<Record<string, readonly unknown[]>>
  /** Optional fields that are always sent. */
  readonly always: ReadonlySet<string>
  /** Optional fields that are never sent. */
  readonly omitted: ReadonlySet<string>
  /** How many times likelier it is that an optional field is absent than that it is sent. */
  readonly absences: number
  /** Whether only required fields are sent, each with the first of its values. */
  readonly isMinimal: boolean
}

/** Values of objects with these fields, which must agree: a ZIP code belongs to a state. */
const places = [
  placeAt('1 N Central Ave', 'Phoenix', 'AZ', '85004'),
  placeAt('233 S Wacker Dr', 'Chicago', 'IL', '60606'),
]

function placeAt(first_line: string, city: string, state: string, zip: string) {
  return { first_line, city, state, zip, zip_code: zip, country: 'US' }
}

/** Generates legal inputs of an operation from its schema. Optional strings without known values are not sent. */
export function inputsOf(fc: FastCheck, schema: z.ZodType, rules: InputRules): Arbitrary<JsonObject> {
  const root: JsonObject = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const definitions = isObject(root.$defs) ? root.$defs : {}

  const oneOf = <Value>(values: readonly Value[]) =>
    fc.constantFrom(...(rules.isMinimal ? values.slice(0, 1) : values))

  /** Undefined if the schema does not tell which values are legal. */
  function valuesOf(name: string, given: unknown): Arbitrary<unknown> | undefined {
    const node = resolve(given)
    const options = Array.isArray(node.enum) ? node.enum.filter((value) => value !== null) : []
    const known =
      rules.values[name]?.filter(
        (value) => options.length === 0 || options.includes(value) || isTemplate(value),
      ) ?? []
    if (known.length > 0) return oneOf(known)
    if (options.length > 0) return oneOf(options)
    const alternatives = listIn(node.anyOf)
    const real = alternatives.find((each) => isObject(each) && each.type !== 'null')
    if (real) return valuesOf(name, real)
    if (isObject(node.properties)) return fieldsOf(node)
    if (node.type === 'boolean') return fc.boolean()
    if (node.type === 'array') {
      const items = valuesOf(name, node.items)
      return items && fc.array(items, { minLength: 1, maxLength: 2 })
    }
    return undefined
  }

  function fieldsOf(node: JsonObject): Arbitrary<JsonObject> {
    const properties = objectIn(node.properties)
    const required = listIn(node.required)
    const isPlace = 'city' in properties && 'state' in properties
    const fields: Record<string, Arbitrary<unknown>> = {}
    for (const [name, each] of Object.entries(properties)) {
      const isRequired = required.includes(name) || rules.always.has(name)
      if ((isPlace && name in PLACE) || (!isRequired && (rules.isMinimal || rules.omitted.has(name))))
        continue
      const values = valuesOf(name, each)
      if (values) fields[name] = isRequired ? values : optional(values)
      else if (isRequired) throw new Error(`There are no known values of the required field ${name}.`)
    }
    const record = fc.record(fields)
    if (!isPlace) return record
    const fieldsAt = (place: JsonObject) => filterFields(place, (name) => name in properties)
    return fc.tuple(record, oneOf(places)).map(([other, place]) => ({ ...other, ...fieldsAt(place) }))
  }

  function optional(values: Arbitrary<unknown>): Arbitrary<unknown> {
    const absent = { arbitrary: fc.constant(undefined), weight: rules.absences }
    return fc.oneof({ withCrossShrink: true }, absent, { arbitrary: values, weight: 1 })
  }

  function resolve(given: unknown): JsonObject {
    const node = objectIn(given)
    const [, name] = /^#\/\$defs\/(.+)$/.exec(String(node.$ref)) ?? []
    return name === undefined ? node : resolve(definitions[name])
  }

  const body = resolve(root)
  const [alternative] = listIn(body.anyOf)
  return fieldsOf(alternative === undefined ? body : resolve(alternative))
}

const [PLACE = {}] = places

/** Whether a value is completed when the call is made. */
const isTemplate = (value: unknown) => typeof value === 'string' && value.includes('{')
