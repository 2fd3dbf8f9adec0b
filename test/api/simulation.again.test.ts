import { beforeEach, describe, expect, it } from 'vitest'
import { dottedStatuses, otherSpellings } from '../../src/resources/orders/lifecycle.ts'
import { orders } from '../../src/resources/orders/table.ts'
import {
  advance,
  type LabMethod,
  orderBy,
  orderForPatient,
  orderKit,
  readOrder,
  register,
  setFeatures,
  statusesOf,
} from '../support/orders.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'

// Simulation of orders that are under way, or that no single call completes.

let petri: TestPetri
beforeEach(async () => {
  petri = await startTestWorld()
})

async function placed(what: string): Promise<string> {
  if (what === 'testkit') return (await orderForPatient(petri, { scenario: 'manual' })).id
  if (!what.endsWith('kit')) return (await orderBy(petri, what as LabMethod)).id
  const kit = await orderKit(petri, { scenario: 'manual' })
  if (what === 'registered kit') await register(petri, kit.sample_id)
  return kit.id
}

const dotted = (method: string, low: string) =>
  [...dottedStatuses, ...Object.keys(otherSpellings)].find((status) =>
    status.endsWith(`.${method}.${low}`),
  ) ?? low
const simulate = (
  id: string,
  to?: string,
  { delay = 0, body }: { delay?: number; body?: object | undefined } = {},
) => {
  const query = new URLSearchParams({
    ...(to && { final_status: to }),
    ...(delay && { delay: String(delay) }),
  })
  return petri.post(`/v3/order/${id}/test?${query}`, body)
}
const move = (id: string, status: string) => petri.post(`/_petri/orders/${id}/move`, { status })
const trailOf = async (id: string) =>
  statusesOf(await readOrder(petri, id)).map((status) => status.split('.')[2])
/** The statuses of an order after those it has now. */
async function followsOf(id: string, act: () => Promise<unknown>): Promise<string> {
  const before = await trailOf(id)
  await act()
  return (await trailOf(id)).slice(before.length).join(' ')
}

it('an order that is not there is not simulated', async () => {
  for (const simulation of ['documented', 'live']) {
    await setFeatures(petri, { simulation })
    expect(await simulate('00000000-0000-4000-8000-000000000000')).toMatchObject({
      status: 404,
      body: { detail: "Order doesn't exist" },
    })
  }
})

describe('a simulation as documented', () => {
  it('takes the order out of its scenario', async () => {
    const { id } = await orderForPatient(petri, { scenario: 'happy-path' })
    await simulate(id, dotted('testkit', 'requisition_created'))
    const { body } = await petri.get(`/_petri/orders/${id}`)
    expect(body.scenario).toMatchObject({
      left_because: 'the order was simulated',
      dropped: [
        'requisition_created',
        'transit_customer',
        'out_for_delivery',
        'with_customer',
        'transit_lab',
        'delivered_to_lab',
        'completed',
      ],
    })
    await advance(petri, '60d')
    expect(await trailOf(id)).toEqual(['ordered', 'requisition_created'])
  })

  it.each([
    [
      'testkit',
      'requisition_created transit_customer out_for_delivery with_customer transit_lab delivered_to_lab completed',
    ],
    ['stock kit', 'transit_customer out_for_delivery with_customer'],
    [
      'registered kit',
      'requisition_created transit_customer out_for_delivery with_customer transit_lab delivered_to_lab completed',
    ],
    ['walk_in_test', 'requisition_created partial_results completed'],
    [
      'at_home_phlebotomy',
      'requisition_created appointment_pending appointment_scheduled draw_completed completed',
    ],
    ['on_site_collection', 'requisition_created draw_completed completed'],
  ])('without a status takes an order by %s to its end: %s', async (what, steps) => {
    const id = await placed(what)
    expect(await followsOf(id, () => simulate(id))).toBe(steps)
  })

  it.each([
    [
      'testkit',
      'requisition_created transit_customer problem_in_transit_customer',
      'out_for_delivery with_customer transit_lab delivered_to_lab completed',
    ],
    [
      'testkit',
      'requisition_bypassed',
      'transit_customer out_for_delivery with_customer transit_lab delivered_to_lab completed',
    ],
    ['testkit', 'requisition_created transit_customer lost', ''],
    ['walk_in_test', 'requisition_bypassed', 'partial_results completed'],
    ['at_home_phlebotomy', 'requisition_created appointment_scheduled', 'draw_completed completed'],
    ['on_site_collection', 'requisition_created partial_results', 'completed'],
    ['on_site_collection', 'requisition_created completed corrected', ''],
  ])('goes on from where an order by %s stands: %s, then %s', async (what, before, steps) => {
    const id = await placed(what)
    for (const low of before.split(' ')) await move(id, low)
    expect(await trailOf(id)).toEqual(['ordered', ...before.split(' ')])
    const answers: number[] = []
    expect(await followsOf(id, async () => answers.push((await simulate(id)).status))).toBe(steps)
    expect(answers).toEqual([200])
  })

  it.each([
    ['walk_in_test', 'partial_results', 'partial_results'],
    ['walk_in_test', 'completed', ''],
    ['walk_in_test', 'corrected', 'corrected'],
    ['at_home_phlebotomy', 'appointment_scheduled', 'appointment_scheduled'],
    ['at_home_phlebotomy', 'appointment_pending', ''],
    ['testkit', 'with_customer', ''],
    ['testkit', 'lost', ''],
  ])('of an order by %s to %s that it has already reached: %s', async (what, low, steps) => {
    const id = await placed(what)
    const to = dotted(what, low)
    await simulate(id, to)
    expect(await followsOf(id, () => simulate(id, to))).toBe(steps)
  })

  it.each([
    ['walk_in_test', 'completed.testkit.completed', 'ordered', 'completed'],
    ['walk_in_test', 'received.testkit.ordered', 'ordered', 'ordered'],
    ['testkit', 'received.testkit.registered', 'ordered', 'registered'],
    ['stock kit', 'received.testkit.registered', 'awaiting_registration', 'registered'],
  ])('refuses %s of an order by %s', async (what, to, from, low) => {
    const id = await placed(what)
    const before = await readOrder(petri, id)
    expect(before.last_event.status).toMatch(new RegExp(`\\.${from}$`))
    expect(await simulate(id, to)).toMatchObject({
      status: 400,
      body: { detail: `The order is ${before.last_event.status}; it cannot be simulated to ${low}` },
    })
    expect(await readOrder(petri, id)).toEqual(before)
  })

  it('to the registration of a kit that is registered changes nothing', async () => {
    const id = await placed('registered kit')
    const before = await readOrder(petri, id)
    expect((await simulate(id, 'received.testkit.registered')).status).toBe(200)
    expect(await readOrder(petri, id)).toEqual(before)
  })

  it('makes a redraw available where the laboratory redraws', async () => {
    await setFeatures(petri, { redraws: true })
    const id = await placed('walk_in_test')
    expect(await followsOf(id, () => simulate(id, dotted('walk_in_test', 'redraw_available')))).toBe(
      'requisition_created redraw_available',
    )
  })

  it('completes with missing results only where that is asked for', async () => {
    await setFeatures(petri, { redraws: true })
    const missing = { body: { has_missing_results: true } }
    const [asked, open] = [await placed('walk_in_test'), await placed('walk_in_test')]
    await simulate(asked, dotted('walk_in_test', 'completed'), missing)
    expect((await trailOf(asked)).at(-1)).toBe('completed')
    await simulate(open, undefined, missing)
    expect((await trailOf(open)).at(-1)).toBe('redraw_available')
  })

  it('of an order that is gone ends', async () => {
    const id = await placed('walk_in_test')
    await simulate(id, undefined, { delay: 60 })
    petri.world().db.delete(orders, id)
    expect((await advance(petri, '1h')).body.pending).toBe(0)
  })
})

describe('a simulation as in the live sandbox', () => {
  beforeEach(() => setFeatures(petri, { simulation: 'live' }))

  it.each([
    ['walk_in_test', 'failed.walk_in_test.sample_error', 'requisition_created sample_error'],
    ['walk_in_test', 'received.walk_in_test.requisition_bypassed', 'requisition_bypassed'],
    ['walk_in_test', 'completed.testkit.completed', 'requisition_created partial_results completed'],
    [
      'walk_in_test',
      'collecting_sample.walk_in_test.appointment_pending',
      'requisition_created partial_results completed',
    ],
    [
      'walk_in_test',
      'collecting_sample.walk_in_test.appointment_cancelled',
      'requisition_created partial_results completed',
    ],
    [
      'on_site_collection',
      'sample_with_lab.on_site_collection.draw_completed',
      'requisition_created draw_completed',
    ],
    ['on_site_collection', undefined, 'requisition_created draw_completed completed'],
    [
      'testkit',
      'collecting_sample.testkit.transit_lab',
      'requisition_created transit_customer out_for_delivery with_customer transit_lab',
    ],
    ['testkit', 'failed.testkit.lost', 'requisition_created transit_customer lost'],
    [
      'testkit',
      'cancelled.testkit.cancelled',
      'requisition_created transit_customer out_for_delivery with_customer transit_lab delivered_to_lab completed',
    ],
    ['at_home_phlebotomy', 'completed.at_home_phlebotomy.completed', 'requisition_created'],
  ])('with a delay takes an order by %s asked for %s: %s', async (what, to, steps) => {
    const id = await placed(what)
    expect((await simulate(id, to, { delay: 10 })).status).toBe(200)
    expect(await followsOf(id, () => advance(petri, '9s'))).toBe('')
    expect(await followsOf(id, () => advance(petri, '1m'))).toBe(steps)
  })

  it.each([
    ['walk_in_test', ['requisition_created'], 'partial_results completed'],
    ['walk_in_test', ['requisition_created', 'appointment_pending'], 'partial_results completed'],
    ['walk_in_test', ['requisition_created', 'partial_results'], 'completed'],
    ['walk_in_test', ['requisition_created', 'cancelled'], ''],
    ['walk_in_test', ['requisition_bypassed'], 'partial_results completed'],
    [
      'testkit',
      ['requisition_created', 'transit_customer'],
      'out_for_delivery with_customer transit_lab delivered_to_lab',
    ],
    ['on_site_collection', ['requisition_created', 'draw_completed'], ''],
  ])('goes on from where an order by %s stands: %j, then %s', async (what, before, steps) => {
    const id = await placed(what)
    for (const low of before) await move(id, low)
    expect(await followsOf(id, () => simulate(id))).toBe(steps)
  })

  it('gives numbers, comments and ranges in turn, unless others are asked for', async () => {
    const typesOf = async (body?: object) => {
      const id = await placed('walk_in_test')
      await simulate(id)
      await simulate(id, undefined, { body })
      const { results } = (await petri.get(`/v3/order/${id}/result`)).body
      return results.map(({ type }: { type: string }) => type)
    }
    const usual = await typesOf()
    expect(usual.slice(0, 4)).toEqual(['numeric', 'comment', 'range', 'numeric'])
    expect(new Set(await typesOf({ result_types: ['range'] }))).toEqual(new Set(['range']))
  })

  it('of a kit that is cancelled on its way ends', async () => {
    const id = await placed('testkit')
    await simulate(id, 'collecting_sample.testkit.transit_customer', { delay: 10 })
    await petri.post(`/v3/order/${id}/cancel`)
    await advance(petri, '1m')
    expect(await trailOf(id)).toEqual(['ordered', 'cancelled'])
  })

  it('is replaced by the next one', async () => {
    const id = await placed('walk_in_test')
    await simulate(id, undefined, { delay: 10 })
    await simulate(id, 'received.walk_in_test.requisition_created', { delay: 20 })
    await advance(petri, '1h')
    expect(await trailOf(id)).toEqual(['ordered', 'requisition_created'])
  })
})
