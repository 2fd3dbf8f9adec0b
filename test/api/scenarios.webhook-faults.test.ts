import { describe, expect, it } from 'vitest'
import { verificationError } from '../../src/webhooks/signature.ts'
import { field } from '../support/field.ts'
import { advance, createUser, orderForPatient, untilIdle } from '../support/orders.ts'
import { startTestPetri, type TestPetri } from '../support/petri.ts'
import { startHeardPetri } from '../support/receiver.ts'
import { placeByMethod, uploadScenario } from '../support/scenarios.ts'

const HOUR = 3_600_000
const steps = [
  { after: '1h', status: 'requisition_created', only: 'registered_kit' },
  { after: '1h', status: 'transit_customer', only: 'registered_kit' },
  { after: '1h', status: 'with_customer', only: 'registered_kit' },
  { after: '1h', status: 'transit_lab', only: 'registered_kit' },
  { after: '1h', status: 'delivered_to_lab', only: 'registered_kit' },
  { after: '1h', status: 'completed', only: 'registered_kit', results: { interpretation: 'abnormal' } },
  { after: '1h', status: 'corrected', only: 'registered_kit', results: { interpretation: 'normal' } },
]

const deliver = async (rules: unknown, world: object = { frozen: true }) => {
  const { petri, receiver } = await startHeardPetri(() => 200, { world })
  const { status, body } = await uploadScenario(petri, 'mine', 'testkit', steps, { webhook_faults: rules })
  expect(status, JSON.stringify(body)).toBe(200)
  const begun = petri.world().clock.now()
  await orderForPatient(petri, { scenario: 'mine' })
  await untilIdle(petri)
  const came = receiver.received.map(({ body, at }) => {
    const { status: dotted } = JSON.parse(body).data.last_event ?? JSON.parse(body).data.events.at(-1)
    return { low: dotted.split('.').at(-1), hours: Math.round((at - begun) / HOUR) }
  })
  return { petri, receiver, came, lows: came.map(field('low')) }
}
const usual = ['ordered', ...steps.map(field('status'))]
const without = (low: string) => usual.filter((one) => one !== low)

describe('a webhook fault of a scenario', () => {
  it('without conditions is for all events, also in a list', async () => {
    for (const rules of [{ duplicate: 1 }, [{ duplicate: 1 }]])
      expect((await deliver(rules)).lows).toEqual(usual.flatMap((low) => [low, low]))
  })

  it('brings "completed" after "corrected"', async () => {
    const { came } = await deliver([{ event: 'completed', delay: '30h' }])
    expect(came.map(field('low'))).toEqual([...without('completed'), 'completed'])
    expect(came.at(-1)?.hours).toBe(36)
  })

  it.each([
    ['an event type and a status', { event: 'labtest.order.updated', status: 'transit_lab' }],
    ['a dotted status', { status: 'collecting_sample.testkit.transit_lab' }],
    ['a status and its first occurrence', { status: 'transit_lab', occurrence: 1 }],
    ['the fourth update', { event: 'labtest.order.updated', occurrence: 4 }],
  ])('names %s', async (_, rule) => {
    const { lows } = await deliver([{ ...rule, duplicate: 2 }])
    expect(lows).toEqual(usual.flatMap((low) => (low === 'transit_lab' ? [low, low, low] : [low])))
  })

  it.each([
    { event: 'labtest.order.created', status: 'transit_lab' },
    { event: 'labtest.appointment.updated' },
    { status: 'transit_lab', occurrence: 2 },
    { status: 'lost' },
  ])('for an event that never comes changes nothing, and the check warns of it: %j', async (rule) => {
    const { petri, lows } = await deliver([{ ...rule, duplicate: 2 }])
    expect(lows).toEqual(usual)
    const file = {
      name: 'mine',
      summary: 'x',
      method: 'testkit',
      steps,
      webhook_faults: [{ ...rule, duplicate: 2 }],
    }
    const { body } = await petri.post('/_petri/scenarios/check', file)
    expect(body).toMatchObject({
      valid: true,
      refusals: [],
      warnings: [{ message: expect.stringContaining('never') }],
    })
    const uploaded = await petri.put('/_petri/scenarios/mine', file)
    expect(uploaded.body.warnings).toEqual([expect.stringContaining('never')])
  })

  it.each([
    ['testkit', { event: 'labtest.order.created', status: 'ordered' }, ''],
    ['testkit', { event: 'labtest.order.updated', status: 'ordered' }, 'labtest.order.updated ordered'],
    ['testkit', { event: 'labtest.order.created', occurrence: 2 }, 'labtest.order.created, number 2,'],
    ['testkit', { event: 'labtest.order.updated', occurrence: 7 }, ''],
    ['testkit', { event: 'labtest.order.updated', occurrence: 8 }, 'labtest.order.updated, number 8,'],
    ['testkit', { event: 'labtest.result.critical', occurrence: 2 }, ''],
    ['testkit', { status: 'ordered' }, ''],
    ['testkit', { status: 'transit_lab' }, ''],
    ['testkit', { status: 'lost' }, 'lost'],
    ['testkit', { status: 'ordered', occurrence: 2 }, 'ordered, number 2,'],
    ['testkit', { occurrence: 8 }, ''],
    ['testkit', { occurrence: 9 }, ', number 9,'],
    ['testkit', { event: 'labtest.appointment.updated' }, 'labtest.appointment.updated'],
    ['walk_in_test', { event: 'labtest.appointment.updated' }, ''],
  ])('of a scenario of %s is warned of where its event never comes: %j', async (method, rule, what) => {
    const petri = await startTestPetri()
    const file = { name: 'mine', summary: 'x', method, webhook_faults: [{ ...rule, duplicate: 2 }] }
    const own = method === 'testkit' ? steps : [{ after: '1h', status: 'requisition_created' }]
    const { body } = await petri.post('/_petri/scenarios/check', { ...file, steps: own })
    const message = `the event ${what} never comes in this scenario, so this rule has no effect`
    expect(body.warnings.map(field('message'))).toEqual(what ? [expect.stringContaining(message)] : [])
    const empty = await petri.post('/_petri/scenarios/check', { ...file, steps: [] })
    expect(empty.body.warnings).toEqual([])
  })

  it.each([
    ['reorder', ['requisition_created', 'ordered', 'with_customer', 'transit_customer']],
    ['burst', usual.slice(0, 4)],
  ])('turns round or gathers the events of each order for itself: %s', async (name, lows) => {
    const { petri, receiver } = await startHeardPetri(() => 200, { world: { frozen: true } })
    await uploadScenario(petri, 'mine', 'testkit', steps.slice(0, 3), { webhook_faults: { [name]: 2 } })
    const user = await createUser(petri, 'ada')
    for (let nth = 0; nth < 2; nth++) await orderForPatient(petri, { scenario: 'mine', user })
    await untilIdle(petri)
    const told = receiver.received.map(({ body }) => JSON.parse(body).data)
    for (const id of new Set(told.map(field('id'))))
      expect(
        told.filter((data) => data.id === id).map(({ last_event }) => last_event.status.split('.').at(-1)),
      ).toEqual(lows)
    expect(new Set(told.slice(0, 2).map(field('id'))).size).toBe(1)
  })

  it('counts the events of its own order up to this one, however late they are', async () => {
    const late = { event: 'labtest.order.updated', occurrence: 4, duplicate: 2 }
    const { petri, lows } = await deliver([{ delay: '90m' }, late])
    expect(lows.filter((low) => low === 'transit_lab')).toHaveLength(3)
    expect(lows).toHaveLength(usual.length + 2)
    await petri.close()
  })

  it('names a status of an appointment', async () => {
    const { petri, receiver } = await startHeardPetri(() => 200, { world: { frozen: true } })
    const visit = [{ await: 'appointment' }, { at: 'appointment', appointment: 'start' }]
    await uploadScenario(petri, 'mine', 'walk_in_test', [{ ...steps[0], only: undefined }, ...visit], {
      webhook_faults: { event: 'labtest.appointment.updated', status: 'in_progress', duplicate: 1 },
    })
    const id = await placeByMethod(petri, 'walk_in_test', 'mine')
    await advance(petri, '2h')
    await petri.post(`/_petri/orders/${id}/book`)
    await untilIdle(petri)
    const told = receiver.received.map(({ body }) => JSON.parse(body).data.events.at(-1).status)
    // The site confirms what is scheduled already.
    expect(told.slice(4)).toEqual(['scheduled', 'scheduled', 'in_progress', 'in_progress'])
  })

  it('overrides those before it for its own events', async () => {
    const { lows } = await deliver([{ duplicate: 1 }, { status: 'completed', duplicate: 0 }])
    expect(lows).toEqual(usual.flatMap((low) => (low === 'completed' ? [low] : [low, low])))
  })

  it('respells the JSON and signs those bytes', async () => {
    const { petri, receiver } = await deliver([{ status: 'completed', respell: true }])
    const secret = (await petri.read('/_petri/world')).webhook_secret
    const now = Math.floor(Date.now() / 1000)
    const reasons = (given: (body: string) => string) =>
      receiver.received.filter(({ headers, body }) => {
        const at = Number(headers['svix-timestamp'] ?? now)
        return verificationError([secret], { headers, body: given(body) }, at) !== undefined
      }).length
    expect(reasons((body) => body)).toBe(0)
    expect(reasons((body) => JSON.stringify(JSON.parse(body)))).toBe(1)
    const [respelt] = receiver.received.filter(({ body }) => JSON.stringify(JSON.parse(body)) !== body)
    expect(Object.keys(JSON.parse(respelt?.body ?? '')).at(-1)).toBe('event_type')
    expect(respelt?.body).toContain('": ')
  })
})

describe('a webhook fault is refused', () => {
  const refusals = async (petri: TestPetri, webhook_faults: unknown) => {
    const { body } = await uploadScenario(petri, 'mine', 'testkit', steps, { webhook_faults })
    return (body.detail ?? []).map(field('msg'))
  }

  it.each([
    [[{ event: 'labtest.order.updatet', duplicate: 1 }], /labtest\.order\.updated/],
    [[{ status: 'complete', duplicate: 1 }], /completed/],
    [[{ status: 'completed' }], /has no effect/],
    [[{ status: 'completed', reorder: true }], /several messages/],
    [[{ event: 'completed', status: 'lost', delay: '1h' }], /one of/],
    [
      [{ delay: '1h' }, { occurrence: 0, delay: '1h' }],
      /rule 2 of webhook_faults: occurrence must be at least 1; it is 0/,
    ],
    [{ dupicate: 1 }, /duplicate/],
  ])('%j', async (rules, message) => {
    const { petri } = await startHeardPetri()
    expect((await refusals(petri, rules)).join()).toMatch(message)
  })
})
