import { networkInterfaces } from 'node:os'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { listen } from '../../src/listen.ts'
import { connectTo, createTransport } from '../../src/webhooks/transport.ts'
import { fromAddress, startTestPetri, type TestPetri } from '../support/petri.ts'
import { serveHost, servePetri } from '../support/served.ts'

// These tests call servers of their own on this machine.
beforeEach(() => void vi.unstubAllGlobals())

const get = (url: string, resolved?: string) => {
  const transport = createTransport(
    resolved === undefined
      ? {}
      : {
          resolve: (_, __, done) =>
            done(null, [{ address: resolved, family: resolved.includes(':') ? 6 : 4 }]),
        },
  )
  return transport({ method: 'GET', url, headers: {}, body: '', timeoutMs: 2000 }).finally(() =>
    transport.close?.(),
  )
}

const until = <Value>(read: () => Promise<Value> | Value) =>
  vi.waitFor(read, { interval: 50, timeout: 50_000 })

const ended = (petri: TestPetri, id: string) =>
  until(async () => {
    const { body } = await petri.get(`/_petri/explore/${id}`)
    if (body.state === 'running') throw new Error('It is still running.')
    return body
  })

/** Waits until the world of an exploration is gone. */
const gone = (petri: TestPetri, key: string) =>
  until(() => expect(petri.petri.worlds.byKey(key)).toBeUndefined())

describe('what Petri calls for its users', { timeout: 60_000 }, () => {
  it('never reaches a server of Petri, in any notation or by any name', async () => {
    const petri = await startTestPetri()
    const server = await listen(petri.petri.app, { host: '0.0.0.0', port: 0 })
    onTestFinished(server.close)
    const { port } = new URL(server.url)
    const mine = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
    const hosts = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.0.0.2',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      ...mine.map(({ address }) => address),
    ]
    for (const host of hosts) {
      const url = `http://${host}:${port}/_petri/health`
      await expect(get(url), host).rejects.toThrow('Petri itself')
      await expect(connectTo(url), host).rejects.toThrow('Petri itself')
    }
    for (const resolved of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
      await expect(get(`http://program.example:${port}/`, resolved)).rejects.toThrow('Petri itself')
    // Others on this machine are called.
    const other = await serveHost(() => new Response('here'))
    expect(await get(other)).toMatchObject({ status: 200, body: 'here' })
    // So is whoever listens there once Petri has ended.
    await server.close()
    await expect(get(`http://127.0.0.1:${port}/`)).rejects.toThrow('ECONNREFUSED')
  })

  it('is not led to Petri by a redirect', async () => {
    const { url } = await servePetri()
    const redirecting = await serveHost(() => Response.redirect(`${url}/_petri/health`, 307))
    expect(await get(redirecting)).toMatchObject({ status: 307 })
  })

  it('never counts as a call of whoever runs Petri, also where it arrives by a detour', async () => {
    const { petri, close } = await startTestPetri({ managementKey: undefined })
    const call = (headers: Record<string, string>) =>
      petri.app.request('/_petri/worlds', { headers }, fromAddress('127.0.0.1'))
    expect((await call({})).status).toBe(200)
    expect((await call({ 'svix-id': 'msg_1' })).status).toBe(403)
    expect((await call({ 'x-petri-own-call': '1' })).status).toBe(403)
    await close()
  })

  it('such as the check of an exploration, shows nothing of another world', async () => {
    const petri = await servePetri()
    const { body: victim } = await petri.post('/_petri/worlds', { name: 'Another team' })
    const program = await serveHost(() => new Response(null, { status: 204 }))
    const { body } = await petri.post('/_petri/explore', {
      webhook: program,
      check: `${petri.url.replace('127.0.0.1', 'localhost')}/_petri/worlds#{order_id}`,
      at: 'data.1.webhook_secret',
      runs: 1,
    })
    const exploration = await ended(petri, body.id)
    expect(exploration).toMatchObject({ state: 'failed', detail: expect.stringContaining('Petri itself') })
    expect(JSON.stringify(exploration)).not.toContain(victim.webhook_secret)
    const webhook = await petri.post('/_petri/explore', { webhook: `${petri.url}/_petri/reset`, runs: 1 })
    expect([webhook.status, JSON.stringify(webhook.body)]).toEqual([
      422,
      expect.stringContaining('Petri itself'),
    ])
    await petri.close()
  })

  it('such as a webhook or the batch of an ETL pipeline, is marked or recognised', {
    tags: 'slow',
  }, async () => {
    const headers: string[][] = []
    const program = await serveHost((request) => {
      headers.push([...request.headers.keys()])
      return Response.json({ status: 'ordered' })
    })
    const petri = await startTestPetri()
    const check = `${program}/{order_id}`
    const { body } = await petri.post('/_petri/explore', { webhook: program, check, at: 'status', runs: 1 })
    await ended(petri, body.id)
    expect(headers.length).toBeGreaterThan(2)
    for (const names of headers)
      expect(names.some((name) => ['svix-id', 'x-petri-own-call'].includes(name))).toBe(true)
    await petri.close()
  })
})

describe('an exploration', { timeout: 60_000 }, () => {
  const program = () => serveHost(() => new Response(null, { status: 204 }))

  it('touches no world but its own, whatever key that has', async () => {
    const petri = await startTestPetri()
    const { body: world } = await petri.post('/_petri/worlds', { name: 'A' })
    const { webhook } = { webhook: await program() }
    const { body } = await petri.post('/_petri/explore', { webhook, runs: 1, only: ['deliveries'] })
    expect(body.api_key).toMatch(/^sk_us_explore_[0-9a-f]{32}$/)
    await expect(
      petri.petri.worlds.make({ ...petri.world().options, name: 'B', apiKey: body.api_key }),
    ).rejects.toThrow('those of explorations')
    expect(await ended(petri, body.id)).toMatchObject({ state: 'done' })
    expect(
      (await petri.get('/_petri/worlds')).body.data.map((one: { team_id: string }) => one.team_id),
    ).toEqual([petri.world().identity.teamId, world.team_id])
    await petri.close()
  })

  it('plays in a world that is in no list, starts no other there, and opens none when it has ended', {
    tags: 'slow',
  }, async () => {
    const petri = await startTestPetri({ openWorlds: { ttlMs: 1e9, limit: 9, isAnyKeyOpen: true } })
    const webhook = await program()
    const { body } = await petri.post('/_petri/explore', { webhook, runs: 10_000 })
    const asStage = { 'x-service-api-key': body.api_key }
    await until(async () => expect((await petri.get('/_petri/world', asStage)).status).toBe(200))
    expect((await petri.get('/_petri/worlds')).body.data).toHaveLength(1)
    const nested = await petri.post('/_petri/explore', { webhook, runs: 1 }, asStage)
    expect(nested).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('key of an exploration') },
    })
    await petri.call('DELETE', `/_petri/explore/${body.id}`)
    await ended(petri, body.id)
    await gone(petri, body.api_key)
    expect((await petri.get('/_petri/world', asStage)).status).toBe(401)
    expect(petri.petri.worlds.all()).toHaveLength(1)
    await petri.close()
  })

  it('ends with its world', async () => {
    const petri = await startTestPetri()
    const { body: world } = await petri.post('/_petri/worlds', { name: 'A' })
    const { body } = await petri.post(
      '/_petri/explore',
      { webhook: await program(), runs: 10_000 },
      { 'x-service-api-key': world.api_key },
    )
    expect((await petri.call('DELETE', `/_petri/worlds/${world.team_id}`)).status).toBe(204)
    await gone(petri, body.api_key)
    expect(petri.petri.worlds.all()).toHaveLength(1)
    await petri.close()
  })

  it('is one of four at most, and of one in its world', async () => {
    const petri = await startTestPetri()
    const webhook = await program()
    const started: { id: string; key: string }[] = []
    for (let count = 0; count < 4; count++) {
      const { body: world } = await petri.post('/_petri/worlds', { name: `${count}` })
      const headers = { 'x-service-api-key': world.api_key }
      const { status, body } = await petri.post('/_petri/explore', { webhook, runs: 10_000 }, headers)
      expect(status).toBe(201)
      started.push({ id: body.id, key: world.api_key })
    }
    expect(await petri.post('/_petri/explore', { webhook })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('4 explorations of other worlds are running') },
    })
    for (const { id, key } of started)
      await petri.call('DELETE', `/_petri/explore/${id}`, undefined, { 'x-service-api-key': key })
    await petri.close()
  })

  it('needs the control token of a Petri that has one', async () => {
    const petri = await startTestPetri({ controlToken: 'secret' })
    const input = { webhook: await program(), runs: 1, only: ['deliveries'] }
    expect((await petri.post('/_petri/explore', input)).status).toBe(401)
    expect((await petri.post('/_petri/explore/replay', { ...input, scenario: '' })).status).toBe(401)
    const started = await petri.post('/_petri/explore', input, { authorization: 'Bearer secret' })
    expect(started.status).toBe(201)
    expect(await ended(petri, started.body.id)).toMatchObject({ state: 'done', detail: null })
    await petri.close()
  })

  it('is started by a coding agent that has the control token, and by no other', {
    tags: 'slow',
  }, async () => {
    const petri = await startTestPetri({ controlToken: 'secret' })
    const params = { name: 'explore', arguments: { webhook: await program(), runs: 1, only: ['deliveries'] } }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const withToken = { authorization: 'Bearer secret' }
    const refused = (await petri.post('/_petri/mcp', message)).body.result
    expect(refused).toMatchObject({ isError: true })
    expect(refused.content[0].text).toMatch(/^This call needs the control token.*\n.*PETRI_CONTROL_TOKEN/)
    const { content } = (await petri.post('/_petri/mcp', message, withToken)).body.result
    const { id } = JSON.parse(content[0].text)
    expect(await ended(petri, id)).toMatchObject({ state: 'done' })
    await petri.close()
  })
})
