import feed from '../../scenarios/feeds/feed.schema.json' with { type: 'json' }
import persona from '../../scenarios/personas/persona.schema.json' with { type: 'json' }
import order from '../../scenarios/scenario.schema.json' with { type: 'json' }
import type { JsonObject } from '../kernel/json.ts'
import type { ScenarioKind } from './responses.ts'

interface Completion {
  readonly label: string
  readonly type: 'property' | 'enum'
}

const schemas: Readonly<Record<ScenarioKind, JsonObject>> = { order, feed, persona }

/** Completions at the end of a text, by the schema of what is there; `legal` are the statuses that the check allows. */
export function completionsFor(kind: ScenarioKind, text: string, legal: readonly string[]): Completion[] {
  const path = pathAt(text)
  const name = /(\w+):[ \t]*\[?[\w.-]*$/.exec(text)?.[1]
  const here = path.reduce(fieldsNamed, alternatives(schemas[kind]))
  const labels =
    name === undefined
      ? here.flatMap(({ properties }) => Object.keys(properties ?? {}))
      : name === 'status' && legal.length > 0
        ? legal
        : (path.at(-1) === name ? here : fieldsNamed(here, name)).flatMap(valuesOf)
  return [...new Set(labels)].map((label) => ({ label, type: name === undefined ? 'property' : 'enum' }))
}

/** The fields around the end of a text. Lists are left out, because each of their items has the same schema. */
function pathAt(text: string): string[] {
  const [line = '', ...before] = text.split('\n').toReversed()
  const path: string[] = []
  for (const [, key = '', bracket = ''] of line.matchAll(/(?:(\w+):\s*)?([{}[\]])/g))
    if ('{['.includes(bracket)) path.push(key)
    else path.pop()
  let indent = line.search(/[^\s-]|$/)
  for (const outer of before) {
    const [, lead, key] = /^([\s-]*)(\w+):\s*$/.exec(outer) ?? []
    if (lead === undefined || key === undefined || lead.length >= indent) continue
    path.unshift(key)
    indent = lead.length
  }
  return path.filter((key) => key !== '')
}

const fieldsNamed = (around: readonly JsonObject[], name: string): readonly JsonObject[] =>
  around
    .map(({ properties }) => (properties as JsonObject | undefined)?.[name])
    .filter(isObject)
    .flatMap(alternatives)

/** A schema, its alternatives, its conditions and the items of its list. */
function alternatives(schema: JsonObject): readonly JsonObject[] {
  const { anyOf = [], allOf = [], then, items } = schema
  const inner = [anyOf, allOf, then, items].flat().filter(isObject)
  return [schema, ...inner.flatMap(alternatives)]
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null

function valuesOf({ type, enum: values, const: only }: JsonObject): string[] {
  if (type === 'boolean') return ['true', 'false']
  if (only !== undefined) return [String(only)]
  return Array.isArray(values) ? values.map(String) : []
}
