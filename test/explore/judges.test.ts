import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Invariant, judgeInvariants } from '../../src/tools/explore/checks.ts'
import { judgeCalls, judgeDeliveries } from '../../src/tools/explore/oracles.ts'
import type { Played } from '../../src/tools/explore/play.ts'
import { serveHost } from '../support/served.ts'

const played = (parts: object) => ({ history: { orders: [] }, ...parts }) as unknown as Played

describe('the judge of calls', () => {
  const AT = '2026-01-05T09:00:00Z'
  const call = (status: number, more: object = {}) =>
    judgeCalls(
      played({
        calls: [
          { at: AT, method: 'POST', path: '/v3/order', operation: 'order', fault_id: null, status, ...more },
        ],
      }),
    )

  it.each([
    [400, {}],
    [401, {}],
    [422, {}],
    [404, { operation: null }],
  ])('finds a call that was answered %i %j, with its time', (status, more) => {
    expect(call(status, more)).toEqual({
      oracle: 'call',
      at: Date.parse(AT),
      problem: `The program called POST /v3/order, which answered ${status}.`,
    })
  })

  it.each([
    [200, {}],
    [404, {}],
    [409, {}],
    [429, {}],
    [500, {}],
    [400, { path: '/v3/order/1/cancel' }],
    [422, { fault_id: 'fault_1' }],
  ])('passes over a call that was answered %i %j', (status, more) => {
    expect(call(status, more)).toBeUndefined()
  })
})

describe('the judge of deliveries', () => {
  const body = JSON.stringify({ event_type: 'labtest.order.created' })
  const delivery = (status: number | null, more: object = {}) => ({
    id: 'a',
    at: 5,
    status,
    detail: '',
    body,
    ...more,
  })
  const faults = { orders: [], faults: [{ operation: 'POST /v2/user' }] }

  it('finds a webhook that was refused, or not answered', () => {
    expect(
      judgeDeliveries(played({ deliveries: [delivery(200), delivery(500, { detail: 'no case' })] })),
    ).toEqual({
      oracle: 'delivery',
      at: 5,
      problem: 'The program answered 500 to a labtest.order.created webhook: no case',
    })
    expect(judgeDeliveries(played({ deliveries: [delivery(null, { detail: 'closed' })] }))).toMatchObject({
      oracle: 'crash',
      problem: 'The program did not answer a labtest.order.created webhook: closed',
    })
  })

  it('passes over what an outage kept from it, and a refusal before a retry where calls fail', () => {
    const kept = (outage: string) => judgeDeliveries(played({ deliveries: [delivery(null, { outage })] }))
    expect([kept('down'), kept('busy')]).toEqual([undefined, undefined])
    expect(kept('lost')).toMatchObject({ oracle: 'crash' })
    const again = [delivery(500), delivery(204)]
    expect(judgeDeliveries(played({ deliveries: again }))).toMatchObject({ oracle: 'delivery' })
    const ofOrder = { orders: [{}, { faults: faults.faults }] }
    for (const history of [faults, ofOrder])
      expect(judgeDeliveries(played({ history, deliveries: again }))).toBeUndefined()
    expect(judgeDeliveries(played({ history: faults, deliveries: again.reverse() }))).toMatchObject({
      oracle: 'delivery',
    })
  })
})

describe('the judge of what a program shows', () => {
  let program: string
  let answers: unknown[]
  let warned: string[]
  beforeEach(async () => {
    // The program listens on this machine.
    vi.unstubAllGlobals()
    warned = []
    program = await serveHost(() =>
      Response.json({ shown: answers.length > 1 ? answers.shift() : answers[0] }),
    )
  })

  const order = {
    id: 'o1',
    user_id: 'u1',
    last_event: { status: 'collecting_sample.testkit.transit_customer' },
  }
  const providers = [
    { slug: 'oura', status: 'connected' },
    { slug: 'fitbit', status: 'error' },
    { slug: 'garmin', status: 'paused' },
  ]
  const judge = async (rule: Partial<Invariant>, ...said: unknown[]) => {
    answers = said
    const world = { call: async () => ({ providers }) }
    const invariants = [{ url: `${program}/{user_id}/{order_id}`, at: 'shown', ...rule }]
    const checks = { invariants, world, warn: (sentence: string) => warned.push(sentence) }
    return judgeInvariants(checks as unknown as Parameters<typeof judgeInvariants>[0])(
      played({ orders: [order], redraws: [], userIds: ['u1'] }),
    )
  }

  it('takes a status by its whole name, its last part or its first', async () => {
    for (const said of [
      'collecting_sample.testkit.transit_customer',
      'transit_customer',
      'collecting_sample',
    ])
      expect(await judge({ equals: 'status' }, said)).toBeUndefined()
    expect(await judge({ equals: 'status' }, 'received')).toMatchObject({
      oracle: 'check',
      actual: 'received',
      expected: order.last_event.status,
    })
    const map = { collecting_sample: 'open', transit_customer: 'sent' }
    expect(await judge({ equals: 'status', map }, 'sent')).toBeUndefined()
    expect(await judge({ equals: 'status', map }, 'open')).toMatchObject({ oracle: 'check' })
    expect(await judge({ equals: 'status', map: { collecting_sample: 'open' } }, 'open')).toBeUndefined()
  })

  it('takes the providers that are connected, in any order', async () => {
    expect(await judge({ equals: 'providers' }, ['oura'])).toBeUndefined()
    for (const said of [[], ['oura', 'fitbit'], ['garmin']])
      expect(await judge({ equals: 'providers' }, said)).toMatchObject({ expected: ['oura'] })
  })

  it('takes a number up to a limit', async () => {
    expect(await judge({ at_most: 2 }, 2)).toBeUndefined()
    expect(await judge({ at_most: 2 }, 3)).toMatchObject({ oracle: 'invariant' })
    expect(await judge({ at_most: 2 }, '1')).toMatchObject({ oracle: 'invariant' })
  })

  it('asks again before something is wrong, and names a program that then answers differently', async () => {
    expect(await judge({ equals: 'status' }, 'received', 'transit_customer')).toBeUndefined()
    expect(warned).toEqual([
      `${program}/{user_id}/{order_id} answered "received" and then "transit_customer" to the same question, with nothing in between. The last answer is checked.`,
    ])
    expect(await judge({ equals: 'status' }, 'received', 'lost')).toMatchObject({ actual: 'lost' })
    expect(warned).toHaveLength(2)
    expect(await judge({ equals: 'status' }, 'received')).toMatchObject({ actual: 'received' })
    expect(warned).toHaveLength(2)
  })
})
