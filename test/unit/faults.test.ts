import { describe, expect, it } from 'vitest'
import type { Reply } from '../../src/api/reply.ts'
import { version } from '../../src/api/version.ts'
import { applyFault } from '../../src/faults/apply.ts'
import { Fault, type FaultOutcome } from '../../src/faults/model.ts'
import { FaultFields, findOperation, nearestOperation } from '../../src/faults/schema.ts'

const fault = (more: Partial<FaultOutcome>): FaultOutcome => ({
  id: 'fault_1',
  respond: null,
  latencyMs: 0,
  drop: null,
  ...more,
})
const reply = (body: Reply['body']): Reply => ({ status: 201, body, headers: { 'x-a': 'b' } })

/** Node's side of a connection, which notes what is done to it. */
function connection({ canReset = true } = {}) {
  const done: unknown[] = []
  return {
    done,
    incoming: {
      socket: {
        destroy: () => void done.push('closed'),
        ...(canReset && { resetAndDestroy: () => void done.push('reset') }),
      },
    },
    outgoing: {
      writeHead: (status: number, headers: object) => void done.push([status, headers]),
      write(body: Uint8Array, then: () => void) {
        done.push(Buffer.from(body).toString())
        then()
      },
    },
  }
}

it('a fault has an operation; everything else may be left out', () => {
  expect(FaultFields().parse({ operation: 'user_get' })).toEqual({ operation: 'user_get' })
  expect(FaultFields().safeParse({ respond: { status: 500 } }).success).toBe(false)
})

describe('a stored fault', () => {
  const stored = {
    id: 'fault_1',
    operation: 'GET /v2/user',
    operation_id: 'user_get',
    order_id: null,
    times: null,
    rate: 1,
    after: 0,
    respond: { status: 200, headers: { 'x-a': 'b' } },
    latency: { min: 0, max: 0 },
    drop: null,
    seen: 0,
    hits: 0,
  }

  it.each([
    {},
    { rate: 0 },
    { respond: { status: 599, detail: null } },
    { respond: null, latency: null },
    { drop: 'reset' },
    { drop: 'truncate', times: 3, after: 2 },
  ])('may have %j', (more) => {
    expect(Fault().safeParse({ ...stored, ...more }).success).toBe(true)
  })

  it.each([
    { id: undefined },
    { rate: -0.1 },
    { rate: 1.1 },
    { after: -1 },
    { respond: { status: 199 } },
    { respond: { status: 600 } },
    { respond: {} },
    { latency: { min: -1, max: 0 } },
    { latency: { min: 0, max: -1 } },
    { latency: {} },
    { drop: '' },
  ])('has never %j', (more) => {
    expect(Fault().safeParse({ ...stored, ...more }).success).toBe(false)
  })
})

describe('a fault over a connection', () => {
  it('resets it, or closes it where it cannot be reset, and nothing is answered', async () => {
    for (const [canReset, word] of [
      [true, 'reset'],
      [false, 'closed'],
    ] as const) {
      const { done, ...node } = connection({ canReset })
      const answered = await applyFault(fault({ drop: 'reset' }), node, () => expect.fail('carried out'))
      expect(answered).toMatchObject({ body: null, isSent: true })
      expect(done).toEqual([word])
    }
  })

  it('writes half of the answer under the length of the whole, and closes it', async () => {
    const { done, ...node } = connection()
    const answered = await applyFault(fault({ drop: 'truncate' }), node, async () => reply('123456789'))
    expect(answered.isSent).toBe(true)
    expect(done).toEqual([
      [
        201,
        { 'x-a': 'b', 'content-type': 'application/json', 'content-length': 9, 'x-petri': version.petri },
      ],
      '1234',
      'closed',
    ])
  })

  it('keeps the type of what breaks off', async () => {
    const { done, ...node } = connection()
    await applyFault(fault({ drop: 'truncate' }), node, async () => ({
      ...reply(Buffer.from('%PDF-1')),
      contentType: 'application/pdf',
    }))
    expect(done.slice(0, 2)).toEqual([
      [201, { 'x-a': 'b', 'content-type': 'application/pdf', 'content-length': 6, 'x-petri': version.petri }],
      '%PD',
    ])
  })

  it('writes the beginning of a stream, whose length nobody knows, and reads no further', async () => {
    const { done, ...node } = connection()
    let isCancelled = false
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('abcdef')),
      cancel() {
        isCancelled = true
      },
    })
    await applyFault(fault({ drop: 'truncate' }), node, async () => reply(body))
    expect(done).toEqual([
      [201, { 'x-a': 'b', 'content-type': 'application/json', 'x-petri': version.petri }],
      'abc',
      'closed',
    ])
    expect(isCancelled).toBe(true)
  })

  it('breaks nothing off an empty stream, and closes it', async () => {
    const { done, ...node } = connection()
    const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.close() })
    await applyFault(fault({ drop: 'truncate' }), node, async () => reply(body))
    expect(done.slice(1)).toEqual(['', 'closed'])
  })
})

describe('a fault without a connection', () => {
  it('answers 502 with a body that cannot be read when it resets', async () => {
    const answered = await applyFault(fault({ drop: 'reset' }), {}, () => expect.fail('carried out'))
    expect(answered).toAnswer(502)
    expect(answered.isSent).toBeUndefined()
    await expect(new Response(answered.body).text()).rejects.toThrow()
  })
})

describe('an answer of a fault', () => {
  const respond = async (status: number, detail?: unknown) => {
    const answer = { status, ...(detail !== undefined && { detail }) }
    return applyFault(fault({ respond: answer }), {}, () => expect.fail('carried out'))
  }

  it.each([
    [400, 'Bad Request'],
    [401, 'invalid token'],
    [403, 'Forbidden'],
    [404, 'Not Found'],
    [408, 'Request Timeout'],
    [409, 'Conflict'],
    [413, 'Request Entity Too Large'],
    [418, 'Status 418'],
    [429, 'Too many requests'],
    [500, 'Internal Server Error'],
    [501, 'Not Implemented'],
    [502, 'Bad Gateway'],
    [503, 'Service Unavailable'],
    [504, 'Gateway Timeout'],
  ])('%i says what the service says: %s', async (status, detail) => {
    expect(await respond(status)).toEqual({ status, body: JSON.stringify({ detail }), headers: {} })
  })

  it.each([204, 205, 304])('%i has no body', async (status) => {
    expect((await respond(status, 'x')).body).toBeNull()
  })

  it('may have any detail', async () => {
    expect((await respond(422, [{ msg: 'no' }])).body).toBe('{"detail":[{"msg":"no"}]}')
  })
})

describe('the operation of a fault', () => {
  const operations = [
    { id: 'home', route: 'GET /' },
    { id: 'users', route: 'GET /v2/user' },
    { id: 'user', route: 'GET /v2/user/{user_id}' },
    { id: 'make', route: 'POST /v2/user' },
  ] as const

  it.each([
    ['user', 'user'],
    ['GET /', 'home'],
    ['GET /v2/user', 'users'],
    ['get   /v2/user/', 'users'],
    ['Get /V2/user', undefined],
    [' POST /v2/user ', 'make'],
    ['GET /v2/user/{anything}', 'user'],
    ['GET /v2/user/{}', 'user'],
    ['GET /v2/user/5', undefined],
    ['GET /v2', undefined],
    ['GET', undefined],
    ['', undefined],
  ])('is found by "%s": %s', (name, id) => {
    expect(findOperation(name, operations)?.id).toBe(id)
  })

  it('that is not found is suggested by what the name looks like, a route or an id', () => {
    expect(nearestOperation('GET /v2/users', operations)).toBe(' Did you mean "GET /v2/user"?')
    expect(nearestOperation('userz', operations)).toBe(' Did you mean "users"?')
    expect(nearestOperation('nothing of this kind', operations)).toBe('')
  })
})
