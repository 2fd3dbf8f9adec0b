import * as z from 'zod'
import type { AnyOperation, ToolDeclaration } from '../src/api/operation.ts'
import type { LazySchema } from '../src/api/schema.ts'
import { withoutUndefined } from '../src/kernel/fields.ts'
import type { JsonObject } from '../src/kernel/json.ts'
import { compact } from '../src/kernel/list.ts'
import type { Tool } from '../src/mcp/tools.ts'

interface ObjectSchema {
  readonly properties: Readonly<Record<string, JsonObject>>
  readonly required: readonly string[]
}

const NOTHING: ObjectSchema = { properties: {}, required: [] }

/** The tools that operations declare. The build writes them to a file, so that no schemas are built at run time. */
export const describeTools = (operations: readonly AnyOperation[]): Tool[] =>
  compact(operations.map((operation) => operation.tool && describeTool(operation, operation.tool)))

function describeTool(
  operation: AnyOperation,
  { name, description, bodyArgument, defaults = {} }: ToolDeclaration,
): Tool {
  const { route, summary, bodyOptional } = operation
  const params = fieldsOf(operation.params)
  const query = withDefaults(fieldsOf(operation.query), defaults)
  const body = bodyArgument === undefined ? fieldsOf(operation.body) : wholeBody(bodyArgument)
  const required = [...params.required, ...query.required, ...(bodyOptional ? [] : body.required)]
  const isRead = route.startsWith('GET ')
  return withoutUndefined({
    name,
    description: compact(
      [summary, description].map((text) => (text ? `${text.replace(/\.$/, '')}.` : undefined)),
    ).join(' '),
    inputSchema: {
      type: 'object',
      properties: { ...params.properties, ...query.properties, ...body.properties },
      required,
      additionalProperties: false,
    },
    annotations: { readOnlyHint: isRead, destructiveHint: route.startsWith('DELETE ') },
    route,
    bodyArgument,
  })
}

const withDefaults = ({ properties, required }: ObjectSchema, defaults: JsonObject): ObjectSchema => ({
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      Object.hasOwn(defaults, name) ? { ...property, default: defaults[name] } : property,
    ]),
  ),
  required,
})

const wholeBody = (name: string): ObjectSchema => ({
  properties: { [name]: { type: ['string', 'object'], description: 'As YAML or as an object.' } },
  required: [name],
})

function fieldsOf(lazy: LazySchema | undefined): ObjectSchema {
  if (!lazy) return NOTHING
  const { $defs = {}, ...whole } = z.toJSONSchema(lazy(), { io: 'input', unrepresentable: 'any' })
  const { properties, required = [] } = inlined(
    whole,
    $defs as Record<string, JsonObject>,
  ) as Partial<ObjectSchema>
  if (!properties)
    throw new Error('A tool takes an object with known fields; declare bodyArgument for others.')
  return { properties, required }
}

/** A schema with all references replaced by the named schemas, because not every agent resolves references. */
function inlined(value: unknown, named: Readonly<Record<string, JsonObject>>): unknown {
  if (Array.isArray(value)) return value.map((item) => inlined(item, named))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, $schema: _, ...rest } = value as { $ref?: string; $schema?: string }
  const target = $ref === undefined ? {} : named[$ref.replace('#/$defs/', '')]
  return Object.fromEntries(
    Object.entries({ ...target, ...rest }).map(([key, inner]) => [key, inlined(inner, named)]),
  )
}
