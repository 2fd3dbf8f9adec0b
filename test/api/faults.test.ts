import { request } from 'node:http'
import { fetch } from 'undici'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { listen } from '../../src/listen.ts'
import { field } from '../support/field.ts'
import { orderKit, postUser } from '../support/orders.ts'
import { forEachTest, KEY, startTestPetri } from '../support/petri.ts'
import { turns } from '../support/timing.ts'
import { wearer } from '../support/wearables.ts'

const petri = forEachTest(startTestPetri)

const put = (...faults: unknown[]) => petri.put('/_petri/faults', { faults })
const teapot = { operation: 'GET /v2/user', respond: { status: 503 } }

describe('a fault', () => {
  it("answers with the service's text or the given one, and with headers", async () => {
    await put(teapot)
    expect(await petri.read('/v2/user')).toEqual({ detail: 'Service Unavailable' })
    const headers = { 'Retry-After': '3' }
    await put({ operation: 'POST /v2/user', respond: { status: 429, detail: 'Slow down', headers } })
    const answer = await postUser(petri, 'ada')
    expect([answer.status, answer.body]).toEqual([429, { detail: 'Slow down' }])
    expect(answer.headers.get('retry-after')).toBe('3')
    expect((await petri.read('/v2/user')).users).toEqual([])
  })

  it.each([
    ['an HTML page as it is', '<h1>502</h1>', '<h1>502</h1>', 'text/plain'],
    ['JSON of any shape', [{ code: 7 }], '[{"code":7}]', 'application/json'],
    ['null', null, 'null', 'application/json'],
    ['nothing for an empty text', '', '', null],
  ])('answers with the given body: %s', async (_, body, sent, type) => {
    expect(await put({ operation: 'GET /v2/user', respond: { status: 502, body } })).toAnswer(200)
    const answer = await petri.petri.app.request('/v2/user', { headers: { 'x-service-api-key': KEY } })
    expect([answer.status, await answer.text(), answer.headers.get('content-type')]).toEqual([
      502,
      sent,
      type,
    ])
  })

  it('takes the content type of its body from its headers', async () => {
    const respond = { status: 502, body: '<h1>502</h1>', headers: { 'Content-Type': 'text/html' } }
    await put({ operation: 'GET /v2/user', respond })
    const answer = await petri.petri.app.request('/v2/user', { headers: { 'x-service-api-key': KEY } })
    expect(answer.headers.get('content-type')).toBe('text/html')
  })

  it('applies to a share of the calls, selected by the seed', async () => {
    const pattern = async () => {
      await petri.post('/_petri/reset')
      await put({ ...teapot, rate: 0.5 })
      const statuses = []
      for (let call = 0; call < 30; call++) statuses.push((await petri.get('/v2/user')).status)
      return statuses.map((status) => (status === 503 ? 'x' : '.')).join('')
    }
    const first = await pattern()
    expect(first).toMatch(/x/)
    expect(first).toMatch(/\./)
    expect(await pattern()).toBe(first)
  })

  it('delays an answer by wall-clock time, and does not change it', { tags: 'slow' }, async () => {
    for (const latency of ['150ms', { min: '150ms', max: '160ms' }]) {
      expect(await put({ operation: 'GET /v2/user', latency })).toAnswer(200)
      const before = process.hrtime.bigint()
      expect(await petri.get('/v2/user')).toAnswer(200)
      expect(Number(process.hrtime.bigint() - before) / 1e6).toBeGreaterThan(145)
    }
  })

  it('is shown as given, with defaults', async () => {
    const { body } = await put(
      { operation: 'user_get', latency: '2s', rate: 0.25, after: 3, times: 4 },
      {
        operation: 'GET /v2/user',
        drop: 'truncate',
        respond: { status: 503, headers: { 'Retry-After': '3' } },
      },
    )
    expect(body.faults).toMatchObject([
      {
        id: expect.stringMatching(/^fault_\d+$/),
        ...{ operation: 'user_get', operation_id: 'user_get', order_id: null },
        ...{ latency: { min: '2s', max: '2s' }, rate: 0.25, after: 3, times: 4, hits: 0 },
        ...{ respond: null, drop: null },
      },
      {
        ...{ rate: 1, after: 0, times: null, latency: null, drop: 'truncate' },
        respond: { status: 503, headers: { 'retry-after': '3' } },
      },
    ])
    expect(new Set(body.faults.map(field('id'))).size).toBe(2)
  })

  it.each([
    ['a latency of five minutes', { latency: '5m' }],
    ['a latency that does not vary', { latency: { min: '1s', max: '1s' } }],
    ['a share of all calls', { respond: { status: 500 }, rate: 1 }],
    ['a share of no calls', { respond: { status: 500 }, rate: 0 }],
    ['the lowest status', { respond: { status: 200 } }],
    ['the highest status', { respond: { status: 599 } }],
    ['an answer that breaks off', { respond: { status: 500 }, drop: 'truncate' }],
  ])('may have %s', async (_, fields) => {
    expect(await put({ operation: 'user_get', ...fields })).toAnswer(200)
  })

  it('is silent for other operations, for calls of Petri’s own page, and without a key', async () => {
    await put(teapot)
    expect(await postUser(petri, 'ada')).toAnswer(200)
    expect(await petri.get('/v2/user/resolve/ada')).toAnswer(200)
    expect(await petri.get('/v2/user', { 'x-petri-aside': '1' })).toAnswer(200)
    expect(await petri.get('/v2/user', { 'x-service-api-key': 'sk_us_nobody' })).toAnswer(401)
    const [{ seen, hits }] = (await petri.read('/_petri/faults')).faults
    expect({ seen, hits }).toEqual({ seen: 0, hits: 0 })
    expect(await petri.get('/v2/user')).toAnswer(503)
  })

  it('is recorded with the call it was applied to', async () => {
    await put({ ...teapot, times: 1 })
    const [{ id }] = (await petri.read('/_petri/faults')).faults
    await petri.get('/v2/user')
    await petri.get('/v2/user')
    const { data } = await petri.read('/_petri/requests?operation=GET%20/v2/user')
    expect(data.map(field('fault_id'))).toEqual([id, null])
  })

  it('is gone when deleted, and after a reset', async () => {
    await put(teapot)
    expect(await petri.delete('/_petri/faults')).toAnswer(204)
    expect(await petri.get('/v2/user')).toAnswer(200)
    await put(teapot)
    await petri.post('/_petri/reset')
    expect(await petri.read('/_petri/faults')).toEqual({ faults: [] })
  })
})

describe('a fault is refused', () => {
  it.each([
    ['an unknown route', { ...teapot, operation: 'GET /v2/users' }, /Did you mean "GET \/v2\/user/],
    ['a call of the control API', { ...teapot, operation: 'GET /_petri/clock' }, /no operation/],
    [
      'a fault that does nothing',
      { operation: 'GET /v2/user' },
      /the fault has no effect; give respond, latency or drop/,
    ],
    [
      'a detail with a body',
      { ...teapot, respond: { status: 502, detail: '', body: '' } },
      /gives both detail and body/,
    ],
    ['a reset with a response', { ...teapot, drop: 'reset' }, /cannot both respond and reset the connection/],
    [
      'a latency whose ends are swapped',
      { operation: 'GET /v2/user', latency: { min: '2s', max: '1s' } },
      /has a latency whose min is more than its max/,
    ],
    ['a latency above five minutes', { operation: 'GET /v2/user', latency: '301s' }, /Input|duration/],
    ['a share above one', { ...teapot, rate: 1.1 }, /less than or equal to 1/],
    ['a share below zero', { ...teapot, rate: -0.1 }, /greater than or equal to 0/],
    ['no calls at most', { ...teapot, times: 0 }, /greater than or equal to 1/],
    ['a negative number of calls that pass', { ...teapot, after: -1 }, /greater than or equal to 0/],
    ['a status below 200', { ...teapot, respond: { status: 199 } }, /greater than or equal to 200/],
    ['a status above 599', { ...teapot, respond: { status: 600 } }, /less than or equal to 599/],
    ['another way to drop', { operation: 'GET /v2/user', drop: 'lose' }, /'reset' or 'truncate'/],
    ['an unknown field', { ...teapot, tiems: 1 }, /Did you mean "times"/],
    [
      'a header with a line break',
      { ...teapot, respond: { status: 500, headers: { a: 'b\r\nc: d' } } },
      /pattern|Invalid|header/i,
    ],
  ])('when it is %s', async (_, fault, words) => {
    await put(teapot)
    const answer = await put(teapot, fault)
    expect(answer).toAnswer(422)
    expect(JSON.stringify(answer.body.detail.map(field('msg')))).toMatch(
      new RegExp(words.source.replaceAll('"', '\\\\"'), words.flags),
    )
    expect((await petri.read('/_petri/faults')).faults).toHaveLength(1)
  })
})

describe('over a socket', () => {
  /** The URL of a server, which is closed when the test has ended. */
  async function served(): Promise<string> {
    const { url, close } = await listen(petri.petri.app, { host: '127.0.0.1', port: 0 })
    onTestFinished(() => void close())
    return url
  }
  const call = (port: number, path = '/v2/user') =>
    new Promise<string>((resolve) => {
      const asked = request({ port, path, headers: { 'x-service-api-key': KEY } }, (answer) => {
        let text = ''
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('error', () => resolve(`broke off after ${text}`))
        answer.on('end', () => resolve(text))
      })
      asked.on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)))
      asked.end()
    })

  it('a connection is reset, an answer breaks off in the middle, and the next call works', async () => {
    const port = Number(new URL(await served()).port)
    await put({ operation: 'GET /v2/user', drop: 'reset', times: 1 })
    expect(await call(port)).toBe('ECONNRESET')
    expect(await call(port)).toBe('{"users":[],"total":0,"offset":0,"limit":100}')
    await put({ operation: 'GET /v2/user', drop: 'truncate', times: 1 })
    expect(await call(port)).toMatch(/^broke off after \{"users":\[\],"tot/)
    expect(await call(port)).toBe('{"users":[],"total":0,"offset":0,"limit":100}')
  })

  it('an answer without a body is left whole', async () => {
    await put({ operation: 'GET /v2/user', drop: 'truncate', respond: { status: 204 } })
    expect(await petri.get('/v2/user')).toAnswer(204, null)
  })

  it('so is the answer to HEAD', async () => {
    await put({ operation: 'GET /v2/user', drop: 'truncate' })
    const headers = { 'x-service-api-key': KEY }
    const answer = await fetch(`${await served()}/v2/user`, { method: 'HEAD', headers })
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-length': '45',
      'x-request-id': expect.stringMatching(/^req_/),
    })
  })

  it('a HEAD request that is reset leaves no error in the log', async () => {
    const url = await served()
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    onTestFinished(() => printed.mockRestore())
    await put({ operation: 'GET /v2/user', drop: 'reset' })
    const headers = { 'x-service-api-key': KEY }
    await expect(fetch(`${url}/v2/user`, { method: 'HEAD', headers })).rejects.toThrow()
    await turns()
    expect(printed.mock.calls).toEqual([])
  })

  it('an answer that is sent in parts breaks off too', { tags: 'slow' }, async () => {
    const user_id = await wearer(petri)
    const path = `/v2/timeseries/${user_id}/heartrate?start_date=2025-12-06`
    const headers = { 'x-service-api-key': KEY }
    const whole = await (await petri.petri.app.request(path, { headers })).text()
    expect(whole.length).toBeGreaterThan(1024 * 1024)
    const port = Number(new URL(await served()).port)
    await put({ operation: 'GET /v2/timeseries/{user_id}/heartrate', drop: 'truncate', times: 1 })
    expect(await call(port, path)).toMatch(/^broke off after \[\{"id":null/)
    expect(await call(port, path)).toBe(whole)
  })

  it('without one, reading the answer fails', async () => {
    await put({ operation: 'GET /v2/user', drop: 'reset' })
    const answer = await petri.petri.app.request('/v2/user', { headers: { 'x-service-api-key': KEY } })
    await expect(answer.text()).rejects.toMatchObject({
      message: 'An injected fault reset the connection',
      cause: { code: 'ECONNRESET', message: 'read ECONNRESET' },
    })
  })

  it('without one, half of an answer that breaks off can be read', async () => {
    await put({
      operation: 'GET /v2/user',
      drop: 'truncate',
      respond: { status: 503, detail: 'a'.repeat(40) },
    })
    const answer = await petri.petri.app.request('/v2/user', { headers: { 'x-service-api-key': KEY } })
    expect(answer).toAnswer(503)
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
    const { value } = await reader.read()
    expect(new TextDecoder().decode(value)).toBe(`{"detail":"${'a'.repeat(15)}`)
    await expect(reader.read()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  })
})

it('a call that is cut off in the middle was carried out, one that is reset was not', async () => {
  for (const [drop, users] of [
    ['reset', 0],
    ['truncate', 1],
  ] as const) {
    await put({ operation: 'POST /v2/user', drop, times: 1 })
    const answer = await petri.petri.app.request('/v2/user', {
      method: 'POST',
      headers: { 'x-service-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ client_user_id: drop }),
    })
    await expect(answer.text()).rejects.toThrow()
    expect((await petri.read('/v2/user')).users).toHaveLength(users)
  }
})

it('a delayed call ends when its world is closed, and is not carried out', async () => {
  await put({ operation: 'POST /v2/user', latency: '5m' })
  const delayed = postUser(petri, 'late')
  await petri.get('/v2/user')
  await petri.close()
  expect(await delayed).toRefuse(409, expect.stringContaining('deleted'))
})

describe('a scenario with faults', () => {
  const scenario = (faults: unknown) => ({
    name: 'flaky',
    summary: 'The result cannot be had at first.',
    method: 'testkit',
    steps: [{ after: '1d', status: 'cancelled' }],
    faults,
  })

  it('arms them for calls about its order, when it begins', async () => {
    const fault = { operation: 'GET /v3/order/{order_id}', times: 1, respond: { status: 503 } }
    expect(await petri.put('/_petri/scenarios/flaky', scenario([fault]))).toAnswer(200)
    const other = await orderKit(petri, { zip: '85005' })
    const order = await orderKit(petri, { scenario: 'flaky' })
    expect(await petri.get(`/v3/order/${other.id}`)).toAnswer(200)
    expect(await petri.get(`/v3/order/${order.id}`)).toAnswer(503)
    expect(await petri.get(`/v3/order/${order.id}`)).toAnswer(200)
    expect((await petri.read('/_petri/faults')).faults).toMatchObject([{ order_id: order.id, hits: 1 }])
  })

  it('is refused when a fault names no operation, with the nearest', async () => {
    const fault = { operation: 'GET /v3/orders/{order_id}', respond: { status: 503 } }
    const answer = await petri.put('/_petri/scenarios/flaky', scenario([fault]))
    expect(answer).toAnswer(422)
    expect(answer.body.detail[0].msg).toContain('Did you mean "GET /v3/order')
  })
})
