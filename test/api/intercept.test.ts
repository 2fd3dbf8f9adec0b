import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { VitalClient, VitalEnvironment } from '@tryvital/vital-node'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { startPetri } from '../../src/index.ts'

const users = 'https://api.sandbox.tryvital.io/v2/user'
const headers = { 'x-vital-api-key': 'sk_us_of_the_program' }
const newUser = (name: string) => ({
  method: 'POST',
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify({ client_user_id: name }),
})

describe('petri.intercept', () => {
  // Calls to other hosts must still reach the stub below, and none may reach a network.
  beforeEach(() => void vi.stubGlobal('fetch', async () => new Response('elsewhere')))

  it('leads fetch to the Petri of this process, whatever the key, until it is closed', async () => {
    const petri = await startPetri()
    const interception = await petri.intercept()
    expect(await fetch(users, newUser('ada'))).toAnswer(200)
    expect((await petri.describe()).counts).toMatchObject({ users: 1 })
    expect(await (await fetch('https://example.com')).text()).toBe('elsewhere')
    interception.close()
    expect(await (await fetch(users)).text()).toBe('elsewhere')
    await petri.close()
  })

  it('ends with the Petri, and with its block', async () => {
    const petri = await startPetri({ intercept: true })
    expect(await (await fetch(users, { headers })).json()).toMatchObject({ total: 0 })
    await petri.close()
    expect(await (await fetch(users)).text()).toBe('elsewhere')
    await expect(petri.intercept()).rejects.toThrow('This Petri is closed.')
    const another = await startPetri()
    const interception = await another.intercept()
    interception[Symbol.dispose]()
    expect(await (await fetch(users)).text()).toBe('elsewhere')
    await another.close()
  })

  it('leads the official client with its enum, which is built on fetch, there', async () => {
    const petri = await startPetri({ intercept: true })
    const client = new VitalClient({
      apiKey: 'sk_us_of_the_program',
      environment: VitalEnvironment.Production,
    })
    await client.user.create({ clientUserId: 'ada' })
    expect((await petri.describe()).counts).toMatchObject({ users: 1 })
    await petri.close()
  })

  it('leaves the sockets of other calls to the program, and to what mocks them there', async () => {
    const petri = await startPetri({ intercept: true })
    const server = http.createServer((_, answer) => answer.end('mine')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const agent = new http.Agent()
    for (const request of [
      http.get(`http://127.0.0.1:${port}`, { agent }),
      http.get({ port, hostname: '127.0.0.1', host: 'api.sandbox.tryvital.io', agent }),
      http.request(new URL(users), { protocol: 'http:', port, hostname: '127.0.0.1', agent }).end(),
      new http.ClientRequest({ port, host: '127.0.0.1', agent }).end(),
    ] as (http.ClientRequest & { agent: unknown })[]) {
      const [response] = await once(request, 'response')
      expect([await text(response), request.agent]).toEqual(['mine', agent])
    }
    server.close()
    await petri.close()
  })

  it.each([
    ['a text', () => https.get(users, { headers })],
    ['a URL', () => https.request(new URL(users), { headers })],
    ['options', () => https.request({ hostname: 'api.sandbox.tryvital.io', path: '/v2/user', headers })],
    [
      'options without TLS',
      () => http.request({ host: 'api.sandbox.tryvital.io', path: '/v2/user', headers }),
    ],
    ['a URL of http', () => http.get(new URL(users.replace('s:', ':')), { headers })],
    [
      'a ClientRequest',
      () => new http.ClientRequest({ host: 'api.sandbox.tryvital.io', path: '/v2/user', headers }),
    ],
  ])('leads a call of node:https there that is given as %s', async (_, request) => {
    const petri = await startPetri({ intercept: true })
    const [response] = await once(request().end(), 'response')
    expect(JSON.parse(await text(response))).toMatchObject({ users: [] })
    await petri.close()
  })

  it('leads a Request and a URL there', async () => {
    const petri = await startPetri({ intercept: true })
    for (const target of [new Request(users, { headers }), new URL(users)])
      expect(await fetch(target, { headers })).toAnswer(200)
    await petri.close()
  })

  it('keeps two Petris apart by their keys', async () => {
    const [one, two] = await Promise.all(
      ['sk_us_one', 'sk_us_two'].map((apiKey) => startPetri({ apiKey, intercept: true })),
    )
    for (const name of ['a', 'b'])
      await fetch(users, {
        ...newUser(name),
        headers: { ...newUser(name).headers, 'x-vital-api-key': 'sk_us_one' },
      })
    await fetch(users, {
      ...newUser('c'),
      headers: { ...newUser('c').headers, 'x-vital-api-key': 'sk_us_two' },
    })
    expect((await one?.describe())?.counts).toMatchObject({ users: 2 })
    expect((await two?.describe())?.counts).toMatchObject({ users: 1 })
    const interception = await one?.intercept()
    for (const end of [interception?.close, interception?.close, one?.close]) await end?.()
    expect(await fetch(users, newUser('d'))).toAnswer(200)
    expect((await two?.describe())?.counts).toMatchObject({ users: 2 })
    await two?.close()
  })

  it('reaches the control and management APIs under the live names, and still refuses web pages', async () => {
    const petri = await startPetri({ intercept: true })
    const world = 'https://api.sandbox.us.junction.com/_petri/world'
    expect(await fetch(world, { headers })).toAnswer(200)
    expect(await fetch(world, { headers: { ...headers, 'sec-fetch-site': 'cross-site' } })).toAnswer(403)
    await petri.close()
  })

  it('leaves a mock alone that another library installed after it, and leads calls past it again', async () => {
    const petri = await startPetri({ intercept: true })
    await fetch(users, newUser('a'))
    const mock = async () => new Response('mocked')
    vi.stubGlobal('fetch', mock)
    const another = await startPetri({ intercept: true })
    expect(await (await fetch(users, { headers })).json()).toMatchObject({ total: 0 })
    for (const target of ['https://example.com', '/v2/user'])
      expect(await (await fetch(target, null as never)).text()).toBe('mocked')
    await another.close()
    await petri.close()
    expect(globalThis.fetch).toBe(mock)
  })

  it('passes an aborted call on as such', async () => {
    const petri = await startPetri({ intercept: true })
    await expect(fetch(users, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i)
    await petri.close()
  })
})
