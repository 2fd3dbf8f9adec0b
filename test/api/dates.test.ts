import { expect, it } from 'vitest'
import { readOpenApi } from '../../src/api/read-openapi.ts'
import { forEachTest, NOBODY } from '../support/petri.ts'

const petri = forEachTest()

interface Schema {
  readonly $ref?: string
  readonly format?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

type Path = readonly (string | 0)[]

const MAX_DEPTH = 8

/** Where a schema has fields of a date or a date-time; lists are entered at their first item. */
function* dateFields(document: Document, schema: Schema, path: Path = []): Generator<Path> {
  if (path.length > MAX_DEPTH) return
  if (schema.$ref) {
    const named = document.components.schemas[schema.$ref.split('/').at(-1) ?? '']
    if (named) yield* dateFields(document, named, path)
    return
  }
  if (schema.format === 'date' || schema.format === 'date-time') yield path
  for (const choice of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
    yield* dateFields(document, choice, path)
  if (schema.items) yield* dateFields(document, schema.items, [...path, 0])
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    yield* dateFields(document, field, [...path, name])
}

const holding = (path: Path, value: unknown): unknown =>
  path.reduceRight<unknown>((inner, key) => (key === 0 ? [inner] : { [key]: inner }), value)

const BEYOND = [8.64e15 + 1, -8.64e15 - 1, 1e300, 3e14]

it('a number that no date can be is refused by every date field of every operation', {
  tags: 'slow',
}, async () => {
  const document = JSON.parse(await readOpenApi()) as Document
  const faults: string[] = []
  let fields = 0
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, { operationId, parameters = [], requestBody }] of Object.entries(operations)) {
      const filled = path.replace(/\{\w+\}/g, NOBODY)
      const send = async (target: string, body: unknown, field: Path) => {
        const headers = { 'x-management-key': 'mk_us_petri' }
        const answer = await petri.call(method.toUpperCase(), target, body, headers)
        const told = Array.isArray(answer.body?.detail) ? answer.body.detail : []
        // Of a field that is one of several kinds, the whole is told where it is no kind at all.
        const isTold = told.some(({ loc }: { loc: unknown[] }) =>
          loc.slice(1).every((key, at) => key === field[at]),
        )
        if (answer.status !== 422 || !isTold)
          faults.push(
            `${operationId} ${field}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`,
          )
      }
      for (const { name, in: where, schema } of parameters) {
        if (where !== 'query' || [...dateFields(document, schema)].length === 0) continue
        fields++
        await send(`${filled}?${name}=${BEYOND[0]}`, undefined, [name])
      }
      const body = requestBody?.content['application/json']?.schema
      for (const field of body ? dateFields(document, body) : []) {
        fields++
        for (const value of BEYOND) await send(filled, holding(field, value), field)
      }
    }
  }
  expect(faults).toEqual([])
  expect(fields).toBeGreaterThan(40)
})

it.each([
  ['2020-02-29', '2020-02-29'],
  ['2020-02-29T00:00:00.000Z', '2020-02-29'],
  ['2020-02-29 00:00', '2020-02-29'],
  ['2020-02-29T00:00+02:00', '2020-02-29'],
  [1_582_934_400, '2020-02-29'],
  [1_582_934_400_000, '2020-02-29'],
  [-86_400, '1969-12-31'],
])('a date field takes %j', async (sent, date) => {
  const answer = await petri.post('/v2/user', { client_user_id: 'dated', fallback_birth_date: sent })
  expect(answer.body.fallback_birth_date?.value).toBe(date)
})

it.each(['2020-02-29T00:00:30Z', '2020-02-29T00:00:00.5Z', '2020-02-29T12:00', 1_582_934_401, 86_400_001])(
  'a date field refuses %j, which is within a day',
  async (sent) => {
    const answer = await petri.post('/v2/user', { client_user_id: 'dated', fallback_birth_date: sent })
    expect(answer).toRefuse(422, [{ type: 'date_from_datetime_inexact', input: sent }])
  },
)
