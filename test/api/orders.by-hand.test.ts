import { describe, expect, it } from 'vitest'
import { advance, orderBy, orderKit, readFollowed, readOrder, readResult } from '../support/orders.ts'
import { eventsOf, forEachTest, payloadsOf } from '../support/petri.ts'

const petri = forEachTest()

const move = (id: string, body: object) => petri.post(`/_petri/orders/${id}/move`, body)

describe('a move by hand', () => {
  it('announces a critical result when it is first reported, and when the report is final', {
    tags: 'slow',
  }, async () => {
    const { id } = await orderBy(petri, 'walk_in_test')
    await move(id, { status: 'partial_results', results: { interpretation: 'critical' }, force: true })
    await move(id, { status: 'partial_results' })
    await move(id, { status: 'completed' })
    const told = payloadsOf(petri, 'labtest.result.critical')
    expect(told.map(({ data }) => data.status)).toEqual(['partial', 'final'])
  })

  it('refuses a result the order does not have, with the nearest name', async () => {
    const { id } = await orderBy(petri, 'walk_in_test')
    const input = (missing: unknown) => ({ status: 'completed', results: { missing }, force: true })
    const unknown = await move(id, input(['triglyceride']))
    expect(unknown).toMatchObject({
      status: 400,
      body: {
        detail: expect.stringMatching(/^"triglyceride" is not a result of this order. Did you mean "trig/),
      },
    })
    expect((await readOrder(petri, id)).events).toHaveLength(1)
    expect(await move(id, input(['triglycerides']))).toAnswer(200)
    expect((await readResult(petri, id)).missing_results).toHaveLength(1)
  })

  it('refuses a dotted status of another method, forced or not', async () => {
    const { id } = await orderKit(petri, { scenario: 'manual' })
    for (const force of [false, true]) {
      expect(await move(id, { status: 'failed.walk_in_test.sample_error', force })).toRefuse(
        400,
        'walk_in_test is not how this order is collected; it is testkit.',
      )
    }
    expect((await readOrder(petri, id)).events).toHaveLength(2)
    expect(
      await petri.put(`/_petri/orders/${id}/scenario`, {
        scenario: 'happy-path',
        from: 'received.walk_in_test.requisition_created',
      }),
    ).toAnswer(400)
  })

  it('refuses a status that no order of its method has, forced or not', async () => {
    const { id } = await orderBy(petri, 'walk_in_test')
    for (const force of [false, true])
      expect(await move(id, { status: 'transit_customer', force })).toRefuse(
        400,
        'transit_customer is not a status of walk_in_test.',
      )
    expect(await move(id, { status: 'completd' })).toRefuse(422, [
      { msg: expect.stringContaining('Did you mean "completed"?') },
    ])
  })

  it('that is refused leaves the order in its scenario, and one that is made takes it out', async () => {
    const { id } = await orderKit(petri, { scenario: 'happy-path' })
    const scenario = () => readFollowed(petri, id)
    expect(await move(id, { status: 'completed' })).toAnswer(409)
    expect(await scenario()).toMatchObject({ left_because: null })
    await move(id, { status: 'transit_customer' })
    expect(await scenario()).toMatchObject({ left_because: 'the order was moved manually' })
  })
})

describe('an order that is placed in a status', () => {
  const place = (body: object) => petri.post('/_petri/orders', body)
  const eventTypes = () => eventsOf(petri).map(({ event_type }) => event_type)

  it.each([
    [{ status: 'with_customer' }, 'collecting_sample.testkit.with_customer'],
    [{ status: 'with_customer', registrable: true }, 'collecting_sample.testkit.with_customer'],
    [{ status: 'completed', method: 'walk_in_test' }, 'completed.walk_in_test.completed'],
    [{ status: 'failed.testkit.sample_error' }, 'failed.testkit.sample_error'],
    [{ status: 'cancelled', method: 'at_home_phlebotomy' }, 'cancelled.at_home_phlebotomy.cancelled'],
    [{ status: 'ordered' }, 'received.testkit.ordered'],
  ])('has it at once: %o', async (body, status) => {
    const placed = await place(body)
    expect([placed.status, placed.body.last_event.status]).toEqual([201, status])
    const events = eventTypes()
    expect(events.filter((type) => type === 'labtest.order.created')).toHaveLength(1)
    expect(events.length).toBeGreaterThanOrEqual(placed.body.events.length - 1)
    await advance(petri, '30d')
    expect((await readOrder(petri, placed.body.id)).last_event.status).toBe(status)
  })

  it('sends no event about it if told so, and the later ones', async () => {
    const { body } = await place({ status: 'requisition_created', method: 'walk_in_test', announce: false })
    expect(eventTypes()).toEqual([])
    await move(body.id, { status: 'completed' })
    expect(eventTypes()).toEqual(['labtest.order.updated'])
  })

  it.each([
    [{ status: 'redraw_available', method: 'walk_in_test' }],
    [{ status: 'registered', registrable: true }],
    [{ status: 'completed', registrable: true }],
    [{ status: 'with_customer', method: 'walk_in_test' }],
    [{ status: 'completed.testkit.completed', method: 'walk_in_test' }],
  ])('is refused where it cannot be there, and leaves nothing behind: %o', async (body) => {
    expect(await place(body)).toAnswer(400)
    expect((await petri.read('/v3/orders')).total).toBe(0)
    expect((await petri.read('/v2/user')).users).toEqual([])
  })

  it('is refused with an unknown status', async () => {
    expect(await place({ status: 'lost_in_space' })).toAnswer(422)
  })
})
