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
    expect((await fetch(users, newUser('ada'))).status).toBe(200)
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

  it('leads node:https there, and leaves node:http to this machine alone', async () => {
    const petri = await startPetri({ intercept: true })
    const [response] = await once(https.get(users, { headers }), 'response')
    expect(JSON.parse(await text(response))).toMatchObject({ users: [] })
    const server = http.createServer((_, answer) => answer.end('mine')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const [own] = await once(
      http.get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }),
      'response',
    )
    expect(await text(own)).toBe('mine')
    server.close()
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
    await one?.close()
    expect((await fetch(users, newUser('d'))).status).toBe(200)
    expect((await two?.describe())?.counts).toMatchObject({ users: 2 })
    await two?.close()
  })

  it('reaches the control and management APIs under the live names, and still refuses web pages', async () => {
    const petri = await startPetri({ intercept: true })
    const world = 'https://api.sandbox.us.junction.com/_petri/world'
    expect((await fetch(world, { headers })).status).toBe(200)
    expect((await fetch(world, { headers: { ...headers, 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
    await petri.close()
  })

  it('leaves a mock alone that another library installed after it', async () => {
    const petri = await startPetri({ intercept: true })
    const mock = async () => new Response('mocked')
    vi.stubGlobal('fetch', mock)
    await petri.close()
    expect(globalThis.fetch).toBe(mock)
  })

  it('passes an aborted call on as such', async () => {
    const petri = await startPetri({ intercept: true })
    await expect(fetch(users, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i)
    await petri.close()
  })
})
