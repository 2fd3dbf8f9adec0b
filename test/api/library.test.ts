import { VitalClient } from '@tryvital/vital-node'
import { Webhook } from 'svix'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  connectToPetri,
  type Message,
  matchers,
  type PetriRefusal,
  type PetriWorld,
  startPetri,
} from '../../src/index.ts'

type Verdict = ReturnType<typeof matchers.toHaveStatus>

const newUser = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ client_user_id: 'ada' }),
}

describe('startPetri', () => {
  // Some of these tests ask a server of their own on this machine.
  beforeEach(() => void vi.unstubAllGlobals())

  it('answers without a socket, with its own key unless given another', async () => {
    const petri = await startPetri({ now: '2026-01-05T09:00:00Z' })
    const created = await petri.fetch('/v2/user', newUser)
    expect(await created.json()).toMatchObject({ created_on: '2026-01-05T09:00:00+00:00' })
    const stranger = await petri.fetch('/v2/user', { headers: { 'x-vital-api-key': 'sk_us_other' } })
    expect(stranger).toAnswer(401)
    await petri.close()
  })

  it('listens when its URL is first read, for its worlds too, and never leads the official client elsewhere', async () => {
    const sockets = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length
    const before = sockets()
    const petri = await startPetri()
    const world = await petri.world()
    const [first, second] = [await petri.users.create('ada'), await world.users.create('eve')]
    expect(sockets()).toBe(before)
    const { url } = world
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect([petri.url, world.client(), petri.client().apiKey]).toEqual([
      url,
      { apiKey: world.apiKey, environment: url },
      petri.apiKey,
    ])
    for (const [kit, { user_id }] of [
      [petri, first],
      [world, second],
    ] as const)
      expect(await new VitalClient(kit.client()).user.get(user_id)).toMatchObject({
        userId: user_id,
      })
    await petri.close()
    await expect(fetch(`${url}/_petri/health`)).rejects.toThrow()
    expect(() => petri.url).toThrow('This Petri is closed.')
  })

  it('says how to get a URL where it cannot listen at once', async () => {
    const petri = await startPetri({ host: 'localhost' })
    expect(() => petri.client()).toThrow('startPetri({ port: 0 })')
    await petri.close()
  })

  it('answers at a port when asked to, and shares nothing with another', async () => {
    const [one, two] = await Promise.all([startPetri({ port: 0 }), startPetri({ port: 0 })])
    await one.fetch('/v2/user', newUser)
    const totalAt = async ({ url, apiKey }: typeof one) => {
      const answer = await fetch(`${url}/v2/user`, { headers: { 'x-service-api-key': apiKey } })
      return ((await answer.json()) as { total: number }).total
    }
    expect([await totalAt(one), await totalAt(two)]).toEqual([1, 0])
    await Promise.all([one.close(), two.close()])
  })

  it('can start again at the same port once it is closed, for clients that keep connections', async () => {
    const { url, close } = await startPetri({ port: 0 })
    expect(await fetch(`${url}/_petri/health`)).toAnswer(200)
    await close()
    for (let round = 0; round < 4; round++) {
      const again = await startPetri({ port: Number(new URL(url).port) })
      expect(await fetch(`${url}/_petri/health`).then((response) => response.json())).toMatchObject({
        status: 'ok',
      })
      await again.close()
    }
  })
})

/** The kit works alike in this process and over a socket. */
describe.each(['in this process', 'over a socket'])('the testing kit %s', (where) => {
  beforeEach(() => void vi.unstubAllGlobals())

  async function open(use: (world: PetriWorld) => Promise<void>) {
    const server = await startPetri({ now: '2026-01-05T09:00:00Z' })
    const petri = where === 'in this process' ? server : await connectToPetri({ url: server.url })
    try {
      const world = await petri.world({ now: '2026-01-05T09:00:00Z' })
      await use(world)
      await world.close()
      await expect(world.describe()).rejects.toThrow('This world is closed')
      await expect(world.fetch('/v2/user')).rejects.toThrow('This world is closed')
    } finally {
      await petri.close()
      await server.close()
    }
  }

  it('moves the clock and returns the time', () =>
    open(async (world) => {
      const order = await world.orders.place({ scenario: 'happy-path' })
      const { effects } = await world.clock.advance('2d')
      expect(effects.some(({ order_id }) => order_id === order.id)).toBe(true)
      expect(await world.clock.now()).toEqual(new Date('2026-01-07T09:00:00Z'))
      await world.clock.advance({ to: new Date('2026-01-08T09:00:00Z') })
      expect(await world.clock.get()).toMatchObject({ frozen: true, now: '2026-01-08T09:00:00.000Z' })
      await world.clock.advance(new Date('2026-01-08T10:00:00Z'))
      expect(await world.clock.now()).toEqual(new Date('2026-01-08T10:00:00Z'))
      expect(await world.clock.run()).toMatchObject({ frozen: false })
    }))

  it('shows what is pending, what an order may become and what was called', () =>
    open(async (world) => {
      const { id } = await world.orders.place()
      const { total } = await world.agenda()
      expect(total).toBeGreaterThan(0)
      expect(await world.agenda(id)).toMatchObject({ total, data: [{ order_id: id }] })
      expect(await world.agenda('none')).toMatchObject({ total: 0 })
      expect((await world.lifecycle()).phases.at(-1)).toBe('failed')
      expect((await world.coverage()).order_statuses.met).toEqual({ 'received.testkit.ordered': 1 })
    }))

  it('delivers webhooks to a function, signed', () =>
    open(async (world) => {
      const verifier = new Webhook(world.webhookSecret)
      const received: string[] = []
      await world.webhooks.deliverTo(async (request) => {
        const event = verifier.verify(await request.text(), Object.fromEntries(request.headers))
        received.push((event as { event_type: string }).event_type)
      })
      await world.orders.place({ scenario: 'happy-path' })
      await world.clock.advance({ until: 'idle' })
      const messages = await world.webhooks.messages({ status: 'delivered' })
      expect(messages.map(({ event_type }) => event_type)).toEqual(received)
      expect(received).toContain('labtest.order.created')
    }))

  it('shows what a receiver answered, and tries again on request', () =>
    open(async (world) => {
      let status = 500
      await world.webhooks.deliverTo(() => new Response('not yet', { status }))
      await world.users.create('ada')
      await world.orders.place()
      await world.clock.settle()
      const [message] = await world.webhooks.messages({ event_type: 'labtest.order.created' })
      expect(message?.attempts[0]).toMatchObject({ status: 500, response: { body: 'not yet' } })
      status = 200
      await world.webhooks.resend({ message_id: message?.id ?? '' })
      await world.clock.settle()
      expect(await world.webhooks.message(message?.id ?? '')).toMatchObject({ status: 'delivered' })
    }))

  it(
    'makes the next attempt of waiting messages now: of one, of those to an endpoint, or of all',
    { tags: 'slow' },
    () =>
      open(async (world) => {
        let status = 500
        const { id: endpoint_id } = await world.webhooks.deliverTo(() => new Response(null, { status }))
        const other = await world.webhooks.deliverTo(() => undefined)
        for (let order = 0; order < 3; order++) await world.orders.place()
        await world.clock.settle()
        const waiting = await world.webhooks.messages({ status: 'pending' })
        expect(waiting).toHaveLength(3)
        status = 200
        const [first] = waiting
        expect(await world.webhooks.resend({ endpoint_id: other.id })).toBe(0)
        expect(await world.webhooks.resend({ message_id: first?.id ?? '' })).toBe(1)
        await world.clock.settle()
        expect(await world.webhooks.message(first?.id ?? '')).toMatchObject({ status: 'delivered' })
        expect(await world.webhooks.resend({ endpoint_id })).toBe(2)
        await world.clock.settle()
        expect(await world.webhooks.messages({ status: 'pending' })).toEqual([])
        expect(await world.webhooks.resend()).toBe(0)
        await expect(world.webhooks.resend({ mesage_id: 'x' } as never)).rejects.toThrow(
          'body.mesage_id: Extra inputs are not permitted. Did you mean "message_id"?',
        )
      }),
  )

  it('moves orders by hand, and throws what Petri refuses in its words', () =>
    open(async (world) => {
      const { id } = await world.orders.place()
      expect((await world.orders.move(id, 'cancelled')).last_event.status).toBe('cancelled.testkit.cancelled')
      const refusal: PetriRefusal = await world.orders.move(id, 'completed').then(
        () => expect.fail('it was not refused'),
        (error) => error,
      )
      expect(refusal).toMatchObject({ name: 'PetriRefusal', status: 409, body: { legal: [] } })
      expect(refusal.message).toMatch(
        /^POST \S+\/move answered 409: The order is .*\n {2}legal: nothing(\n|$)/,
      )
    }))

  it('is as after its creation after a reset', () =>
    open(async (world) => {
      const make = async () => [
        await world.users.create('ada'),
        ...(await Promise.all([world.users.create(), world.users.create()])),
        await world.orders.place(),
      ]
      const first = await make()
      const names = ['ada', 'user-2', 'user-3'].map((name) => ({ client_user_id: name }))
      expect(first).toMatchObject([...names, {}])
      await world.clock.advance('1d')
      await world.reset()
      expect(await make()).toEqual(first)
    }))

  it('stops waiting for a late response when the signal of the call is aborted', { tags: 'slow' }, () =>
    open(async (world) => {
      await world.faults.set({ operation: 'GET /v2/user', latency: '15s' })
      const startedAt = performance.now()
      const late = world.fetch('/v2/user', { signal: AbortSignal.timeout(50) })
      await expect(late).rejects.toMatchObject({ name: 'TimeoutError' })
      expect(performance.now() - startedAt).toBeLessThan(5000)
      const before = world.fetch('/v2/user', { signal: AbortSignal.abort() })
      await expect(before).rejects.toMatchObject({ name: 'AbortError' })
    }),
  )

  it(
    'advances until an order has a status, with its webhooks, or until the next job is done',
    { tags: 'slow' },
    () =>
      open(async (world) => {
        const received: string[] = []
        await world.webhooks.deliverTo(async (request) => {
          const { data } = JSON.parse(await request.text())
          received.push(data.last_event.status)
        })
        const { id } = await world.orders.place({ scenario: 'happy-path' })
        const start = (await world.clock.now()).getTime()
        await world.clock.advance({ until: 'next' })
        expect((await world.clock.now()).getTime()).toBeGreaterThan(start)
        const reached = await world.orders.reach(id, 'delivered_to_lab')
        expect(reached.last_event?.status).toBe('sample_with_lab.testkit.delivered_to_lab')
        expect(received.at(-1)).toBe('sample_with_lab.testkit.delivered_to_lab')
        await world.clock.advance({ until: { order_id: id, status: 'completed.testkit.completed' } })
        const now = await world.clock.now()
        await expect(world.orders.reach(id, 'lost')).rejects.toThrow('Nothing pending leads to this status')
        await expect(world.orders.reach(id, 'los')).rejects.toThrow('"los" is not a status')
        expect(await world.clock.now()).toEqual(now)
      }),
  )

  it('waits, and names the nearest match after the timeout', { tags: 'slow' }, () =>
    open(async (world) => {
      await world.webhooks.deliverTo(() => undefined)
      const { id } = await world.orders.place({ scenario: 'happy-path' })
      const [created] = await world.webhooks.wait({ event_type: 'labtest.order.created' })
      expect(created).toMatchObject({ order_id: id, status: 'delivered' })
      await world.fetch('/v2/user', newUser)
      const [call] = await world.requests.wait({ operation: 'POST /v2/user' })
      const { ignored, response } = await world.requests.get(call?.id ?? '')
      expect({ ignored, response }).toMatchObject({ ignored: [], response: { client_user_id: 'ada' } })
      await world.clock.advance('30d')
      expect(await world.orders.wait(id, 'completed')).toMatchObject({ id, status: 'completed' })
      const late = world.orders.wait(id, 'cancelled', { timeout: '50ms' })
      await expect(late).rejects.toThrow(/^POST \/_petri\/wait answered 408: [\s\S]*\n +2026-\S+ .*completed/)
    }),
  )

  it('triggers events, takes snapshots and puts an exported state back', { tags: 'slow' }, () =>
    open(async (world) => {
      await world.webhooks.deliverTo(() => undefined)
      const { id } = await world.orders.place({ scenario: 'manual' })
      const { messages } = await world.trigger({ event_type: 'labtest.result.critical', order_id: id })
      expect(messages).toMatchObject([{ event_type: 'labtest.result.critical', order_id: id }])
      await world.snapshots.save('placed')
      await world.orders.move(id, 'cancelled')
      const state = await world.state.export()
      await world.snapshots.restore('placed')
      expect((await world.orders.get(id)).status).not.toBe('cancelled')
      expect(await world.snapshots.list()).toMatchObject([{ name: 'placed' }])
      await world.state.import(state)
      expect(await world.orders.get(id)).toMatchObject({ status: 'cancelled' })
    }),
  )
})

describe('matchers', () => {
  beforeEach(() => void vi.unstubAllGlobals())

  /** Whether a matcher holds, and what it says. */
  const said = async (verdict: Verdict | Promise<Verdict>) => {
    const { pass, message } = await verdict
    return `${pass ? 'holds: ' : ''}${message()}`
  }

  it('check the status of an order and its history', async () => {
    const petri = await startPetri({ now: '2026-01-05T09:00:00Z' })
    const { id } = await petri.orders.place({ scenario: 'problem-in-transit-customer' })
    await petri.clock.advance('5d')
    const order = await petri.orders.get(id)
    const { toHaveStatus, toHaveVisited } = matchers
    const { status } = order.last_event
    const was = order.events.map((event) => `\n  ${event.created_at}  ${event.status}`).join('')
    expect(was).toMatch(/^\n {2}2026-01-05T09:00:00\+00:00 {2}received\.testkit\.ordered\n/)
    for (const wanted of ['problem_in_transit_customer', status])
      expect(await said(toHaveStatus(order, wanted))).toBe(`holds: The order is ${status}. It was:${was}`)
    expect(await said(toHaveStatus(order, 'lost'))).toBe(`The order is ${status}, not lost. It was:${was}`)
    // A word is a whole part of a status: what is drawn is not completed.
    const drawn = { ...order.last_event, status: 'collecting_sample.walk_in_test.draw_completed' }
    expect((await toHaveStatus({ ...order, last_event: drawn }, 'completed')).pass).toBe(false)
    expect((await toHaveStatus({ ...order, last_event: drawn }, 'draw_completed')).pass).toBe(true)
    expect(await said(toHaveVisited(order, ['ordered', 'transit_customer']))).toBe(
      `holds: The order has visited ordered, transit_customer:${was}`,
    )
    expect(
      await said(toHaveVisited(order, ['ordered', 'requisition_created', 'transit_customer', 'ordered'])),
    ).toBe(`The order has not been ordered after transit_customer. It was:${was}`)
    expect(await said(toHaveVisited(order, ['lost']))).toBe(`The order has not been lost. It was:${was}`)
    const events = order.events.map((event) => ({ ...event, status_detail: 'consent_missing' as const }))
    expect(await said(toHaveVisited({ ...order, events }, ['lost']))).toMatch(/\.ordered consent_missing\n/)
    expect(() => toHaveVisited(order, ['ordered', 'transit_custome'])).toThrow(
      new TypeError('"transit_custome" is not a status of an order. Did you mean "transit_customer"?'),
    )
    await petri.close()
  })

  it('print what happened in the order in which it did, also without an endpoint', {
    tags: 'slow',
  }, async () => {
    const petri = await startPetri({ frozen: true, now: '2026-01-05T09:00:00Z' })
    await petri.users.create('ada')
    const placed = await petri.orders.place({ scenario: 'manual' })
    await petri.webhooks.deliverTo(async (request) => {
      const { data } = (await request.json()) as { data: { id: string } }
      await petri.fetch(`/v3/order/${data.id}`)
    })
    await petri.orders.move(placed.id, 'requisition_created')
    await petri.clock.settle()
    await petri.fetch(`/v3/order/${placed.id}/cancel`, { method: 'POST' })
    await petri.clock.settle()
    await petri.fetch('/v2/user', { headers: { 'x-vital-api-key': 'sk_us_wrong' } })
    const lines = (await petri.journal()).replaceAll(placed.id, 'ID').split('\n')
    expect(lines.map((line) => line.replace(/^20\d\d-\S+ {2}/, ''))).toEqual([
      'What was asked and delivered:',
      'POST /v2/user: 200',
      'the test placed order ID',
      'webhook labtest.order.created: no endpoint',
      'webhook labtest.order.updated: delivered',
      'GET /v3/order/ID: 200',
      'POST /v3/order/ID/cancel: 200',
      'webhook labtest.order.updated: delivered',
      'GET /v3/order/ID: 200',
      'With a key of no world, in this test or one next to it:',
      'GET /v2/user: 401 (invalid token)',
    ])
    for (let nth = 1; nth <= 30; nth++) await petri.fetch(`/v2/user/nobody-${nth}`)
    const latest = (await petri.journal()).split('\n')
    expect(latest.indexOf('With a key of no world, in this test or one next to it:')).toBe(31)
    expect(latest[1]).toContain('GET /v2/user/nobody-1: ')
    const later = await petri.world()
    expect(await later.journal()).toBe('What was asked and delivered:')
    await later.orders.place()
    expect(await later.journal()).toMatch(/the test placed order \S+\n\S+ {2}webhook .*: no endpoint$/)
    await petri.close()
  })

  it('check deliveries, and name the nearest match', { tags: 'slow' }, async () => {
    const petri = await startPetri()
    const { toHaveDelivered } = matchers
    expect(await said(toHaveDelivered(petri, 'labtest.order.created'))).toBe(
      'None delivered of labtest.order.created. The world has no endpoint. There are no messages.',
    )
    await petri.orders.place({ scenario: 'manual' })
    const [unsent] = await petri.webhooks.messages({ status: 'no_endpoint' })
    const about = ({ order_id, user_id }: Partial<Message> = {}) => `order ${order_id}  user ${user_id}`
    expect(await said(toHaveDelivered(petri, 'labtest.order.created'))).toBe(
      'None delivered of labtest.order.created. The world has no endpoint. There are:\n' +
        `  no endpoint  labtest.order.created  ${about(unsent)}`,
    )
    let status = 200
    await petri.webhooks.deliverTo(() => new Response(null, { status }))
    const messages = async () => [{ ...unsent, status: 'pending' }]
    const early = Object.create(petri, { webhooks: { value: { ...petri.webhooks, messages } } })
    expect(await said(toHaveDelivered(early, 'labtest.order.created'))).toMatch(
      /^None .*\n {2}pending {2}.* {2}not tried yet$/,
    )
    const placed = await petri.orders.place({ scenario: 'manual' })
    const { id } = placed
    await petri.clock.settle()
    const created = { event_type: 'labtest.order.created', order_id: id }
    const shown = `  delivered  labtest.order.created  ${about({ order_id: id, user_id: placed.user_id })}`
    for (const [delivery, wanted, times] of [
      ['holds: 1 delivered of labtest.order.created', 'labtest.order.created'],
      [`holds: 1 delivered of labtest.order.created ${id}`, { ...created, user_id: undefined }],
      [`holds: 1 delivered of 1 labtest.order.created ${id}`, created, 1],
      [`1 delivered of 2 labtest.order.created ${id}`, created, 2],
      [`1 delivered of 0 labtest.order.created ${id}`, created, 0],
      ['holds: 1 delivered of anything', {}],
    ] as const)
      expect(await said(toHaveDelivered(petri, wanted, times))).toBe(`${delivery}. There are:\n${shown}`)
    expect(await said(toHaveDelivered(petri, { ...created, order_id: 'none' }))).toBe(
      `None delivered of labtest.order.created none. The nearest:\n${shown}`,
    )
    await expect(toHaveDelivered(petri, 'labtest.order.create')).rejects.toThrow('no event type')
    status = 500
    await petri.orders.move(id, 'cancelled')
    await petri.clock.settle()
    expect(await said(toHaveDelivered(petri, 'labtest.order.updated', 7))).toMatch(
      /^None delivered of 7 labtest\.order\.updated\. There are:\n {2}pending .* {2}The receiver answered 500$/,
    )
    status = 503
    await petri.clock.advance('5s')
    expect(await said(toHaveDelivered(petri, 'labtest.order.updated'))).toMatch(/answered 503$/)
    const first = unsent?.order_id ?? ''
    for (const order_id of [first, ...Array.from({ length: 10 }, () => id)])
      await petri.trigger({ event_type: 'labtest.result.critical', order_id })
    const many = await said(toHaveDelivered(petri, 'labtest.result.critical'))
    expect(many).not.toContain(first)
    expect(many.split('\n')).toHaveLength(11)
    const { user_id } = placed
    await petri.call('POST', '/v2/link/connect/demo', { user_id, provider: 'oura' })
    expect(await said(toHaveDelivered(petri, 'provider.connection.created'))).toMatch(
      /\n {2}pending {2}provider\.connection\.created {2}user \S+ {2}\w/,
    )
    const other = { event_type: 'labtest.result.critical', order_id: 'none' }
    expect(await said(toHaveDelivered(petri, other))).toMatch(
      /nearest:(\n {2}pending {2}labtest\.result\..*){10}$/,
    )
    await petri.close()
  })
})

it('throws at the end what a function that receives webhooks has thrown, and is closed all the same', async () => {
  const petri = await startPetri()
  let calls = 0
  const failing = () => {
    throw new Error(calls++ === 0 ? 'never' : 'later')
  }
  for (const open of [
    () => petri.world({ webhookUrl: failing }),
    async () => {
      const world = await petri.world()
      await world.webhooks.deliverTo(failing)
      return world
    },
  ]) {
    calls = 0
    const world = await open()
    await world.orders.place({ scenario: 'manual' })
    await world.clock.settle()
    expect(await world.journal()).toMatch(/webhook labtest\.order\.created: pending \(.*never/)
    const missed = world.webhooks.wait({ event_type: 'labtest.order.created' })
    await expect(missed).rejects.toMatchObject({ status: 408, cause: new Error('never') })
    await world.clock.advance('5s')
    await expect(world.close()).rejects.toThrow('never')
    await expect(world.close()).rejects.toThrow('never')
    await expect(world.clock.get()).rejects.toThrow('This world is closed')
  }
  await petri.close()
})

it('takes a world that somebody else has deleted as closed', async () => {
  const petri = await startPetri()
  const world = await petri.world()
  await petri.call('DELETE', `/_petri/worlds/${world.teamId}`)
  await world.close()
  await petri.close()
})

it('answers nothing more once it is closed', async () => {
  const petri = await startPetri()
  await petri.close()
  await expect(petri.fetch('/v2/user')).rejects.toThrow('This Petri is closed')
})

it('says what to await when a world is closed while its clock is advanced', async () => {
  const petri = await startPetri({ now: '2026-01-05T09:00:00Z' })
  const world = await petri.world({ now: '2026-01-05T09:00:00Z' })
  const said = (call: Promise<unknown>) => call.catch(({ message }: Error) => message)
  expect(await said(world.clock.advance('2x'))).not.toContain('Await')
  const calls = [world.clock.advance('2d'), world.snapshots.restore('none')].map(said)
  await world.close()
  expect(await Promise.all(calls)).toEqual([
    expect.stringMatching(/^POST \S+ answered .* Await clock\.advance\(…\) before you close the world\.$/),
    expect.stringMatching(/^POST [^A]+$/),
  ])
  await petri.close()
})
