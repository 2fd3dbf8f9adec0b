import { request as send } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { listen } from '../../src/listen.ts'
import { createUser } from '../support/orders.ts'
import { forEachTest, KEY, startTestPetri } from '../support/petri.ts'
import { sampled } from '../support/rounds.ts'
import { countTurns, makeStepsSlow } from '../support/timing.ts'
import { toldOf } from '../support/wearables.ts'

const MEGABYTE = 1024 * 1024
/** The longest text that is parsed at once, in characters. */
const PARSED_AT_ONCE = 2 * MEGABYTE
const START = Date.UTC(2026, 0, 1)

const petri = forEachTest(startTestPetri)
let userId: string
beforeEach(async () => {
  userId = await createUser(petri)
  const sdk = { 'x-vital-ios-sdk-version': '1.8.8' }
  await petri.post('/v2/link/provider/manual/apple_health_kit', { user_id: userId }, sdk)
})
afterEach(() => void vi.restoreAllMocks())

const upload = () => `/v2/timeseries/${userId}/heartrate`
const progress = () => `/v2/user/${userId}/sdk_sync_progress/apple_health_kit`
const stored = async () => (await petri.read(`${upload()}/grouped?start_date=2025-12-01`)).groups

const before = '{"stage":"daily","time_zone":"Europe/Berlin","provider":"apple_health_kit","data":'
const list = (item: string, count: number) => `[${`${item},`.repeat(count - 1)}${item}]`
const keys = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":0`).join(',')}}`
const multipart = (name: string, value: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b--\r\n`

const sampleAt = (at: number, more: object = {}) => {
  const instant = `${new Date(START + at * 60_000).toISOString().slice(0, 19)}Z`
  return { value: 60 + (at % 40), start_date: instant, end_date: instant, unit: 'bpm', ...more }
}
const samples = (count: number, more: object = {}) =>
  JSON.stringify(Array.from({ length: count }, (_, at) => sampleAt(at, more)))

async function post(path: string, body: string | Buffer, headers: Record<string, string> = {}) {
  const response = await petri.petri.app.request(path, {
    method: 'POST',
    headers: { 'x-service-api-key': KEY, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
  return { status: response.status, text: await response.text() }
}

/** The length of the longest text that was parsed during a call. */
async function longestParsed(call: () => Promise<unknown>): Promise<number> {
  const parse = vi.spyOn(JSON, 'parse')
  await call()
  return Math.max(0, ...parse.mock.calls.map(([text]) => String(text).length))
}

describe('a body is bounded before it is built', { tags: 'slow' }, () => {
  const gzip = { 'content-encoding': 'gzip' }
  const asForm = { 'content-type': 'multipart/form-data; boundary=b' }
  const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' }
  const report = '/lab_report/v1/parser/job'
  const bodies = [
    ['15 million items in 29 kB of gzip', upload, () => gzipSync(`${before}${list('1', 15e6)}}`), gzip, 422],
    [
      '10 million lists in 29 kB of gzip',
      upload,
      () => gzipSync(`${before}[${list('[]', 10e6)}]}`),
      gzip,
      413,
    ],
    ['gigabytes in a megabyte of gzip', upload, () => gzipSync(Buffer.alloc(100 * MEGABYTE, 32)), gzip, 413],
    ['1.5 million fields', upload, () => keys(1.5e6), {}, 422],
    ['an item of 1.5 million fields', upload, () => `${before}[${keys(1.5e6)}]}`, {}, 422],
    ['300,000 invalid items', upload, () => `${before}${list('{"value":"x"}', 300_000)}}`, {}, 422],
    ['a text of 31 MB', upload, () => `${before}["${'x'.repeat(31e6)}"]}`, {}, 422],
    ['a text that does not end', upload, () => `${before}["${'x'.repeat(31e6)}`, {}, 422],
    ['endless nesting', upload, () => `${before}${'['.repeat(5e6)}`, {}, 422],
    ['600,000 lists', () => '/v2/user', () => `{"client_user_id":"a","x":${list('[]', 600_000)}}`, {}, 413],
    ['100,000 fields', () => '/v2/user', () => keys(100_000), {}, 422],
    ['a report on 1.5 million uploads', progress, () => `{"sync_progress":${keys(1.5e6)}}`, {}, 413],
    [
      'a message with 300,000 lists',
      () => '/_petri/mcp',
      () => `{"jsonrpc":"2.0","x":${list('[]', 300_000)}}`,
      {},
      413,
    ],
    ['a form with a user of 20 MB', () => report, () => multipart('user_id', 'x'.repeat(20e6)), asForm, 413],
    ['a form with a head of 20 MB', () => report, () => `--b\r\na: ${'x'.repeat(20e6)}`, asForm, 400],
    ['a form without files of 20 MB', () => report, () => `user_id=${'%41'.repeat(6e6)}`, urlencoded, 413],
    ['a token of 2 MB', () => '/v1/token', () => `refresh_token=${'x'.repeat(2e6)}`, urlencoded, 413],
  ] as const
  it.each(sampled(bodies))('%s', async (_, path, body, headers, status) => {
    const sent = body()
    let reply = { status: 0, text: '' }
    const longest = await longestParsed(async () => {
      reply = await post(path(), sent, headers)
    })
    expect(reply.status, reply.text.slice(0, 300)).toBe(status)
    expect(JSON.parse(reply.text)).toHaveProperty(path().endsWith('/mcp') ? 'error.message' : 'detail')
    expect(reply.text.length).toBeLessThan(1000)
    expect(longest).toBeLessThanOrEqual(PARSED_AT_ONCE)
    expect(await stored()).toEqual({})
  })

  it('and the client that is still sending it gets the response', async () => {
    vi.unstubAllGlobals()
    const server = await listen(petri.petri.app, { host: '127.0.0.1', port: 0 })
    const body = Buffer.from(`${before}[1,"${'x'.repeat(20e6)}"]}`)
    const status = await new Promise((resolve, reject) => {
      const headers = {
        'x-vital-api-key': KEY,
        'content-type': 'application/json',
        'content-length': body.length,
      }
      const outgoing = send(`${server.url}${upload()}`, { method: 'POST', headers }, (incoming) => {
        incoming.resume()
        resolve(incoming.statusCode)
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
    await server.close()
    expect(status).toBe(422)
  })

  it('and is stored up to the limits', async () => {
    const text = 'x'.repeat(3000)
    const body = `${before}${samples(1000, { metadata: { note: text } })}}`
    const longest = await longestParsed(() => post(upload(), gzipSync(body), gzip))
    expect(longest).toBeLessThan(PARSED_AT_ONCE)
    const [{ data }] = (await stored()).apple_health_kit
    expect(data).toHaveLength(1000)
    expect(data[7]).toMatchObject({ timestamp: '2026-01-01T00:07:00+00:00', value: 67 })
  })
})

describe('a long upload', () => {
  const sent = () => post(upload(), `${before}${samples(3000)}}`)

  it('lets other calls be answered meanwhile', { tags: 'slow' }, async () => {
    makeStepsSlow()
    let answered = 0
    const turns = await countTurns(sent(), async () => {
      if (answered < 10 && (await petri.get('/_petri/health')).status === 200) answered++
    })
    expect(answered).toBe(10)
    expect(turns).toBeGreaterThan(1000)
    expect(toldOf(petri, 'daily.data.heartrate.created')).toHaveLength(3)
  })

  it('is announced once if it is sent twice at once, or again', { tags: 'slow' }, async () => {
    makeStepsSlow()
    const replies = await Promise.all([sent(), sent()])
    vi.restoreAllMocks()
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    await sent()
    expect(toldOf(petri, 'daily.data.heartrate.created')).toHaveLength(3)
    expect(toldOf(petri, 'daily.data.heartrate.updated')).toEqual([])
  })

  it('of sleeps is announced once if it is sent twice at once', async () => {
    const nights = Array.from({ length: 5 }, (_, day) => ({
      start_date: `2026-01-0${day + 1}T00:00:00Z`,
      end_date: `2026-01-0${day + 1}T07:00:00Z`,
      sleep_stages: {},
    }))
    const send = () => post(`/v2/summary/sleep/${userId}`, `${before}${JSON.stringify(nights)}}`)
    makeStepsSlow()
    await Promise.all([send(), send()])
    vi.restoreAllMocks()
    expect(toldOf(petri, 'daily.data.sleep.created')).toHaveLength(5)
    expect(toldOf(petri, 'daily.data.sleep.updated')).toEqual([])
  })

  it('is refused as a whole for its last item', { tags: 'slow' }, async () => {
    const items = `${samples(3000).slice(0, -1)},{"value":"x"}]`
    const { status, text } = await post(upload(), `${before}${items}}`)
    expect(status).toBe(422)
    expect(JSON.parse(text).detail[0]).toMatchObject({ loc: ['body', 'data', 3000, 'value'] })
    expect(await stored()).toEqual({})
  })
})
