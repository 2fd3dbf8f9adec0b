import { beforeEach, describe, expect, it } from 'vitest'
import { dottedStatuses, type Method } from '../../src/resources/orders/lifecycle.ts'
import { book, homeSlots, read, visitOrderAddress } from '../support/appointments.ts'
import { field } from '../support/field.ts'
import {
  advance,
  cancelOrder,
  giveResults,
  type LabMethod,
  orderBy,
  orderForPatient,
  orderKit,
  readOrder,
  register,
  setFeatures,
  statusesOf,
} from '../support/orders.ts'
import { eventsOf, forEachTest } from '../support/petri.ts'
import { sampled } from '../support/rounds.ts'

// Simulation as the live sandbox does it, with the feature `simulation` = `live`.

const methods: readonly Method[] = ['testkit', 'walk_in_test', 'at_home_phlebotomy', 'on_site_collection']
const labMethods: readonly LabMethod[] = ['walk_in_test', 'at_home_phlebotomy', 'on_site_collection']
/** Before the laboratory has the results of a kit. */
const SENT = [
  'received.testkit.ordered',
  'received.testkit.requisition_created',
  'collecting_sample.testkit.transit_customer',
  'collecting_sample.testkit.out_for_delivery',
  'collecting_sample.testkit.with_customer',
  'collecting_sample.testkit.transit_lab',
  'sample_with_lab.testkit.delivered_to_lab',
]
const DONE = 'completed.testkit.completed'

const petri = forEachTest()
let user: string | undefined
beforeEach(async () => {
  user = undefined
  await setFeatures(petri, { simulation: 'live' })
})

/** Places an order of a method for the same patient; it follows no scenario. */
async function ordered(method: Method): Promise<string> {
  const order =
    method === 'testkit'
      ? await orderForPatient(petri, { scenario: 'manual', ...(user && { user }) })
      : await orderBy(petri, method, { patient_address: visitOrderAddress, ...(user && { user_id: user }) })
  user = order.user_id
  return order.id
}

const simulate = (id: string, to?: string, body?: object, delay?: number) => {
  const query = new URLSearchParams({
    ...(to && { final_status: to }),
    ...(delay && { delay: String(delay) }),
  })
  return petri.post(`/v3/order/${id}/test?${query}`, body)
}

async function simulated(method: Method, ...targets: (string | undefined)[]): Promise<string> {
  const id = await ordered(method)
  for (const to of targets) expect(await simulate(id, to)).toMatchObject({ status: 200, body: 'Success' })
  return id
}

const readNow = (id: string) => readOrder(petri, id)
const trailOf = async (id: string) => statusesOf(await readNow(id))
const lowsOf = async (id: string) => (await trailOf(id)).map((status) => status.split('.').at(-1))
/** The expected dates of results that are reported on this day. */
function datesFrom(
  day: string,
  { lab_test }: { lab_test: { common_tat_days: number; worst_case_tat_days: number } },
) {
  const after = (days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
  return {
    expected_result_by_date: after(lab_test.common_tat_days),
    worst_case_result_by_date: after(lab_test.worst_case_tat_days),
  }
}

const resultsOf = (id: string) => petri.get(`/v3/order/${id}/result`)
/** The webhooks about an order that have been sent. */
const sentAbout = (id: string) => eventsOf(petri).filter(({ order_id }) => order_id === id).length

describe('a kit that is ordered', () => {
  it.each([...methods.map((method) => `completed.${method}.completed`), undefined])(
    'asked for %s arrives at the laboratory with one call, and is completed by itself',
    async (to) => {
      const id = await simulated('testkit', to)
      expect(await trailOf(id)).toEqual(SENT)
      expect(sentAbout(id)).toBe(SENT.length)
      await advance(petri, '15s')
      expect(await trailOf(id)).toEqual([...SENT, DONE])
    },
  )

  it.each(sampled(dottedStatuses.filter((status) => !/^completed\..*\.completed$/.test(status))))(
    'asked for %s gets its requisition, and nothing by later calls',
    async (to) => {
      const id = await simulated('testkit', to, to)
      await advance(petri, '1h')
      expect(await lowsOf(id)).toEqual(['ordered', 'requisition_created'])
    },
  )

  it('waits on the clock, not in scenario time', async () => {
    await petri.patch('/_petri/clock', { pace: 86_400 })
    const id = await simulated('testkit', DONE)
    expect((await readNow(id)).status).toBe('sample_with_lab')
    await advance(petri, '4999ms')
    expect((await readNow(id)).status).toBe('sample_with_lab')
    await advance(petri, '1ms')
    expect((await readNow(id)).status).toBe('completed')
  })
})

describe('a kit at the laboratory', () => {
  it('has no results, and cannot be cancelled', async () => {
    const id = await simulated('testkit', DONE)
    expect(await resultsOf(id)).toRefuse(
      404,
      `Results are not available for order - ${id}. Did you receive a webhook for this order?`,
    )
    expect(await cancelOrder(petri, id)).toAnswer(400)
    expect(await trailOf(id)).toEqual(SENT)
  })

  it.each(['at the laboratory', 'completed'])('%s does not change by any call', async (when) => {
    const id = await simulated('testkit', DONE)
    if (when === 'completed') await advance(petri, '15s')
    const before = await readNow(id)
    for (const to of [...dottedStatuses, undefined]) expect(await simulate(id, to)).toAnswer(200)
    expect(await readNow(id)).toEqual(before)
    await advance(petri, '15s')
    expect(await trailOf(id)).toEqual([...SENT, DONE])
  })
})

describe('a kit that completed by itself', () => {
  it('is completed everywhere and abnormal, with result, metadata and PDF', async () => {
    const id = await simulated('testkit', DONE)
    await advance(petri, '15s')
    const order = await readNow(id)
    expect(order).toMatchObject({
      status: 'completed',
      interpretation: 'abnormal',
      requisition_form_url: null,
      order_transaction: { status: 'completed', orders: [{ low_level_status: 'completed' }] },
    })
    for (const path of ['result', 'result/metadata'])
      expect(await petri.get(`/v3/order/${id}/${path}`)).toAnswer(200)
    const pdf = await petri.petri.app.request(`/v3/order/${id}/result/pdf`, {
      headers: { 'x-service-api-key': petri.key },
    })
    expect(pdf).toAnswer(200)
  })

  it('has a report with the CLIA number of its laboratory and without dates of the sample', async () => {
    const id = await simulated('testkit', DONE)
    await advance(petri, '15s')
    const { metadata, sample_information } = (await resultsOf(id)).body
    expect(metadata).toMatchObject({
      'clia_#': '05D2130115',
      date_collected: null,
      date_received: null,
      interpretation: 'abnormal',
    })
    expect(await petri.read(`/v3/order/${id}/result/metadata`)).toEqual(metadata)
    for (const sample of Object.values(sample_information))
      expect(sample).toMatchObject({ date_collected: null, date_received: null })
  })

  it.each([
    { interpretation: 'normal' },
    { interpretation: 'critical', result_types: ['comment'] },
    { result_types: ['range'], has_missing_results: true },
  ])('has the results that %j of the call asks for', async (body) => {
    const id = await ordered('testkit')
    await simulate(id, DONE, body)
    await advance(petri, '15s')
    const { interpretation = 'abnormal', result_types, has_missing_results = false } = body
    expect(await readNow(id)).toMatchObject({ interpretation, has_missing_results })
    const { results, missing_results } = (await resultsOf(id)).body
    expect((missing_results ?? []).length > 0).toBe(has_missing_results)
    if (result_types) expect(new Set(results.map(field('type')))).toEqual(new Set(result_types))
  })
})

it('results that were given before are kept by a live simulation', async () => {
  const id = await simulated('walk_in_test', undefined)
  await giveResults(petri, id, { values: { glucose: 400 } })
  await simulate(id)
  const { results } = (await resultsOf(id)).body
  expect(results.find(({ slug }: { slug: string }) => slug === 'glucose')).toMatchObject({
    type: 'numeric',
    value: 400,
  })
  expect(new Set(results.map(field('type')))).toEqual(new Set(['numeric']))
})

describe('a kit that is cancelled', () => {
  const fails = async (id: string, query = '') => {
    const reply = await petri.petri.app.request(`/v3/order/${id}/test${query}`, {
      method: 'POST',
      headers: { 'x-service-api-key': petri.key },
    })
    expect([reply.status, await reply.text()]).toEqual([500, 'Internal Server Error'])
    expect(reply.headers.get('content-type')).toMatch(/^text\/plain/)
  }

  it('fails with a plain 500 for each of the 54 statuses, and does not change', async () => {
    const id = await ordered('testkit')
    await cancelOrder(petri, id)
    const before = await readNow(id)
    expect(dottedStatuses).toHaveLength(54)
    for (const to of dottedStatuses) await fails(id, `?final_status=${to}`)
    await fails(id)
    await advance(petri, '1h')
    expect(await readNow(id)).toEqual(before)
  })

  it('is refused with 400 in the documented form', async () => {
    await setFeatures(petri, { simulation: 'documented' })
    for (const method of methods) {
      const id = await ordered(method)
      await cancelOrder(petri, id)
      expect(await simulate(id), method).toRefuse(400, 'The order is cancelled; it cannot be simulated')
    }
  })
})

describe('a kit that the customer registers', () => {
  it('goes to the customer, and after its registration on to its results', async () => {
    const { id, sample_id } = await orderKit(petri, { scenario: 'manual' })
    await simulate(id, DONE)
    await advance(petri, '1h')
    expect((await lowsOf(id)).at(-1)).toBe('with_customer')
    await register(petri, sample_id)
    await simulate(id, DONE)
    expect((await lowsOf(id)).at(-1)).toBe('delivered_to_lab')
    await advance(petri, '15s')
    expect((await readNow(id)).status).toBe('completed')
  })
})

describe('an order without a kit', () => {
  it.each(labMethods)(
    'of %s gets its requisition first, whatever is asked for',
    { tags: 'slow' },
    async (method) => {
      for (const to of [...dottedStatuses, undefined]) {
        const id = await simulated(method, to)
        expect(await lowsOf(id), to).toEqual(['ordered', 'requisition_created'])
      }
    },
  )

  it.each(['walk_in_test', 'at_home_phlebotomy'] as const)(
    'of %s has a form and a sample id of twelve capitals and digits with its requisition',
    async (method) => {
      const order = await readOrder(petri, await simulated(method, undefined))
      expect(order.requisition_form_url).toMatch(/\/requisition\/pdf$/)
      expect(order.sample_id).toMatch(/^[A-Z0-9]{12}$/)
    },
  )

  it.each(['at_home_phlebotomy', 'on_site_collection'] as const)(
    'of %s does not change by a later call',
    async (method) => {
      const id = await simulated(method, undefined)
      const before = await readNow(id)
      for (const to of [...dottedStatuses, undefined]) await simulate(id, to)
      expect(await readNow(id)).toEqual(before)
    },
  )

  it('at home moves by a booking', async () => {
    const id = await simulated('at_home_phlebotomy', undefined)
    await book(petri, 'phlebotomy', id, (await homeSlots(petri))[0])
    expect((await lowsOf(id)).at(-1)).toBe('appointment_scheduled')
    await simulate(id, 'completed.at_home_phlebotomy.completed')
    expect((await lowsOf(id)).at(-1)).toBe('appointment_scheduled')
    expect((await read(petri, 'phlebotomy', id)).body.status).toBe('pending')
  })

  it.each(labMethods)('of %s that is cancelled does not change, and is not refused', async (method) => {
    const id = await ordered(method)
    await cancelOrder(petri, id)
    const before = await readNow(id)
    for (const to of dottedStatuses) expect(await simulate(id, to), to).toAnswer(200)
    expect(await readNow(id)).toEqual(before)
  })
})

describe('a walk-in order with its requisition', () => {
  const other = dottedStatuses.filter((status) => !status.includes('.walk_in_test.'))
  const own = (status: string) => `${status.replace('.', '.walk_in_test.')}`
  const completing = ['received.ordered', 'completed.completed', 'cancelled.cancelled'].map(own)
  const still = [
    'received.requisition_created',
    'received.requisition_bypassed',
    'collecting_sample.appointment_pending',
    'collecting_sample.appointment_scheduled',
    'collecting_sample.appointment_cancelled',
    'collecting_sample.redraw_available',
  ].map(own)
  const PARTIAL = own('sample_with_lab.partial_results')

  it.each([...completing, ...sampled(other), undefined])('asked for %s is completed', async (to) => {
    const id = await simulated('walk_in_test', undefined, to)
    expect(await lowsOf(id)).toEqual(['ordered', 'requisition_created', 'partial_results', 'completed'])
    const order = await readNow(id)
    expect(order).toMatchObject({ interpretation: 'normal', ...datesFrom('2026-01-05', order) })
  })

  it('is completed without another event of partial results', async () => {
    const id = await simulated('walk_in_test', undefined, PARTIAL, own('completed.completed'))
    expect(await lowsOf(id)).toEqual(['ordered', 'requisition_created', 'partial_results', 'completed'])
  })

  it('gets its expected dates on the day of its results', async () => {
    const id = await simulated('walk_in_test', undefined, PARTIAL)
    await advance(petri, '2d')
    await simulate(id, own('completed.completed'), { interpretation: 'critical' })
    const order = await readNow(id)
    expect(order).toMatchObject({ interpretation: 'critical', ...datesFrom('2026-01-07', order) })
  })

  it('counts three and five days where the lab test has no turnaround', async () => {
    const order_set = { add_on: { marker_ids: [2077] } }
    const { id, lab_test } = await orderBy(petri, 'walk_in_test', {
      order_set,
      collection_method: 'walk_in_test',
    })
    expect([lab_test.common_tat_days, lab_test.worst_case_tat_days]).toEqual([null, null])
    await simulate(id)
    await simulate(id)
    expect(await readNow(id)).toMatchObject({
      expected_result_by_date: '2026-01-08',
      worst_case_result_by_date: '2026-01-10',
    })
  })

  it('asked for partial results has these, and no dates', async () => {
    const id = await simulated('walk_in_test', undefined, PARTIAL)
    expect((await lowsOf(id)).slice(2)).toEqual(['partial_results'])
    expect(await readNow(id)).toMatchObject({
      interpretation: 'normal',
      expected_result_by_date: null,
      worst_case_result_by_date: null,
    })
  })

  it('fails where that is asked for', async () => {
    const id = await simulated('walk_in_test', undefined, own('failed.sample_error'))
    expect(await lowsOf(id)).toEqual(['ordered', 'requisition_created', 'sample_error'])
  })

  it.each(still)('asked for %s does not change', async (to) => {
    const id = await simulated('walk_in_test', undefined, to)
    expect(await lowsOf(id)).toEqual(['ordered', 'requisition_created'])
  })

  it('does not change once it is completed', async () => {
    const id = await simulated('walk_in_test', undefined, undefined)
    const before = await readNow(id)
    for (const to of [...dottedStatuses, undefined]) await simulate(id, to)
    expect(await readNow(id)).toEqual(before)
  })
})

describe('a delay', () => {
  it.each([
    ['testkit', DONE, SENT.length],
    ['walk_in_test', undefined, 4],
  ] as const)('of %s lets the answer come at once, and the effect later', async (method, to, count) => {
    const id = await ordered(method)
    expect((await simulate(id, to, undefined, 30)).body).toBe('Success')
    await advance(petri, '29s')
    expect(await lowsOf(id)).toEqual(['ordered'])
    await advance(petri, '1s')
    expect(await lowsOf(id)).toHaveLength(count)
    await advance(petri, '15s')
    expect((await readNow(id)).status).toBe('completed')
  })

  it.each([
    'collecting_sample.walk_in_test.redraw_available',
    'collecting_sample.walk_in_test.appointment_scheduled',
    'cancelled.walk_in_test.cancelled',
  ])('has a walk-in order asked for %s completed', async (to) => {
    const id = await ordered('walk_in_test')
    expect(await simulate(id, to, undefined, 1)).toAnswer(200)
    await advance(petri, '1s')
    expect((await readNow(id)).last_event.status).toBe('completed.walk_in_test.completed')
  })

  it('has a visit at home wait until it is booked', async () => {
    const id = await ordered('at_home_phlebotomy')
    for (let nth = 0; nth < 2; nth++) {
      await simulate(id, undefined, undefined, 1)
      await advance(petri, '1s')
      expect(await lowsOf(id)).toEqual(['ordered', 'requisition_created'])
    }
    const [slot] = await homeSlots(petri)
    await book(petri, 'phlebotomy', id, { booking_key: slot?.booking_key })
    await simulate(id, undefined, undefined, 1)
    await advance(petri, '1s')
    expect((await readNow(id)).status).toBe('completed')
  })

  it('of a cancelled order changes nothing', async () => {
    const id = await ordered('walk_in_test')
    await cancelOrder(petri, id)
    expect(await simulate(id, undefined, undefined, 1)).toAnswer(200)
    await advance(petri, '1s')
    expect(await lowsOf(id)).toEqual(['ordered', 'cancelled'])
  })
})

it('a status that is none of the 54 is refused with 422', async () => {
  const id = await ordered('testkit')
  expect(await simulate(id, 'completed.testkit.done')).toRefuse(422, [
    { type: 'enum', loc: ['query', 'final_status'] },
  ])
})
