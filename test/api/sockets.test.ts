import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { type AnyOperation, CustomResponse, operation } from '../../src/api/operation.ts'
import { createApp } from '../../src/http/app.ts'
import { createCredentials } from '../../src/http/authentication.ts'
import { type Listening, listen } from '../../src/listen.ts'
import { createUser, postUser } from '../support/orders.ts'
import { KEY, startTestPetri, type TestPetri } from '../support/petri.ts'
import { eventually, turns, useFakeTimers, useRealTimers } from '../support/timing.ts'

// What comes to the server byte by byte, well-formed or not.

let petri: TestPetri
let server: Listening
const bugs: unknown[] = []
beforeEach(async () => {
  bugs.length = 0
  petri = await startTestPetri({ reportBug: (error) => bugs.push(error) })
  server = await listen(petri.petri.app, { host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  vi.restoreAllMocks()
  useRealTimers()
  await server.close()
  await petri.close()
  expect(bugs).toEqual([])
})

/** Sends bytes and answers all that comes back until the connection is closed. */
const talk = (bytes: string, { leave = false } = {}) =>
  new Promise<string>((resolve) => {
    let heard = ''
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => {
      socket.write(bytes.replaceAll('\n', '\r\n'))
      if (leave) setImmediate(() => socket.destroy())
    })
    socket.setEncoding('utf8').on('data', (text) => {
      heard += text
    })
    socket.on('error', () => undefined).on('close', () => resolve(heard))
  })

const KEYED = `x-vital-api-key: ${KEY}`
const call = (head: string, host = 'localhost:4080') =>
  talk(`${head} HTTP/1.1\nHost: ${host}\n${KEYED}\nConnection: close\n\n`)
const statusOf = (answer: string) => Number(answer.split(' ')[1])
const bodyOf = (answer: string) => answer.slice(answer.indexOf('\r\n\r\n') + 4)
/** Lets a fake second pass after the other until `check` is true; how many seconds that took. */
async function secondsUntil(check: () => boolean): Promise<number> {
  for (let seconds = 0; ; seconds++) {
    if (check()) return seconds
    await turns()
    vi.advanceTimersByTime(1000)
  }
}
const journal = () =>
  [...petri.world().requests.all()].map(({ method, url, status }) => ({ method, url, status }))

type Served = Pick<AnyOperation, 'run'> & Partial<Pick<AnyOperation, 'route' | 'body' | 'readBody'>>

/** Replaces the server by one whose only operation, by default `GET /v2/user`, does this. */
async function serveInstead(served: Served, reportBug: (error: unknown) => void = () => undefined) {
  await server.close()
  const only = operation({ id: 'only', route: 'GET /v2/user', summary: '', access: 'open', ...served })
  const credentials = createCredentials({
    headers: [],
    controlToken: undefined,
    worlds: petri.petri.worlds,
    managerOf: () => undefined,
    worldOfCode: async () => undefined,
  })
  const app = createApp({
    operations: [only],
    credentials,
    worlds: petri.petri.worlds,
    reportBug,
    wall: () => 0,
  })
  server = await listen(app, { host: '127.0.0.1', port: 0 })
}

describe('a target', () => {
  it.each([
    ['/v2/user?limit=1', '/v2/user?limit=1'],
    ['http://localhost:4080/v2/user?limit=1', '/v2/user?limit=1'],
    ['/v2/./team/../user', '/v2/user'],
    ['/v2/%75ser?limit=%31', '/v2/%75ser?limit=%31'],
    ['/v2/user#top', '/v2/user'],
  ])('%s is found, and journalled as %s', async (target, url) => {
    expect(statusOf(await call(`GET ${target}`))).toBe(200)
    expect(journal()).toEqual([{ method: 'GET', url, status: 200 }])
  })

  it('has its escapes resolved where a parameter stands', async () => {
    await createUser(petri, 'a b/ü')
    const found = await call('GET /v2/user/resolve/a%20b%2F%C3%BC')
    expect(JSON.parse(bodyOf(found))).toMatchObject({ client_user_id: 'a b/ü' })
    expect(statusOf(await call('GET /v2/user/resolve/%ff%fe%'))).toBe(404)
  })

  it.each(['/v2\\user', '*', 'v2/user', 'ftp://localhost/v2/user', 'http://', 'http://[/v2/user'])(
    '%s is none',
    async (target) => {
      expect(statusOf(await call(`GET ${target}`))).toBe(400)
      expect(journal()).toEqual([])
    },
  )
})

it('OPTIONS * is about the server as a whole', async () => {
  expect(await call('OPTIONS *')).toMatch(/^HTTP\/1.1 200 OK\r\ncontent-length: 0/)
})

describe('a host', () => {
  it.each(['localhost', 'LOCALHOST:80', '127.0.0.1:4080', '[::1]:4080', 'petri.localhost'])(
    '%s is one',
    async (host) => expect(statusOf(await call('GET /v2/user', host))).toBe(200),
  )

  it.each(['a b', 'evil/..', 'user@evil', 'evil?', 'evil#', '[::1', ':80'])('%s is none', async (host) =>
    expect(statusOf(await call('GET /v2/user', host))).toBe(400),
  )

  it('has to be there in HTTP/1.1', async () => {
    expect(statusOf(await talk(`GET /v2/user HTTP/1.1\n${KEYED}\nConnection: close\n\n`))).toBe(400)
  })
})

describe('an answer', () => {
  it('to HEAD is that to GET without its body', async () => {
    const headers = (answer: string) =>
      answer
        .slice(0, answer.indexOf('\r\n\r\n'))
        .replace(/(x-request-id|traceresponse|Date): .*/g, '')
        .toLowerCase()
        .split('\r\n')
        .sort()
    const [head, get] = [await call('HEAD /v2/user'), await call('GET /v2/user')]
    expect(headers(head)).toEqual(headers(get))
    expect(bodyOf(head)).toBe('')
    expect(bodyOf(get)).toHaveLength(Number(/content-length: (\d+)/i.exec(head)?.[1]))
  })

  it('to HEAD does not go on where that to GET does', async () => {
    let isCancelled = false
    const body = new ReadableStream({
      cancel() {
        isCancelled = true
      },
    })
    await serveInstead({ run: () => new CustomResponse<undefined>(200, body, 'text/event-stream') })
    expect(statusOf(await call('HEAD /v2/user'))).toBe(200)
    expect(isCancelled).toBe(true)
  })

  it('says its length in bytes, and nothing of it where there is no body', async () => {
    const { body: user } = await postUser(petri, 'ü€😀')
    const answer = await call(`GET /v2/user/${user.user_id}`)
    expect(answer.toLowerCase()).toContain(`content-length: ${Buffer.byteLength(bodyOf(answer))}`)
    const made = await call('DELETE /_petri/faults')
    expect(statusOf(made)).toBe(204)
    expect(made).not.toMatch(/content-(length|type)|transfer-encoding/i)
  })

  it('comes for each of several calls sent at once, in their order', async () => {
    const one = (limit: number) => `GET /v2/user?limit=${limit} HTTP/1.1\nHost: localhost\n${KEYED}\n`
    const answers = await talk(`${one(1)}\n${one(2)}\n${one(3)}Connection: close\n\n`)
    expect([...answers.matchAll(/"limit":(\d)/g)].map(([, limit]) => limit)).toEqual(['1', '2', '3'])
  })
})

it.each([
  ['an operation throws', () => Promise.reject(new Error('a bug'))],
  [
    'a header cannot be written',
    () => new CustomResponse<undefined>(200, {}, 'application/json', { 'x-bad': 'a\nb' }),
  ],
])('a bug is reported and answered with 500: %s', async (_, run) => {
  const reported: unknown[] = []
  const report = (error: unknown) => void reported.push(error)
  vi.spyOn(console, 'error').mockImplementation(report)
  await serveInstead({ run }, report)
  expect(statusOf(await call('GET /v2/user'))).toBe(500)
  expect(reported).toHaveLength(1)
})

describe('a body', () => {
  const post = (path: string, headers: string, body: string) =>
    `POST ${path} HTTP/1.1\nHost: localhost\ncontent-type: application/json\n${headers}\n\n${body}`
  const small = '{"client_user_id":"small"}'

  it('without a reader is accepted, and the connection continues', async () => {
    const refused = post('/v2/user', `content-length: ${small.length}`, small)
    const answers = await talk(
      `${refused}${post('/v2/user', `${KEYED}\nConnection: close\ncontent-length: ${small.length}`, small)}`,
    )
    expect([...answers.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)).toEqual(['401', '200'])
  })

  it('without a reader and without an end closes the connection', { tags: 'slow' }, async () => {
    const answer = await talk(post('/v2/user', 'content-length: 1000', small))
    expect(statusOf(answer)).toBe(401)
  })

  it('is asked for where a client waits for that', async () => {
    const headers = `${KEYED}\nExpect: 100-continue\nConnection: close\ncontent-length: ${small.length}`
    expect(await talk(post('/v2/user', headers, small))).toMatch(
      /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200/,
    )
  })

  it('whose sender leaves in the middle changes nothing', async () => {
    await talk(post('/v2/user', `${KEYED}\ncontent-length: 1000`, small), { leave: true })
    await eventually(() => expect(journal()).toEqual([{ method: 'POST', url: '/v2/user', status: 400 }]))
    expect((await petri.read('/v2/user')).total).toBe(0)
  })

  it.each([
    ['of a known length', post('/v2/user', `${KEYED}\ncontent-length: 1000`, small)],
    ['in chunks', post('/v2/user', `${KEYED}\ntransfer-encoding: chunked`, `a\n${small.slice(0, 10)}\n`)],
  ])('%s that does not come is waited for a minute', async (_, bytes) => {
    useFakeTimers('setTimeout', 'clearTimeout')
    const answer = talk(bytes)
    expect(await secondsUntil(() => journal().length > 0)).toBeGreaterThanOrEqual(60)
    useRealTimers()
    expect(await answer).toMatch(/^HTTP\/1.1 408 .*"The request was not received in time\."/s)
  })

  it('that Petri needs minutes to check is not late', async () => {
    const parts: string[] = []
    let check = () => {}
    const readBody = async (chunks: AsyncIterable<Uint8Array>) => {
      for await (const chunk of chunks) {
        parts.push(String(chunk))
        await new Promise<void>((resolve) => {
          check = resolve
        })
      }
      return {}
    }
    const ok = new CustomResponse<undefined>(200, 'ok', 'text/plain')
    await serveInstead({ route: 'POST /v2/user', body: () => z.unknown(), readBody, run: () => ok })
    useFakeTimers('setTimeout', 'clearTimeout')
    const answer = talk(post('/v2/user', 'transfer-encoding: chunked\nConnection: close', '5\nfirst\n0\n\n'))
    await secondsUntil(() => parts.length > 0)
    vi.advanceTimersByTime(600_000)
    check()
    expect(statusOf(await answer)).toBe(200)
  })
})
