import { networkInterfaces } from 'node:os'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen } from '../../src/listen.ts'
import { connectTo, createTransport } from '../../src/webhooks/transport.ts'
import { openNetwork } from '../support/open-network.ts'
import { fromAddress, startTestPetri } from '../support/petri.ts'
import { serveHost, servePetri } from '../support/served.ts'

openNetwork()

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
    expect(await get(redirecting)).toAnswer(307)
  })

  it('never counts as a call of whoever runs Petri, also where it arrives by a detour', async () => {
    const { petri, close } = await startTestPetri({ managementKey: undefined })
    const call = (headers: Record<string, string>) =>
      petri.app.request('/_petri/worlds', { headers }, fromAddress('127.0.0.1'))
    expect(await call({})).toAnswer(200)
    expect(await call({ 'svix-id': 'msg_1' })).toAnswer(403)
    expect(await call({ 'x-petri-own-call': '1' })).toAnswer(403)
    await close()
  })
})
