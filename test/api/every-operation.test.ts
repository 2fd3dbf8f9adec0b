import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { contractOperations } from '../../scripts/contract-operations.ts'
import type { AnyOperation } from '../../src/api/operation.ts'
import { field } from '../support/field.ts'
import { MANAGEMENT_KEY } from '../support/management.ts'
import { forAllTests, KEY, NOBODY } from '../support/petri.ts'

const petri = forAllTests()
let served: readonly AnyOperation[]
beforeAll(() => {
  served = petri.petri.operations
})

const methodOf = ({ route }: AnyOperation) => route.slice(0, route.indexOf(' '))
const pathWith = ({ route }: AnyOperation, value: string) =>
  route.slice(route.indexOf(' ') + 1).replace(/\{\w+\}/g, value)
const takesKey = ({ access = 'world' }: AnyOperation) => access === 'world'

const managementKey = { 'x-management-key': MANAGEMENT_KEY }

/** A call that gets past the address: well-formed ids of things that are not there. */
const callWith = (operation: AnyOperation, body?: unknown, headers?: Record<string, string>) =>
  petri.call(methodOf(operation), pathWith(operation, NOBODY), body, { ...managementKey, ...headers })

describe('every operation', () => {
  it('has an id and a route of its own', () => {
    const ids = served.map(field('id'))
    const shapes = served.map(({ route }) => route.replace(/\{\w+\}/g, '{}'))
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
    expect(shapes.filter((shape, at) => shapes.indexOf(shape) !== at)).toEqual([])
  })

  it('of the contract has the route of the contract', () => {
    const routes = new Map(served.map(({ id, route }) => [id, route.replace(/\{\w+\}/g, '{}')]))
    for (const [id, route] of contractOperations) {
      expect(routes.get(id), id).toBe(route.replace(/\{\w+\}/g, '{}'))
    }
  })

  it('asks for a key, and refuses a wrong one', { tags: 'slow' }, async () => {
    for (const operation of served.filter(takesKey)) {
      const without = await callWith(operation, undefined, { 'x-service-api-key': '' })
      expect(without, operation.id).toRefuse(401, expect.any(String))
      const wrong = await callWith(operation, undefined, { 'x-service-api-key': 'sk_us_nobody' })
      expect(wrong, operation.id).toRefuse(401, expect.any(String))
    }
  })

  it('refuses a body that is no JSON, and one that is the wrong kind of JSON', { tags: 'slow' }, async () => {
    for (const operation of served.filter(
      ({ body, takesForm, bodyError }) => body && !takesForm && !bodyError,
    )) {
      const broken = await callWith(operation, '{"a": ')
      expect(broken.status, operation.id).toBe(422)
      expect(broken.body.detail, operation.id).toContainEqual(
        expect.objectContaining({ type: 'json_invalid', loc: ['body', expect.any(Number)] }),
      )
      for (const body of wrongBodies(operation)) {
        const wrong = await callWith(operation, body)
        expect(wrong.status, `${operation.id} given ${body}`).toBe(422)
        expect(wrong.body.detail, operation.id).toContainEqual(
          expect.objectContaining({ loc: expect.arrayContaining(['body']), msg: expect.any(String) }),
        )
      }
    }
  })

  it('refuses such bodies in the form of its protocol, where that has one', async () => {
    const withOwnForm = served.filter(({ body, bodyError }) => body && bodyError)
    expect(withOwnForm.map(field('id'))).toContain('fhir_order_create')
    for (const operation of withOwnForm)
      for (const body of ['{"a": ', ...wrongBodies(operation)]) {
        const wrong = await callWith(operation, body)
        expect(wrong.status, `${operation.id} given ${body}`).toBeGreaterThanOrEqual(400)
        expect(wrong.status, `${operation.id} given ${body}`).toBeLessThan(500)
        expect(wrong.body, operation.id).not.toHaveProperty('detail')
        expect(Object.keys(wrong.body).length, operation.id).toBeGreaterThan(0)
      }
  })

  it('refuses a body whose bytes are not UTF-8, and one with half of a surrogate pair', {
    tags: 'slow',
  }, async () => {
    const bytes = Buffer.from('{"client_user_id":"\xff"}', 'latin1')
    for (const operation of served.filter(({ body, takesForm }) => body && !takesForm)) {
      const response = await petri.petri.app.request(pathWith(operation, NOBODY), {
        method: methodOf(operation),
        headers: { 'x-service-api-key': KEY, 'content-type': 'application/json', ...managementKey },
        body: bytes,
      })
      expect([operation.id, response.status]).toEqual([operation.id, 400])
      expect(await response.text(), operation.id).toContain('There was an error parsing the body')
    }
    for (const operation of served.filter(
      ({ body, takesForm, bodyError, keepsBodyText, readBody }) =>
        body && !takesForm && !bodyError && !keepsBodyText && !readBody,
    ))
      for (const body of ['{"name":"\\ud800"}', '{"\\udfff":1}']) {
        const answer = await callWith(operation, body)
        expect(answer.status, operation.id).toBe(422)
        expect(answer.body.detail, operation.id).toContainEqual(
          expect.objectContaining({ type: 'string_unicode', loc: ['body', expect.any(String)] }),
        )
      }
  })

  it('refuses a malformed id in its path', { tags: 'slow' }, async () => {
    for (const operation of served.filter(hasUuidInPath)) {
      const path = pathWith(operation, 'nope')
      const answer = await petri.call(methodOf(operation), path, undefined, managementKey)
      expect(answer, operation.id).toRefuse(422, expect.anything())
    }
  })

  it('answers a call without input with its declared schema, or an error in the form of the service', {
    tags: 'slow',
  }, async () => {
    for (const operation of served.filter(isQuiet)) {
      const { status, body } = await callWith(operation)
      expect(status, operation.id).toBeLessThan(500)
      if (status >= 400 && !operation.alsoReturns?.[status])
        expect(body, operation.id).toHaveProperty(operation.bodyError ? 'resourceType' : 'detail')
    }
  })

  it('is in SUPPORTED.md, and in the OpenAPI document', async () => {
    const matrix = await readFile(new URL('../../SUPPORTED.md', import.meta.url), 'utf8')
    for (const { id, route } of served) expect(matrix).toContain(`| ${id} | \`${route}\` |`)
    const body = await petri.read('/openapi.json')
    const described = Object.values(body.paths).flatMap((path) =>
      Object.values(path as Record<string, { operationId: string }>).map(field('operationId')),
    )
    expect(described.sort()).toEqual(served.map(field('id')).sort())
  })
})

/** JSON of a kind the body never is; texts, as a body that is not declared as JSON would be read too. */
function wrongBodies({ body }: AnyOperation): string[] {
  const { type = 'any' } = z.toJSONSchema(body(), { io: 'input', unrepresentable: 'any' })
  return type === 'object' ? ['[]', '"text"', '7'] : []
}

function hasUuidInPath({ params }: AnyOperation): boolean {
  if (!params) return false
  const { properties = {} } = z.toJSONSchema(params(), { io: 'input', unrepresentable: 'any' })
  return Object.values(properties).some((field) => typeof field === 'object' && field.format === 'uuid')
}

/** Calls that neither block nor change what the other checks stand on. */
const isQuiet = ({ id, route, access }: AnyOperation) =>
  access !== 'control' && !/\/_petri\/(wait|events)$/.test(route) && !/reset|restore/.test(id)
