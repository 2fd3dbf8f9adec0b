import * as z from 'zod'
import type { AnyOperation } from '../../src/api/operation.ts'
import type { Tables } from '../../src/storage/rows.ts'
import { memoryFolder, memoryStore, type WorldFolder } from '../../src/storage/store.ts'
import { connectDemo, createUser, kitTestId, orderForPatient, orderKit } from './orders.ts'
import { KEY, type TestPetri } from './petri.ts'

/** Names that every object literal answers to, whether anybody put them there or not. */
export const inheritedNames = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  '__defineGetter__',
  '__lookupGetter__',
  '__defineSetter__',
  '__lookupSetter__',
] as const

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
type JsonSchema = { readonly [keyword: string]: unknown }

/** Values that get a call past the look-up of an id, by the name of the field. */
export type Known = Readonly<Record<string, string>>

/** A user, orders and the like for calls to be about. */
export async function someRows(petri: TestPetri): Promise<Known> {
  const user_id = await createUser(petri, 'victim')
  const { id: order_id } = await orderForPatient(petri, { user: user_id })
  const kit = await orderKit(petri, { user: user_id })
  const token = await petri.post('/v2/link/token', { user_id })
  const endpoint = await petri.post('/_petri/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' })
  await connectDemo(petri, user_id, 'fitbit')
  return {
    user_id,
    order_id,
    kit_order_id: kit.id,
    token: token.body.link_token,
    state: token.body.link_token,
    endpoint_id: endpoint.body.id,
    lab_test_id: await kitTestId(petri),
    provider: 'fitbit',
    url: 'http://127.0.0.1:9/hook',
    webhook_url: 'http://127.0.0.1:9/hook',
    name: 'happy-path',
    resource: 'steps',
    scenario: 'happy-path',
    event_type: 'labtest.order.updated',
    timeout: '1ms',
    by: '1s',
    secret: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0',
  }
}

const formats: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  date: '1990-01-01',
  'date-time': '2026-01-05T09:00:00+00:00',
  email: 'ada@example.com',
  uri: 'http://127.0.0.1:9/x',
}

/** JSON that fits a schema nearly enough to get a call past its shape; with all fields, or those it must have. */
export function sample(
  schema: JsonSchema,
  known: Known,
  all: boolean,
  name = '',
  root = schema,
  depth = 0,
): Json {
  const again = (other: unknown, field = name) =>
    sample(other as JsonSchema, known, all, field, root, depth + 1)
  const { $ref, anyOf, oneOf, allOf, type, properties, items, format, examples } = schema as Record<
    string,
    never
  >
  if (depth > 12) return null
  if ($ref) {
    const at = String($ref).split('/').slice(1)
    return again(at.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], root))
  }
  if ('const' in schema) return schema.const as Json
  if (Array.isArray(schema.enum)) return (schema.enum as Json[])[0] ?? null
  const choices = (anyOf ?? oneOf ?? allOf) as JsonSchema[] | undefined
  if (choices) return again(choices.find((choice) => choice.type !== 'null') ?? choices[0])
  if (type === 'object' || properties) {
    const required = (schema.required ?? []) as string[]
    const fields = Object.entries((properties ?? {}) as Record<string, unknown>)
    const wanted = fields.filter(([field]) => all || required.includes(field))
    return Object.fromEntries(wanted.map(([field, of]) => [field, again(of, field)]))
  }
  if (type === 'array') return items ? [again(items)] : []
  if (type === 'integer' || type === 'number') return Number(schema.minimum ?? 1)
  if (type === 'boolean') return false
  if (type === 'null') return null
  return known[name] ?? (examples as Json[] | undefined)?.[0] ?? formats[String(format)] ?? 'x'
}

const jsonSchemas = new WeakMap<z.ZodType, JsonSchema>()

export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const known = jsonSchemas.get(schema) ?? z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  jsonSchemas.set(schema, known as JsonSchema)
  return known as JsonSchema
}

/** Sets a field even where its name is that of an accessor. */
function withField<Value extends Json[] | { [name: string]: Json }>(
  value: Value,
  name: string,
  field: Json,
): Value {
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Value
  Object.defineProperty(copy, name, { value: field, enumerable: true, configurable: true, writable: true })
  return copy
}

/** The same JSON with one of its values, or one more field somewhere, being what an attacker says. */
export function* mutations(value: Json, evil: string): Generator<Json> {
  if (typeof value !== 'object' || value === null) {
    yield evil
    return
  }
  yield evil
  for (const [name, field] of Object.entries(value))
    for (const changed of mutations(field, evil)) yield withField(value, name, changed)
  if (!Array.isArray(value)) {
    yield withField(value, evil, 'x')
    yield withField(value, evil, { [evil]: { polluted: true } })
  }
}

export interface Shot {
  readonly status: number
  readonly type: string
  readonly text: string
}

/** Sends a request as it is, and reads whatever comes. */
export async function shoot(
  { petri }: TestPetri,
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer> | ArrayBuffer,
  headers: Record<string, string> = {},
): Promise<Shot> {
  const response = await petri.app.request(path, {
    method,
    headers: {
      'x-service-api-key': KEY,
      'x-management-key': 'mk_us_test',
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  })
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream')) {
    await response.body?.cancel()
    return { status: response.status, type, text: '' }
  }
  return { status: response.status, type, text: await response.text() }
}

export const methodOf = ({ route }: AnyOperation): string => route.slice(0, route.indexOf(' '))

/** The path of an operation with its parameters filled in. */
export const pathOf = ({ route }: AnyOperation, fill: (name: string) => string): string =>
  route
    .slice(route.indexOf(' ') + 1)
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(fill(name)))

/** A folder that keeps one world in memory, and how many rows each of its tables has once all that is due is done. */
export function countedFolder(): {
  readonly folder: WorldFolder
  rowCounts(petri: TestPetri): Promise<Record<string, number>>
} {
  const tables: Tables = new Map()
  let counted: string | undefined
  return {
    folder: {
      ...memoryFolder(),
      async open(teamId) {
        counted ??= teamId
        return memoryStore(teamId === counted ? tables : new Map())
      },
    },
    async rowCounts(petri) {
      const world = petri.world()
      await world.agenda.settled()
      await world.db.settled()
      return Object.fromEntries([...tables].map(([name, rows]) => [name, rows.size]))
    },
  }
}
