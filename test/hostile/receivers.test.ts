import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer, type Server } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { setTarget } from '../../src/resources/etl/service.ts'
import { addEndpoint } from '../../src/webhooks/endpoints.ts'
import { messages } from '../../src/webhooks/table.ts'
import { createTransport } from '../../src/webhooks/transport.ts'
import { managing } from '../support/management.ts'
import { advance } from '../support/orders.ts'
import { startTestPetri, startTestWorld } from '../support/petri.ts'
import { startHeardPetri } from '../support/receiver.ts'
import { countTurns, makeStepsSlow } from '../support/timing.ts'
import { wearer } from '../support/wearables.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const listenAt = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** A receiver on a real socket. */
async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => answer(request, response))
  })
  const port = await listenAt(server)
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${port}/`
}

/** Calls over the network, with the wall clock of the machine. */
async function startReaching(url: string) {
  const petri = await startTestPetri({ transport: createTransport(), wall: Date.now })
  closers.push(() => void petri.close())
  addEndpoint(petri.world(), { url })
  return petri
}

/** One event an hour for so many hours. Waiting 15 seconds for each takes longer than the test may. */
async function emitHourly(petri: Awaited<ReturnType<typeof startReaching>>, hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour++) {
    petri.world().emit('labtest.order.updated', { userId: null, clientUserId: null }, { hour })
    await advance(petri, '1h')
  }
}

const toRabbit = {
  preferences: { preferred: 'rabbitmq', enabled: ['rabbitmq', 'svix'] },
  rabbitmq: { uri: 'amqps://petri:guest-password@mq.example/events', exchange: 'events' },
}

describe('a receiver', () => {
  it('that never ends the body of its reply has received each message, and holds up nothing', {
    tags: 'slow',
  }, async () => {
    const url = await listen((_, response) => {
      response.writeHead(200)
      response.write('…')
    })
    const petri = await startReaching(url)
    await emitHourly(petri, 5)
    const kept = [...petri.world().db.all(messages)]
    expect(kept.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'delivered'))
    expect(kept[0]?.attempts[0]?.response?.body).toBe('…')
  })

  it('that never ends its bodies is waited for one second in total by one advance', {
    tags: 'slow',
  }, async () => {
    const waits: number[] = []
    const { petri } = await startHeardPetri(({ timeoutMs }) => {
      waits.push(timeoutMs)
      return { status: 200, cut: 'too late' as const }
    })
    await wearer(petri, ['fitbit'])
    waits.length = 0
    await advance(petri, '3d')
    expect(waits.slice(0, 4)).toEqual([15_000, 1000, 10, 10])
  })

  it('that speaks no TLS is described without what differs from run to run', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    })
    const port = await listenAt(server)
    closers.push(() => void server.close())
    const petri = await startReaching(`https://127.0.0.1:${port}/`)
    await managing(petri).post('/team_etl_pipelines/sandbox/us', toRabbit)
    setTarget(petri.world(), `https://127.0.0.1:${port}/`)
    petri.world().emit('a.b', { userId: null, clientUserId: null }, {})
    await advance(petri, '1s')
    const words = expect.stringMatching(/^TLS failed: [a-z ]+ \(\w+\)$/)
    expect((await petri.read('/_petri/webhooks/messages')).data[0].last_error).toEqual(words)
    expect((await petri.read('/_petri/etl/target')).last_error).toEqual(words)
  })
})

describe('the target of an ETL pipeline', () => {
  it('that never answers delays an advance once', async () => {
    const waits: number[] = []
    const { petri } = await startHeardPetri(({ url, timeoutMs }) => {
      if (url !== 'http://pipeline.test/') return 200
      waits.push(timeoutMs)
      throw new DOMException('The receiver took too long', 'TimeoutError')
    })
    await managing(petri).post('/team_etl_pipelines/sandbox/us', toRabbit)
    setTarget(petri.world(), 'http://pipeline.test/')
    petri.world().emit('a.b', { userId: null, clientUserId: null }, {})
    await advance(petri, '1m')
    waits.length = 0
    await advance(petri, '10d')
    expect(waits.length).toBeGreaterThan(200)
    expect(waits.slice(0, 3)).toEqual([15_000, 1000, 10])
    expect((await petri.read('/_petri/etl/target')).last_error).toMatch(/^No reply/)
  })
})

describe('many messages', () => {
  afterEach(() => void vi.restoreAllMocks())

  it.each([
    ['given up', '3d'],
    ['waiting', '1s'],
  ])('that are %s are resent while other calls are answered', async (_, by) => {
    const { petri } = await startHeardPetri(() => 500)
    for (let at = 0; at < 50; at++) petri.world().emit('a.b', { userId: null, clientUserId: null }, { at })
    await advance(petri, by)
    makeStepsSlow()
    const long = petri.post('/_petri/webhooks/resend')
    let answered = 0
    await countTurns(long, async () => {
      if (answered < 10 && (await petri.get('/_petri/health')).status === 200) answered++
    })
    expect((await long).body).toEqual({ resent: 50 })
    expect(answered).toBe(10)
  })
})

describe('the URL of a receiver', () => {
  it.each([
    ['POST', '/_petri/webhooks/endpoints'],
    ['PUT', '/_petri/etl/target'],
    ['POST', '/_petri/worlds', 'webhook_url'],
  ])('is refused with a user name or password by %s %s', async (method, path, field = 'url') => {
    const petri = await startTestWorld()
    for (const url of ['http://user:password@receiver.test/', 'http://user@receiver.test/']) {
      const { status, body } = await petri.call(method, path, { [field]: url })
      expect([status, body.detail[0].loc]).toEqual([422, ['body', field]])
      expect(body.detail[0].msg).toContain('a user name or password')
    }
  })
})

describe('headers of an endpoint', () => {
  const addWith = async (headers: unknown) => {
    const petri = await startTestWorld()
    return petri.post('/_petri/webhooks/endpoints', { url: 'http://receiver.test/', headers })
  }

  it('have 16 KiB in all', async () => {
    const withLength = (length: number) =>
      addWith({ 'x-a': 'a'.repeat(8000), 'x-b': 'b'.repeat(length - 8000 - 6) })
    expect(await withLength(16_384)).toAnswer(201)
    expect(await withLength(16_385)).toRefuse(422, [
      {
        loc: ['body', 'headers'],
        msg: 'Value error, the headers have more than 16384 characters in all',
      },
    ])
  })

  it('are refused if they cannot be kept', async () => {
    expect(await addWith(JSON.parse('{"__proto__":"x"}'))).toRefuse(422, [
      { msg: 'Value error, the header __proto__ is reserved' },
    ])
  })
})
