import { describe, expect, it } from 'vitest'
import { webhookLimits } from '../../src/api/limits.ts'
import { DAY_MS } from '../../src/kernel/instant.ts'
import { addEndpoint, listEndpoints } from '../../src/webhooks/endpoints.ts'
import { messages } from '../../src/webhooks/table.ts'
import { managing, teamIdOf } from '../support/management.ts'
import { advance, createUser, orderKit } from '../support/orders.ts'
import { START } from '../support/petri.ts'
import { type Respond, startHeardPetri } from '../support/receiver.ts'

const ENDPOINTS = '/_petri/webhooks/endpoints'

/** A world with so many endpoints. */
async function startWithEndpoints(count: number, respond?: Respond) {
  const warnings: string[] = []
  const { petri, receiver } = await startHeardPetri(respond, { warn: (message) => warnings.push(message) })
  const world = petri.world()
  for (let nth = 2; nth <= count; nth++) addEndpoint(world, { url: `http://receiver.test/${nth}` })
  const emit = (data: object = {}) =>
    world.emit('labtest.order.updated', { userId: null, clientUserId: null }, data)
  const waiting = () => [...world.db.all(messages)].filter(({ status }) => status === 'pending').length
  return { petri, world, received: receiver.received, warnings, emit, waiting }
}

describe('a message that many endpoints give up', () => {
  it('is announced for five of them, once to each endpoint that does not fail', async () => {
    // The receivers 1 to 6 fail, the others accept.
    const { world, received, emit } = await startWithEndpoints(9, ({ url }) =>
      /[789]$/.test(url) ? 200 : 500,
    )
    emit()
    await world.agenda.advanceTo(START + 2 * DAY_MS)
    const announced = received
      .filter(({ body }) => body.includes('message.attempt.exhausted'))
      .map(({ url, body }) => `${url.at(-1)} ${JSON.parse(body).data.endpointId}`)
    const failed = listEndpoints(world).map(({ id }) => id)
    expect(announced).toEqual(failed.slice(0, 5).flatMap((id) => ['7', '8', '9'].map((to) => `${to} ${id}`)))
    expect(received).toHaveLength(6 * 8 + 3 + 5 * 3)
  })
})

it('10 orders with 60 dead of 100 endpoints send and keep a bounded number of messages in 12 days', {
  tags: 'slow',
}, async () => {
  const { petri, world, received } = await startWithEndpoints(100, ({ url }) =>
    Number(/\d+$/.exec(url)?.[0] ?? 1) <= 60 ? 500 : 200,
  )
  for (let nth = 0; nth < 10; nth++)
    await orderKit(petri, { scenario: 'happy-path', user: await createUser(petri, `user ${nth}`) })
  const { body } = await advance(petri, '12d')
  expect(body.effects).toHaveLength(10_000)
  // Of each event, eight attempts to each dead endpoint and one to each other; five are announced to those.
  expect(received).toHaveLength(10 * 5 * (60 * 8 + 40 + 5 * 40))
  const tables = await world.db.copy()
  const texts = [...tables.values()].flatMap((rows) => [...rows.values()])
  expect(texts.join('').length).toBeLessThan(16 * 1024 * 1024)
})

describe('the endpoints of a world', () => {
  it('are 200 at most, whichever call adds them', { tags: 'slow' }, async () => {
    const { petri, world } = await startWithEndpoints(199)
    const manage = managing(petri)
    const team = `/team/${teamIdOf(petri)}/sandbox/webhook`
    const url = 'http://receiver.test/more'
    expect(await petri.post(ENDPOINTS, { url })).toAnswer(201)
    const refusal = {
      status: 409,
      body: {
        detail: 'A world can have 200 webhook endpoints, and this would be number 201; remove one first.',
      },
    }
    expect(await petri.post(ENDPOINTS, { url })).toMatchObject(refusal)
    expect(await manage.post(team, { url })).toAnswer(409)
    expect(await petri.post('/_petri/reset', { keep_endpoints: true })).toAnswer(200)
    expect(world.agenda.stopped).toBe(true)
    const [first] = listEndpoints(petri.world())
    await petri.patch(`${ENDPOINTS}/${first?.id}`, { url })
    expect(await petri.post('/_petri/reset', { keep_endpoints: true })).toMatchObject(refusal)
    const state = await petri.read('/_petri/state')
    expect(await petri.put('/_petri/state', state)).toAnswer(200)
    const rows = state.tables.webhook_endpoints
    rows.ep_more = { ...rows[first?.id ?? ''], id: 'ep_more' }
    expect(await petri.put('/_petri/state', state)).toMatchObject(refusal)
    expect(listEndpoints(petri.world())).toHaveLength(200)
  })
})

describe('messages that wait for an attempt', { tags: 'slow' }, () => {
  it('are 20,000 at most; further ones are given up, and can be sent again', async () => {
    const { petri, world, warnings, emit, waiting } = await startWithEndpoints(199)
    for (let nth = 0; nth < 100; nth++) emit()
    expect(waiting()).toBe(19_900)
    expect(warnings).toEqual([])
    const last = emit()
    expect(waiting()).toBe(webhookLimits.waiting)
    const dropped = [...world.db.all(messages)].filter(({ status }) => status === 'failed')
    expect(dropped).toHaveLength(99)
    expect(dropped[0]).toMatchObject({ id: `${last}~101`, marks: ['too_many_waiting'], attempts: [] })
    expect(warnings).toEqual(['Webhook messages were given up, because too many wait for an attempt'])
    await world.agenda.settled()
    expect((await petri.post('/_petri/webhooks/resend')).body).toEqual({ resent: 99 })
  })

  it('have 64 MiB at most; then those whose attempt fails are given up as well', async () => {
    const { world, emit, waiting } = await startWithEndpoints(1, () => 500)
    const data = { text: 'x'.repeat(1024 * 1024) }
    for (let nth = 0; nth < 70; nth++) emit(data)
    expect(waiting()).toBe(64)
    const given = () => [...world.db.all(messages)].filter(({ marks }) => marks.includes('too_many_waiting'))
    expect(given()).toHaveLength(6)
    await world.agenda.settled()
    // The first failed attempt makes room for the others.
    expect(waiting()).toBe(63)
    expect(given().map(({ attempts }) => attempts.length)).toEqual([1, 0, 0, 0, 0, 0, 0])
  })
})
