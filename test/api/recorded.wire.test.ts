import { gunzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { version } from '../../src/api/version.ts'
import { listen } from '../../src/listen.ts'
import { field } from '../support/field.ts'
import { advance, createUser, moveOrder, orderBy, sendOrder, standardTest } from '../support/orders.ts'
import { forEachTest, KEY, startTestPetri } from '../support/petri.ts'

// Lists, pages and headers as the live sandbox sends them.

const petri = forEachTest(startTestPetri)

describe('the list of orders', () => {
  const listed = async (query = '') => (await petri.read(`/v3/orders?${query}`)).orders.map(field('id'))

  it('has the last changed first, and of those changed at once the newest', async () => {
    const first = (await orderBy(petri, 'walk_in_test')).id
    const second = (await orderBy(petri, 'walk_in_test')).id
    const third = (await orderBy(petri, 'at_home_phlebotomy')).id
    expect(await listed()).toEqual([third, second, first])
    await advance(petri, '1m')
    await moveOrder(petri, first, 'requisition_created')
    expect(await listed()).toEqual([first, third, second])
    expect(await listed('order_direction=asc')).toEqual([second, third, first])
    await moveOrder(petri, second, 'requisition_created')
    expect(await listed()).toEqual([second, first, third])
    expect(await listed('size=2&page=2')).toEqual([third])
    expect(await listed('order_type=walk_in_test')).toEqual([second, first])
    expect(await listed(`order_ids=${first}&order_ids=${third}`)).toEqual([first, third])
  })

  it('has the newest first where that is asked for', async () => {
    const first = await orderBy(petri, 'walk_in_test')
    const second = await orderBy(petri, 'walk_in_test')
    await advance(petri, '1m')
    await moveOrder(petri, first.id, 'requisition_created')
    expect(await listed('order_key=created_at')).toEqual([second.id, first.id])
    expect(await listed('order_key=created_at&order_direction=asc')).toEqual([first.id, second.id])
    const both = `order_ids=${first.id}&order_ids=${second.id}`
    expect(await listed(`order_key=created_at&${both}`)).toEqual([second.id, first.id])
    expect(await listed(both)).toEqual([first.id, second.id])
  })

  it('of one user is in the same order', async () => {
    const user_id = await createUser(petri)
    const first = await orderBy(petri, 'walk_in_test', { user_id })
    const second = await orderBy(petri, 'walk_in_test', { user_id })
    await orderBy(petri, 'walk_in_test', { user_id: await createUser(petri, 'other') })
    await advance(petri, '1m')
    await moveOrder(petri, first.id, 'requisition_created')
    expect(await listed(`user_id=${user_id}`)).toEqual([first.id, second.id])
  })
})

describe('the pages of the markers of a lab test', () => {
  it.each([
    ['page=0', 'page', 'greater_than_equal', { ge: 1 }],
    ['page=-1', 'page', 'greater_than_equal', { ge: 1 }],
    ['size=0', 'size', 'greater_than_equal', { ge: 1 }],
    ['size=101', 'size', 'less_than_equal', { le: 100 }],
  ])('%s is refused', async (query, name, type, ctx) => {
    const id = await standardTest(petri, 'walk_in_test')
    expect(await petri.get(`/v3/lab_tests/${id}/markers?${query}`)).toRefuse(422, [
      { type, loc: ['query', name], ctx },
    ])
  })

  it.each(['page=1&size=1', 'page=1&size=100'])('%s is served', async (query) => {
    const id = await standardTest(petri, 'walk_in_test')
    expect(await petri.get(`/v3/lab_tests/${id}/markers?${query}`)).toAnswer(200)
  })
})

/** A call as a client makes it that takes these encodings. */
async function callWith(encodings: string | undefined, path: string, init: RequestInit = {}) {
  const response = await petri.petri.app.request(path, {
    ...init,
    headers: {
      'x-vital-api-key': KEY,
      'content-type': 'application/json',
      ...(encodings !== undefined && { 'accept-encoding': encodings }),
    },
  })
  return { response, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** Uncompressed it has more than 500 bytes. */
const LONG = '/v3/lab_tests'
/** A list of users, of which there are none. */
const SHORT = '/v2/user'

describe('a reply without spaces', () => {
  it.each([
    ['/v3/lab_tests/0cb9f34f-c3df-4a13-8ca1-19429a82611b/markers', 53],
    ['/v3/order/psc/info?zip_code=54977&lab_id=13&radius=25', 64],
  ])('of %s has %i bytes', async (path, length) => {
    const { bytes } = await callWith('gzip', path)
    expect([bytes.toString(), bytes.length]).toEqual([expect.stringMatching(/^\{/), length])
  })
})

describe('the headers of a reply', () => {
  it('are those of the recordings, with the version of Petri and the id of the call', async () => {
    const { headers } = await callWith(undefined, LONG)
    expect(Object.fromEntries(headers)).toEqual({
      'content-type': 'application/json',
      traceresponse: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/),
      vary: 'Origin',
      'x-petri': version.petri,
      'x-request-id': expect.stringMatching(/^req_/),
    })
  })

  it('name Petri on errors, unknown paths and files of the page too', async () => {
    const { app } = petri.petri
    for (const path of ['/v2/user', '/v2/nothing', '/v2/user/x', '/_petri/world', '/_petri', '/openapi.json'])
      expect((await app.request(path)).headers.get('x-petri'), path).toBe(version.petri)
  })
})

describe('a body', () => {
  it('from 500 bytes on is compressed for a client that takes gzip', async () => {
    const plain = await callWith(undefined, LONG)
    const packed = await callWith('gzip', LONG)
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(packed.headers.get('vary')).toBe('Accept-Encoding,Origin')
    expect(packed.headers.get('content-type')).toBe('application/json')
    expect(packed.headers.get('content-length')).toBeNull()
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length)
    expect(gunzipSync(packed.bytes).toString()).toBe(plain.bytes.toString())
  })

  it.each([
    [LONG, undefined, false],
    [LONG, '', false],
    [LONG, 'identity', false],
    [LONG, 'br, deflate', false],
    [LONG, 'gzip;q=0', false],
    [LONG, 'gzip;q=0.0, br', false],
    [LONG, 'x-gzip', false],
    [LONG, 'br, gzip, deflate', true],
    [LONG, 'deflate, gzip;q=0.5', true],
    [LONG, 'GZIP', true],
    [LONG, '*', true],
    [SHORT, 'gzip', false],
  ])('of %s asked for with %j is compressed: %j', async (path, encodings, isCompressed) => {
    const { headers, bytes } = await callWith(encodings, path)
    expect(headers.get('content-encoding')).toBe(isCompressed ? 'gzip' : null)
    expect(headers.get('vary')).toBe(isCompressed ? 'Accept-Encoding,Origin' : 'Origin')
    const text = isCompressed ? gunzipSync(bytes).toString() : bytes.toString()
    expect(() => JSON.parse(text)).not.toThrow()
  })

  it('of HEAD, of the control API, of a document and of a stream is sent as it is', {
    tags: 'slow',
  }, async () => {
    const { id } = await orderBy(petri, 'walk_in_test')
    await moveOrder(petri, id, 'completed', { force: true })
    const cases: [string, RequestInit?][] = [
      [LONG, { method: 'HEAD' }],
      ['/_petri/world'],
      [`/v3/order/${id}/result/pdf`],
    ]
    for (const [path, init] of cases) {
      const { response, headers } = await callWith('gzip', path, init)
      expect([path, response.status, headers.get('content-encoding')]).toEqual([path, 200, null])
    }
  })

  it('is in the journal as it can be read', async () => {
    const { headers } = await callWith('gzip', LONG)
    const body = await petri.read(`/_petri/requests/${headers.get('x-request-id')}`)
    expect(body.response).toEqual(JSON.parse((await callWith(undefined, LONG)).bytes.toString()))
  })

  it('is repeated for an idempotency key, whatever the client takes', async () => {
    const lab_test_id = await standardTest(petri, 'walk_in_test')
    const first = await sendOrder(petri, { lab_test_id }, { headers: { 'x-idempotency-key': 'k' } })
    const again = await sendOrder(
      petri,
      { lab_test_id },
      { headers: { 'x-idempotency-key': 'k', 'accept-encoding': 'identity' } },
    )
    expect(again.body).toEqual(first.body)
  })

  it('reaches a client of the network, which asks for gzip by itself, and can be cut off', async () => {
    vi.unstubAllGlobals()
    const server = await listen(petri.petri.app, { host: '127.0.0.1', port: 0 })
    try {
      const read = () => fetch(`${server.url}${LONG}`, { headers: { 'x-vital-api-key': KEY } })
      const whole = await read()
      expect([whole.headers.get('content-encoding'), whole.headers.get('transfer-encoding')]).toEqual([
        'gzip',
        'chunked',
      ])
      expect(await whole.text()).toBe((await callWith(undefined, LONG)).bytes.toString())
      await petri.put('/_petri/faults', {
        faults: [{ operation: 'GET /v3/lab_tests', drop: 'truncate' }],
      })
      const half = await read()
      expect([half.status, half.headers.get('x-petri')]).toEqual([200, version.petri])
      await expect(half.text()).rejects.toThrow()
    } finally {
      await server.close()
    }
  })
})
