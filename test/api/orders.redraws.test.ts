import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../support/field.ts'
import {
  advance,
  cancelOrder,
  moveOrder,
  orderBy,
  readDetails,
  readFollowed,
  readOrder,
  readResult,
  sendOrder,
  setFeatures,
  standardTest,
  statusesOf,
  untilIdle,
} from '../support/orders.ts'
import { forEachTest, payloadsOf } from '../support/petri.ts'

const petri = forEachTest()
beforeEach(async () => {
  await setFeatures(petri, { redraws: true })
})

const REDRAW = 'collecting_sample.walk_in_test.redraw_available'
const COMPLETED = 'completed.walk_in_test.completed'

/** The last order of the transaction, and how many it has. */
const followOn = async (id: string) => {
  const lines = (await readOrder(petri, id)).order_transaction.orders
  return { count: lines.length, follow: await readOrder(petri, lines.at(-1).id) }
}
const move = (id: string, status: string, more: object = {}) => moveOrder(petri, id, status, more)
/** The results that a marker of an order yields. */
const markersOf = async (order: { lab_test: { id: string } }) =>
  (await petri.read(`/v3/lab_tests/${order.lab_test.id}/markers`)).markers as {
    id: number
    expected_results: { slug: string; provider_id: string | null }[]
  }[]

describe('a redraw that is placed', () => {
  const place = (more: object = {}) =>
    petri.post('/_petri/orders', { redraw: true, scenario: 'walk-in-critical-result', ...more })

  it('follows an initial order without results, and its scenario from there', async () => {
    const { status, body } = await place()
    expect([status, body.origin, body.last_event.status]).toEqual([
      201,
      'redraw',
      'received.walk_in_test.requisition_created',
    ])
    const [initial] = body.order_transaction.orders
    expect(initial).toMatchObject({ origin: 'initial', low_level_status: 'redraw_available' })
    expect(body.lab_test.markers).toHaveLength((await readOrder(petri, initial.id)).lab_test.markers.length)
    await untilIdle(petri)
    expect(await readOrder(petri, body.id)).toMatchObject({ interpretation: 'critical', origin: 'redraw' })
  })

  it('is refused where there are none, and nothing is stored', async () => {
    const before = (await petri.read('/v3/orders')).total
    const kit = { scenario: 'happy-path' }
    expect(await place(kit)).toAnswer(400)
    await setFeatures(petri, { redraws: false })
    expect(await place()).toRefuse(400, expect.stringContaining('needs the world feature redraws'))
    expect((await petri.read('/v3/orders')).total).toBe(before)
  })
})

describe('a redraw', () => {
  it('follows the scenario of the world, for the same patient and on the same terms', async () => {
    const order = await orderBy(petri, 'walk_in_test', { clinical_notes: 'left arm', passthrough: 'mine' })
    await move(order.id, 'requisition_created')
    await move(order.id, REDRAW)
    const { follow, count } = await followOn(order.id)
    expect(count).toBe(2)
    expect(follow).toMatchObject({
      user_id: order.user_id,
      patient_details: order.patient_details,
      clinical_notes: 'left arm',
      passthrough: 'mine',
      origin: 'redraw',
    })
    await advance(petri, '60d')
    expect(statusesOf((await followOn(order.id)).follow).at(-1)).toBe(COMPLETED)
  })

  it('is for the markers of the missing results, whatever name they are given by', async () => {
    const { lab_test } = await orderBy(petri, 'walk_in_test')
    const markers = await markersOf({ lab_test })
    const [first = expect.fail(), second = expect.fail()] = markers
    const code = second.expected_results.find(({ provider_id }) => provider_id)?.provider_id
    for (const [name, marker] of [
      [first.expected_results[0]?.slug, first],
      [code, second],
    ] as const) {
      const order = await orderBy(petri, 'walk_in_test')
      await move(order.id, 'requisition_created')
      expect(await move(order.id, REDRAW, { results: { missing: [name] } })).toAnswer(200)
      const { follow } = await followOn(order.id)
      expect(follow.lab_test.markers.map(field('id'))).toEqual([marker.id])
    }
  })

  it('is for one marker, never for all, where nothing is named', async () => {
    const order = await orderBy(petri, 'walk_in_test')
    const markers = await markersOf(order)
    expect(markers.length).toBeGreaterThan(1)
    await move(order.id, 'requisition_created')
    await move(order.id, REDRAW)
    const { follow } = await followOn(order.id)
    expect(follow.lab_test.markers).toHaveLength(1)
    const { missing_results } = await readResult(petri, order.id)
    const wanted = markers.find(({ id }) => id === follow.lab_test.markers[0].id)
    expect(new Set(missing_results.map(field('slug')))).toEqual(
      new Set(wanted?.expected_results.map(field('slug'))),
    )
  })

  it('is for exactly the markers that results are missing of', async () => {
    const order = await orderBy(petri, 'walk_in_test')
    const [first = expect.fail(), second = expect.fail(), third] = await markersOf(order)
    expect(third).toBeDefined()
    await move(order.id, 'requisition_created')
    const missing = [first, second].map(({ expected_results }) => expected_results[0]?.slug)
    await move(order.id, REDRAW, { results: { missing } })
    const { follow } = await followOn(order.id)
    const ids = follow.lab_test.markers.map(field('id'))
    expect(ids.sort()).toEqual([first.id, second.id].sort())
  })

  it('is not always for the same marker, and of a single one for one of its results', {
    tags: 'slow',
  }, async () => {
    const redrawn = async (more: object = {}) => {
      const order = await orderBy(petri, 'walk_in_test', { ...more })
      await move(order.id, 'requisition_created')
      await move(order.id, REDRAW)
      return { order, follow: (await followOn(order.id)).follow }
    }
    const chosen = new Set<number>()
    for (let nth = 0; nth < 8; nth++) chosen.add((await redrawn()).follow.lab_test.markers[0].id)
    expect(chosen.size).toBeGreaterThan(1)
    const lipids = { order_set: { add_on: { marker_ids: [1975] } }, collection_method: 'walk_in_test' }
    const { order } = await redrawn(lipids)
    expect(order.lab_test.markers).toHaveLength(1)
    expect((await readResult(petri, order.id)).missing_results).toHaveLength(1)
  })

  it('is announced while its transaction is still open', async () => {
    const { id } = await orderBy(petri, 'walk_in_test')
    await move(id, 'requisition_created')
    await move(id, REDRAW)
    const told = payloadsOf(petri).filter(({ data }) => data.id === id)
    expect(told.at(-1).data).toMatchObject({
      last_event: { status: REDRAW },
      order_transaction: { status: 'active', orders: [{ id }] },
    })
  })

  it('is made once, although the move is forced again', async () => {
    const { id } = await orderBy(petri, 'walk_in_test')
    await move(id, 'requisition_created')
    await move(id, REDRAW)
    await move(id, 'requisition_created', { force: true })
    expect(await move(id, REDRAW)).toAnswer(409)
    expect(await move(id, REDRAW, { force: true })).toAnswer(200)
    expect((await followOn(id)).count).toBe(2)
  })

  it('is not made where a completed order with missing results is set by hand', async () => {
    const { id } = await orderBy(petri, 'walk_in_test')
    await move(id, 'requisition_created')
    const { body } = await move(id, 'completed', { results: { missing: true } })
    expect(body).toMatchObject({ has_missing_results: true, last_event: { status: COMPLETED } })
    expect((await followOn(id)).count).toBe(1)
  })
})

describe('a scenario whose results are missing', () => {
  /** Follows a scenario to its end, and checks that the plan said so. */
  const live = async (scenario: string, features: Record<string, boolean> = {}) => {
    await setFeatures(petri, features)
    const lab_test_id = await standardTest(petri, 'walk_in_test')
    const { body } = await sendOrder(petri, { lab_test_id }, { headers: { 'x-petri-scenario': scenario } })
    const { id } = body.order
    const { planned } = await readDetails(petri, id)
    await untilIdle(petri)
    const order = await readOrder(petri, id)
    expect(planned.at(-1).status).toBe(order.last_event.status)
    return order
  }
  const upload = (...steps: object[]) =>
    petri.put('/_petri/scenarios/mine', {
      name: 'mine',
      summary: 'Something is missing.',
      method: 'walk_in_test',
      steps: [{ after: '1h', status: 'requisition_created' }, ...steps],
    })

  it('ends with a redraw where there can be one, and completed where not', async () => {
    const redrawn = await live('walk-in-redraw')
    expect(redrawn).toMatchObject({ last_event: { status: REDRAW }, has_missing_results: true })
    expect(await readFollowed(petri, redrawn.id)).toMatchObject({ dropped: [] })
    const completed = await live('walk-in-redraw', { redraws: false })
    expect(completed).toMatchObject({ last_event: { status: COMPLETED }, has_missing_results: true })
  })

  it('says at placing, in the effects and when it is explained that the feature is off', async () => {
    await setFeatures(petri, { redraws: false })
    const { id, warning } = (await petri.post('/_petri/orders', { scenario: 'walk-in-redraw' })).body
    expect(warning).toBe(
      'walk-in-redraw ends with completed instead of redraw_available: the feature redraws is off.',
    )
    const explained = async () => (await readDetails(petri, id)).explanation.lines.join('\n')
    expect(await explained()).toMatch(/continues at .* redraws is off\./)
    const { effects } = (await untilIdle(petri)).body
    const detail = 'redraw_available (completed instead: the feature redraws is off)'
    expect(effects).toContainEqual(expect.objectContaining({ kind: 'step_dropped', order_id: id, detail }))
    expect(await explained()).toContain(`It could not do ${detail}.`)
  })

  it('is completed without them where the lifecycle has no redraw, as before an appointment', async () => {
    await upload(
      { after: '1h', status: 'appointment_pending' },
      { after: '1h', status: 'completed', results: { missing: true } },
    )
    expect(await live('mine')).toMatchObject({
      last_event: { status: COMPLETED },
      has_missing_results: true,
    })
    expect((await petri.read('/_petri/world')).failed_jobs).toEqual([])
  })

  it('misses those that are named and that the order has, or others', { tags: 'slow' }, async () => {
    for (const [missing, status, orders] of [
      [['ferritin'], REDRAW, 2],
      [false, COMPLETED, 1],
      [[], COMPLETED, 1],
    ] as const) {
      await upload({ after: '1h', status: 'completed', results: { missing } })
      const order = await live('mine')
      expect([order.last_event.status, order.order_transaction.orders.length]).toEqual([status, orders])
    }
  })

  it('says of a redraw that cannot be that results are missing, although it named none', async () => {
    await upload({ after: '1h', status: 'redraw_available' })
    expect(await live('mine', { redraws: false })).toMatchObject({ has_missing_results: true })
  })
})

describe('no redraw', () => {
  const simulate = async (id: string) => {
    await petri.post(`/v3/order/${id}/test`, { has_missing_results: true })
    const { order_transaction, last_event } = await readOrder(petri, id)
    return [order_transaction.orders.length, last_event.status.split('.').at(-1)]
  }

  it.each(['at_home_phlebotomy', 'on_site_collection'] as const)('is made of %s', async (method) => {
    const { id } = await orderBy(petri, method)
    expect(await simulate(id)).toEqual([1, 'completed'])
  })

  it('is made of an order that was recreated', async () => {
    const old = await orderBy(petri, 'walk_in_test')
    await cancelOrder(petri, old.id)
    const lab_test_id = await standardTest(petri, 'walk_in_test')
    const again = { lab_test_id, update_reason: 'INCORRECT_LAB', user_id: old.user_id }
    const { body } = await sendOrder(petri, again, { headers: { 'x-petri-scenario': 'manual' } })
    expect(body.order.origin).toBe('recreation')
    expect(await simulate(body.order.id)).toEqual([2, 'completed'])
  })
})
