import feeds from '../../scenarios/feeds/feed.schema.json' with { type: 'json' }
import orders from '../../scenarios/scenario.schema.json' with { type: 'json' }
import type { JsonObject } from '../kernel/json.ts'
import type { ScenarioKind } from './responses.ts'

interface Completion {
  readonly label: string
  readonly type: 'property' | 'enum'
}

/** The fields of scenario files, each with its possible values, if they are listed. */
type FieldValues = ReadonlyMap<string, ReadonlySet<string>>

const fieldsOf: Readonly<Record<ScenarioKind, FieldValues>> = {
  orders: collect(orders),
  feeds: collect(feeds),
}

/** Completions of the beginning of a line; `legal` are the statuses that the check allows. */
export function completionsFor(kind: ScenarioKind, line: string, legal: readonly string[]): Completion[] {
  const fields = fieldsOf[kind]
  const name = /(\w+):\s*\[?[\w.-]*$/.exec(line)?.[1]
  if (name === undefined) return [...fields.keys()].map((label) => ({ label, type: 'property' }))
  const values = name === 'status' && legal.length > 0 ? legal : [...(fields.get(name) ?? [])]
  return values.map((label) => ({ label, type: 'enum' }))
}

/** All fields of a JSON schema, at any depth. */
function collect(schema: unknown, fields = new Map<string, Set<string>>()): FieldValues {
  if (Array.isArray(schema)) for (const part of schema) collect(part, fields)
  else if (typeof schema === 'object' && schema !== null) {
    const { properties, ...rest } = schema as { properties?: JsonObject }
    for (const [name, field] of Object.entries(properties ?? {})) {
      const values = fields.get(name) ?? new Set()
      fields.set(name, values)
      for (const value of valuesOf(field)) values.add(value)
      collect(field, fields)
    }
    collect(Object.values(rest), fields)
  }
  return fields
}

function valuesOf(field: unknown): string[] {
  const { type, enum: values, const: only, items } = field as JsonObject
  if (type === 'boolean') return ['true', 'false']
  if (only !== undefined) return [String(only)]
  return Array.isArray(values) ? values.map(String) : items === undefined ? [] : valuesOf(items)
}
