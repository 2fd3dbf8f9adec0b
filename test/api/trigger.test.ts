import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LazySchema } from '../../src/api/schema.ts'
import { collectedResources, connect } from '../../src/resources/connecting/service.ts'
import { eventTypeNames, eventTypes } from '../../src/resources/event-types.ts'
import { resources } from '../../src/resources/index.ts'
import { providerSlugs } from '../../src/resources/providers/schema.ts'
import { getProvider } from '../../src/resources/providers/service.ts'
import { book, homeSlots, orderReady } from '../support/appointments.ts'
import { makeQuote, openSession } from '../support/checkout.ts'
import { advance, connectDemo, createUser, orderForPatient, readOrder } from '../support/orders.ts'
import type { TestPetri } from '../support/petri.ts'
import { NOBODY } from '../support/petri.ts'
import { problemsInEvent } from '../support/published-models.ts'
import { type FakeReceiver, startHeardPetri } from '../support/receiver.ts'
import { pageOf, pdfOf, upload } from '../support/reports.ts'
import { rounds, sampled } from '../support/rounds.ts'
import { createContinuousQuery, dailySteps } from '../support/sense.ts'
import { checkTyped } from '../support/typed-client.ts'
import { resourcesOfSome } from '../support/wearables.ts'

let petri: TestPetri
let receiver: FakeReceiver
beforeEach(async () => {
  const started = await startHeardPetri()
  petri = started.petri
  receiver = started.receiver
})
afterEach(() => petri.close())

const trigger = (event_type: string, about: object = {}) =>
  petri.post('/_petri/trigger', { event_type, ...about })

const declared = new Map<string, LazySchema>([...eventTypes().values()].map(({ name, data }) => [name, data]))

describe('the catalogue', () => {
  it('has 198 event types, each declared by one resource', () => {
    expect(eventTypeNames().size).toBe(198)
    expect(resources.flatMap(({ events = [] }) => events)).toHaveLength(198)
  })

  it('is what endpoints choose from', async () => {
    const input = { url: 'http://other.test/', event_types: ['labtest.order.update'] }
    expect(await petri.post('/_petri/webhooks/endpoints', input)).toRefuse(422, [
      { msg: expect.stringContaining('labtest.order.update') },
    ])
  })
})

/** Connects a user to providers that bring all there is between them. */
async function connectedUser(): Promise<string> {
  const userId = await createUser(petri, 'wearer')
  for (const slug of new Set(['fitbit', 'oura', ...collectedResources.map(providerOf)])) {
    if (slug) connect(petri.world(), userId, slug)
  }
  await advance(petri, '2h')
  return userId
}

const providerOf = (resource: string) =>
  providerSlugs.find((slug) => getProvider(slug).resources.includes(resource))

describe('an event about an object', () => {
  // A third of the events are triggered, each with an object of its own kind; all of them where TEST_ROUNDS is set, as in CI.
  it('can be of each type of the catalogue, a third of which are tried', {
    tags: 'slow',
    timeout: rounds(60_000),
  }, async () => {
    const user_id = await connectedUser()
    const order = await orderForPatient(petri)
    const visit = await orderReady(petri, 'at_home_phlebotomy')
    const [slot] = await homeSlots(petri)
    await book(petri, 'phlebotomy', visit.id, { booking_key: slot?.booking_key })
    const pdf = pdfOf([pageOf([['Glucose 5 mmol/L', 50, 700]])])
    const job = (await upload(petri, [{ name: 'a.pdf', bytes: pdf }], { user_id: order.user_id })).body
    await createContinuousQuery(petri, dailySteps)
    const quote = await makeQuote(petri)
    const session = (await openSession(petri, { quote_id: quote.id })).body
    const run = { case: 'no_match', order_source: 'managed' }
    await petri.post('/v3/unmatched_result_test', run, { 'x-idempotency-key': 'one' })
    await advance(petri, '1m')
    const results = await petri.read('/v3/unmatched_result')
    const about = (type: string): object => {
      if (/^labtest\.(order|order_tracking|result)\./.test(type)) return { order_id: order.id }
      if (type.startsWith('labtest.appointment')) return { order_id: visit.id }
      if (type.startsWith('labtest.match_review')) return { raw_result_id: results.data?.[0]?.id }
      if (type.startsWith('checkout.quote')) return { quote_id: quote.id }
      if (type.startsWith('checkout.session')) return { checkout_session_id: session.checkout_session_id }
      if (type.startsWith('lab_report')) return { job_id: job.id }
      if (type.startsWith('continuous_query')) return { user_id }
      const resource = type.split('.')[2] ?? ''
      if (type.startsWith('provider.device')) return { user_id, provider: 'fitbit' }
      return { user_id, provider: collectedResources.includes(resource) ? providerOf(resource) : 'oura' }
    }
    const refused: string[] = []
    const madeUp: string[] = []
    for (const type of sampled([...eventTypeNames()])) {
      receiver.received.length = 0
      const answer = await trigger(type, about(type))
      if (answer.status !== 200) {
        refused.push(`${type}: ${answer.status} ${JSON.stringify(answer.body)}`)
        continue
      }
      if (answer.body.made_up) madeUp.push(type)
      expect(answer.body.messages).toHaveLength(1)
      const { payload } = answer.body.messages[0]
      const read = declared.get(type)?.().safeParse(payload.data)
      expect(read?.success, type).toBe(true)
      const data = declared.get(type)
      if (data) checkTyped(data, payload.data, `${type}, read by a typed client`)
      expect(problemsInEvent(type, payload), `${type}, read by a client with closed enums`).toEqual([])
      expect(payload.event_type).toBe(type)
    }
    expect(refused).toEqual([])
    expect(madeUp.filter((type) => !type.startsWith('daily.data.'))).toEqual([])
    // What the wearer's month has none of: such as falls, or a menstrual cycle.
    const ofAll = madeUp.filter((type) => !resourcesOfSome.includes(type.split('.')[2] ?? ''))
    expect(ofAll.length).toBeLessThan(20)
  })

  it('is signed and delivered, and leaves the object unchanged', { tags: 'slow' }, async () => {
    const order = await orderForPatient(petri)
    const before = await readOrder(petri, order.id)
    const answer = await trigger('labtest.result.critical', { order_id: order.id })
    await petri.post('/_petri/wait', { message: { event_type: 'labtest.result.critical' } })
    const sent = receiver.received.at(-1)
    expect(sent?.headers['svix-id']).toBe(answer.body.event_id)
    expect(JSON.parse(sent?.body ?? '{}')).toMatchObject({
      event_type: 'labtest.result.critical',
      user_id: order.user_id,
      data: { order_id: order.id, interpretation: 'critical' },
    })
    expect(await readOrder(petri, order.id)).toEqual(before)
  })

  it('says otherwise where that is asked for, if its type allows', async () => {
    const order = await orderForPatient(petri)
    const about = { order_id: order.id }
    const answer = await trigger('labtest.order.updated', { ...about, data: { notes: 'Changed' } })
    expect(answer.body.messages[0].payload.data).toMatchObject({ id: order.id, notes: 'Changed' })
    for (const data of [{ notes: 7 }, { colour: 'red' }]) {
      expect(await trigger('labtest.order.updated', { ...about, data })).toRefuse(422, [
        { loc: ['body', 'data', Object.keys(data)[0]] },
      ])
    }
  })
})

it('an event that cannot be stored leaves no subscriber behind', async () => {
  const user_id = await createUser(petri)
  const world = petri.world()
  const put = vi.spyOn(world.db, 'putJson').mockImplementation(() => {
    throw new Error('no space left')
  })
  const type = 'continuous_query.result_table.changed'
  await expect(trigger(type, { user_id })).rejects.toThrow('no space left')
  put.mockRestore()
  expect(world.agenda.bus.subscribers).toBe(0)
})

describe('an event is refused', () => {
  it.each([
    ['of no type', 'labtest.order.update', { order_id: 'x' }, 422, '"x" is not an order id.'],
    ['of an unknown type', 'labtest.order.update', {}, 400, 'Did you mean "labtest.order.updated"?'],
    ['about nothing', 'labtest.order.updated', {}, 400, 'is about an order, named by order_id.'],
    [
      'about an object of another kind',
      'labtest.order.updated',
      { job_id: NOBODY },
      400,
      'named by order_id, not by job_id.',
    ],
    [
      'about what is not there',
      'labtest.order.updated',
      { order_id: NOBODY },
      404,
      "This order doesn't exist",
    ],
    [
      'with a field nobody knows',
      'labtest.order.updated',
      { orderid: 'x' },
      422,
      'Did you mean \\"order_id\\"',
    ],
  ])('%s', async (_, type, about, status, words) => {
    const answer = await trigger(type, about)
    expect(answer).toAnswer(status)
    expect(JSON.stringify(answer.body).replaceAll('\\"', '"')).toContain(words.replaceAll('\\"', '"'))
  })

  it('about a connection that is not there, or that brings no such data', async () => {
    const user_id = await createUser(petri)
    expect(await trigger('daily.data.steps.created', { user_id, provider: 'fitbit' })).toRefuse(
      404,
      'The user is not connected to fitbit',
    )
    await connectDemo(petri, user_id, 'fitbit')
    expect(await trigger('daily.data.wheelchair_push.created', { user_id, provider: 'fitbit' })).toRefuse(
      400,
      expect.stringContaining('fitbit has no wheelchair_push'),
    )
  })
})
