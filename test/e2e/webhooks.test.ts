import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Webhook } from 'svix'
import { afterEach, describe, expect, it } from 'vitest'
import { addEndpoint } from '../../src/webhooks/endpoints.ts'
import { createTransport } from '../../src/webhooks/transport.ts'
import { listening } from '../support/listening.ts'
import { startTestPetri } from '../support/petri.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A receiver on a real socket. */
async function listen(answer: (request: IncomingMessage, body: string, response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => answer(request, body, response))
  })
  const url = await listening(server)
  closers.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(resolve)
      }),
  )
  return url
}

async function startWith(url: string) {
  const wall = Date.now()
  const petri = await startTestPetri({ wall: () => wall })
  closers.push(() => petri.close())
  const world = petri.world()
  addEndpoint(world, { url: `${url}/hook` })
  const deliver = async (type: string) => {
    world.emit(type, { userId: null, clientUserId: null }, { text: 'Grüße' })
    await world.agenda.settled()
    return (await petri.read('/_petri/webhooks/messages')).data.at(-1)
  }
  return { deliver, world }
}

const transportOf = (options?: Parameters<typeof createTransport>[0]) => {
  const transport = createTransport(options)
  closers.push(async () => transport.close?.())
  return transport
}

const post = (url: string, timeoutMs = 15_000) => ({ url, headers: {}, body: '{}', timeoutMs })

describe('over a real socket', () => {
  it('a delivery is accepted by the official library, byte for byte', { tags: 'slow' }, async () => {
    const verified: unknown[] = []
    let secret = ''
    const url = await listen((request, body, response) => {
      verified.push(new Webhook(secret).verify(body, request.headers as Record<string, string>))
      response.writeHead(201, { 'x-reply': 'thanks' }).end('got it')
    })
    const { deliver, world } = await startWith(url)
    secret = world.identity.webhookSecret
    expect(await deliver('labtest.order.created')).toMatchObject({
      status: 'delivered',
      attempts: [{ status: 201, response: { headers: { 'x-reply': 'thanks' }, body: 'got it' } }],
    })
    expect(verified).toMatchObject([{ event_type: 'labtest.order.created', data: { text: 'Grüße' } }])
  })

  it('a redirect is not followed', async () => {
    const paths: (string | undefined)[] = []
    const url = await listen((request, _, response) => {
      paths.push(request.url)
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    const { deliver } = await startWith(url)
    expect(await deliver('a.b')).toMatchObject({ status: 'pending', attempts: [{ status: 307 }] })
    expect(paths).toEqual(['/hook'])
  })

  it('a receiver that is not there is told in words', async () => {
    const { deliver } = await startWith('http://127.0.0.1:1')
    expect(await deliver('a.b')).toMatchObject({
      attempts: [{ status: null, error: expect.stringContaining('Connection refused: nothing listens at') }],
    })
  })

  it('a metadata address is never called, whatever it is called', async () => {
    const { deliver } = await startWith('http://169.254.169.254')
    expect(await deliver('a.b')).toMatchObject({
      attempts: [
        { status: null, error: expect.stringContaining('Not sent: 169.254.169.254 is a link-local') },
      ],
    })
    const transport = transportOf({
      resolve: (_, __, done) => done(null, [{ address: '169.254.169.254', family: 4 }]),
    })
    await expect(transport(post('http://metadata.test/'))).rejects.toThrow(
      'Not sent: metadata.test is 169.254',
    )
    await expect(transportOf()(post('http://[::ffff:a9fe:a9fe]/'))).rejects.toThrow('Not sent')
    await expect(transportOf()(post('http://2852039166/'))).rejects.toThrow('Not sent')
  })

  it('a name is looked up, a silent receiver is given up, and an endless reply is cut', async () => {
    const url = await listen((request, _, response) => {
      if (request.url === '/endless') response.end('x'.repeat(1024 * 1024))
      else if (request.url === '/ok') response.end('ok')
    })
    const { port } = new URL(url)
    const transport = transportOf({
      resolve: (_, __, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    })
    expect(await transport(post(`http://receiver.test:${port}/ok`))).toMatchObject({
      status: 200,
      body: 'ok',
    })
    expect((await transport(post(`${url}/endless`))).body).toHaveLength(64 * 1024)
    await expect(transport(post(`${url}/silent`, 50))).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})
