import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { listen } from '../../src/listen.ts'
import { advance, createUser, moveOrder, orderForPatient } from '../support/orders.ts'
import { forEachTest, KEY } from '../support/petri.ts'
import { startHeardPetri } from '../support/receiver.ts'

const petri = forEachTest(async () => (await startHeardPetri()).petri)

interface Told {
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into fields of every kind.
  readonly data: any
}

/** Opens the stream and answers what it tells until it is closed, or so much was told. */
async function open(query = '', headers: Record<string, string> = {}) {
  const answer = await petri.petri.app.request(`/_petri/events${query}`, {
    headers: { 'x-service-api-key': KEY, ...headers },
  })
  const reader = answer.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>
  let text = ''
  return {
    answer,
    reader,
    text: () => text,
    async read(until: (told: Told[]) => boolean): Promise<Told[]> {
      for (;;) {
        const told = toldIn(text)
        if (until(told)) return told
        const { value, done } = await reader.read()
        if (done) return toldIn(text)
        text += new TextDecoder().decode(value)
      }
    },
  }
}

/** Everything but what every stream begins with. */
const toldIn = (text: string): Told[] =>
  text
    .split('\n\n')
    .filter((part) => part.includes('data: ') && !part.startsWith('event: hello'))
    .map((part) => ({
      event: /^event: (.*)$/m.exec(part)?.[1] ?? '',
      data: JSON.parse(/^data: (.*)$/m.exec(part)?.[1] ?? '{}'),
    }))

const lastId = (text: string) => [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? ''

describe('the stream', () => {
  it('sends calls, moves, events and deliveries as they happen', async () => {
    const stream = await open()
    expect(stream.answer.headers.get('content-type')).toBe('text/event-stream')
    const order = await orderForPatient(petri)
    await advance(petri, '1h')
    const told = await stream.read((all) => all.some(({ event }) => event === 'delivery'))
    expect(told.find(({ event }) => event === 'order')?.data).toMatchObject({
      at: '2026-01-05T09:00:00.000Z',
      order_id: order.id,
      status: 'received.testkit.ordered',
    })
    expect(told.find(({ event }) => event === 'delivery')?.data).toAnswer(200)
    const call = told.filter(({ event }) => event === 'request').at(-1)?.data
    expect(call).toMatchObject({ method: 'POST', path: '/v3/order', status: 200 })
    expect(await petri.get(`/_petri/requests/${call.request_id}`)).toAnswer(200)
    await stream.reader.cancel()
  })

  it('sends the start and the end of an advance', async () => {
    const stream = await open('?kinds=clock')
    await orderForPatient(petri)
    await petri.post('/_petri/clock/advance', {})
    await advance(petri, '1d')
    const told = await stream.read((all) => all.at(-1)?.data.advancing === false)
    expect(told[0]?.data).toMatchObject({ advancing: true })
    expect(told.at(-1)?.data).toMatchObject({ advancing: false, now: '2026-01-06T09:00:00.000Z' })
    await stream.reader.cancel()
  })

  it('begins with an event that shows that it is open', async () => {
    const stream = await open()
    const { value } = await stream.reader.read()
    const text = new TextDecoder().decode(value)
    expect(text).toMatch(/^retry: 1000\n\nevent: hello\ndata: \{"team_id":"[^"]+","name":"Petri"/)
    await stream.reader.cancel()
  })

  it('sends changes of clocks, settings, faults, snapshots and resets', async () => {
    const stream = await open('?kinds=clock,settings,fault,snapshot,world')
    await petri.patch('/_petri/clock', { pace: 10 })
    await petri.post('/_petri/clock/rebase')
    await petri.patch('/_petri/world', { scenario: 'slow-lab' })
    await petri.post('/_petri/faults', { faults: [{ operation: 'GET /v2/user', respond: { status: 503 } }] })
    await petri.put('/_petri/snapshots/before')
    await petri.post('/_petri/reset')
    const told = await stream.read(() => false)
    expect(told.map(({ event }) => event)).toEqual([
      ...['clock', 'clock', 'settings', 'fault', 'snapshot', 'world'],
    ])
    expect(told[0]?.data).toMatchObject({ kind: 'clock', pace: 10, next_due: null })
    expect(told.at(-1)?.data).toMatchObject({ change: 'reset' })
  })

  it('resumes after the client’s last event, or says that it has to read everything again', async () => {
    const first = await open('?kinds=order')
    const tellOrder = (id: string) => petri.world().agenda.record('order', { order_id: id, status: 'lost' })
    tellOrder('one')
    await first.read((told) => told.length === 1)
    await first.reader.cancel()
    tellOrder('two')
    const again = await open('?kinds=order', { 'last-event-id': lastId(first.text()) })
    tellOrder('three')
    const told = await again.read((all) => all.length === 2)
    expect(told.map(({ data }) => data.order_id)).toEqual(['two', 'three'])
    await again.reader.cancel()
    const stranger = await open('', { 'last-event-id': 'other-5' })
    expect((await stranger.read((all) => all.length === 1))[0]?.event).toBe('reload')
    await stranger.reader.cancel()
  })

  it('sends only the requested kinds, and no secrets', async () => {
    const stream = await open('?kinds=request')
    await createUser(petri)
    await petri.get(`/v2/user?api_key=${KEY}`)
    const told = await stream.read((all) => all.length === 2)
    expect(told.map(({ event }) => event)).toEqual(['request', 'request'])
    expect(JSON.stringify(told)).not.toContain(KEY)
    await stream.reader.cancel()
  })

  it('reports a scenario that an order has left, with the dropped steps', async () => {
    const stream = await open('?kinds=scenario_left')
    const order = await orderForPatient(petri, { scenario: 'lost-on-the-way-out' })
    await moveOrder(petri, order.id, 'cancelled', { force: true })
    const [left] = await stream.read((all) => all.length > 0)
    expect(left).toMatchObject({
      event: 'scenario_left',
      data: { order_id: order.id, detail: 'the order was moved manually', dropped: expect.any(Array) },
    })
    await stream.reader.cancel()
  })

  it('ends when the world ends', async () => {
    const stream = await open()
    await petri.post('/_petri/reset')
    expect(await stream.read(() => false)).toMatchObject([{ event: 'world', data: { change: 'reset' } }])
  })

  it('drops a client that never reads, and forgets it', { tags: 'slow' }, async () => {
    const stream = await open()
    const long = 'x'.repeat(100_000)
    for (let call = 0; call < 60; call++) {
      petri.world().agenda.record('order', { order_id: `${call}${long}` })
      await new Promise((resolve) => setImmediate(resolve))
    }
    const told = await stream.read(() => false)
    expect(told.length).toBeLessThan(60)
    expect(told.at(-1)?.event).toBe('dropped')
  })

  it('works over a socket, and ends when the client disconnects', { tags: 'slow' }, async () => {
    const server = await listen(petri.petri.app, { host: '127.0.0.1', port: 0 })
    try {
      const { bus } = petri.world().agenda
      const asked = request(`${server.url}/_petri/events`, { headers: { 'x-service-api-key': KEY } })
      const text = await new Promise<string>((resolve) => {
        asked.on('response', (answer) => {
          answer.on('data', (chunk) => {
            if (String(chunk).includes('event: order')) resolve(String(chunk))
            else petri.world().agenda.record('order', { order_id: 'x', status: 'lost' })
          })
        })
        asked.end()
      })
      expect(text).toContain('"order_id":"x"')
      asked.destroy()
      // Whom nobody reads is forgotten, once more has happened than a client could go on from.
      while (bus.subscribers > 0) {
        petri.world().agenda.record('order', { order_id: 'y', status: 'lost' })
        await new Promise((resolve) => setImmediate(resolve))
      }
    } finally {
      await server.close()
    }
  })

  it('refuses the 201st watcher', async () => {
    const streams = []
    for (let nth = 0; nth < 200; nth++) streams.push(await open())
    expect((await open()).answer.status).toBe(429)
    for (const { reader } of streams) await reader.cancel()
  })
})
