import { describe, expect, it } from 'vitest'
import { book, homeSlots, pscSlots, visitOrderAddress } from '../support/appointments.ts'
import { field } from '../support/field.ts'
import {
  advance,
  cancelOrder,
  createUser,
  moveOrder,
  orderBy,
  orderForPatient,
  orderKit,
  readDetails,
  readFollowed,
  register,
  sendOrder,
  setFeatures,
  standardTest,
  untilIdle,
} from '../support/orders.ts'
import { forEachTest, refusal, startTestWorld } from '../support/petri.ts'
import { uploadScenario } from '../support/scenarios.ts'
import { trailOf } from '../support/simulation.ts'

// Each rule at its boundary, and where it must not fire. Other tests make the rules fire: scenarios, scenario-upload, unit/scenario-files.

const petri = forEachTest(startTestWorld)

const upload = (name: string, method: string, steps: object[], more: object = {}) =>
  uploadScenario(petri, name, method, steps, more)
const put = async (...input: Parameters<typeof upload>) => expect(await upload(...input)).toAnswer(200)
/** The reasons an upload is refused; empty if it is accepted. */
const refusals = async (method: string, steps: object[], more: object = {}): Promise<string[]> => {
  const { status, body } = await upload('mine', method, steps, more)
  return status === 200 ? [] : body.detail.map(field('msg'))
}
const scenarioOf = (id: string) => readFollowed(petri, id)
const placeBy = async (method: string, more: Record<string, unknown> = {}, scenario?: string) => {
  const order = { lab_test_id: await standardTest(petri, method), patient_address: visitOrderAddress }
  const headers = scenario === undefined ? {} : { 'x-petri-scenario': scenario }
  return sendOrder(petri, { ...order, ...more }, { headers })
}
const requisition = { after: '1h', status: 'requisition_created' }

describe('the magic ZIP code of a scenario', () => {
  it.each(['00100', '00499'])('may be %s, an end of the range', async (zip) => {
    expect(await refusals('testkit', [], { match: { zip } })).toEqual([])
  })

  it.each(['00099', '00500', '0100', '00100-1234', ' 00100', '10100'])('may not be %s', async (zip) => {
    expect(await refusals('testkit', [], { match: { zip } })).toEqual([expect.stringContaining('magic ZIP')])
  })

  it('selects it for orders of its method alone, and for none once it is removed', async () => {
    await put('mine', 'walk_in_test', [requisition], { match: { zip: '00444' } })
    const at = async (method: string) => {
      const { body } = await placeBy(method, { patient_address: { ...visitOrderAddress, zip: '00444' } })
      return (await scenarioOf(body.order.id)).scenario
    }
    expect(await at('walk_in_test')).toBe('mine')
    expect(await at('on_site_collection')).not.toBe('mine')
    await petri.delete('/_petri/scenarios/mine')
    expect(await at('walk_in_test')).not.toBe('mine')
  })

  it('that an uploaded scenario gives up selects nothing any more, also of the bundled one it replaces', async () => {
    const { zip } = await petri.read('/_petri/scenarios/lost-on-the-way-out')
    const before = await orderForPatient(petri, { zip: `${zip}-1234` })
    expect((await scenarioOf(before.id)).scenario).toBe('lost-on-the-way-out')
    await put('lost-on-the-way-out', 'testkit', [])
    const { id } = await orderForPatient(petri, { zip })
    expect((await scenarioOf(id)).scenario).toBe('happy-path')
  })
})

describe('the scenario of an order', () => {
  it('that is asked for must be of its method, unless it has no steps', async () => {
    expect(await placeBy('walk_in_test', {}, 'slow-lab')).toMatchObject(
      refusal(400, 'The scenario "slow-lab" is for testkit, and this order is walk_in_test.'),
    )
    for (const method of ['walk_in_test', 'at_home_phlebotomy', 'on_site_collection', 'testkit'])
      expect(await placeBy(method, {}, 'manual')).toAnswer(200)
  })

  it.each([
    ['slow-lab', 'testkit', 'slow-lab'],
    ['slow-lab', 'walk_in_test', 'walk-in-slow-lab'],
    ['never-registered', 'walk_in_test', 'walk-in-happy-path'],
    ['walk-in-slow-lab', 'at_home_phlebotomy', 'at-home-slow-lab'],
    ['walk-in-happy-path', 'testkit', 'happy-path'],
    ['walk-in-redraw', 'on_site_collection', 'on-site-happy-path'],
    ['manual', 'walk_in_test', 'manual'],
    ['mine', 'walk_in_test', 'mine'],
  ])('by default %s is for %s: %s', async (scenario, method, chosen) => {
    await put('mine', 'walk_in_test', [requisition])
    expect(await petri.patch('/_petri/world', { scenario })).toAnswer(200)
    const { body } = await placeBy(method)
    expect((await scenarioOf(body.order.id)).scenario).toBe(chosen)
  })

  it('of a user is for that user alone', async () => {
    const [ada, ben] = [await createUser(petri), await createUser(petri, 'ben')]
    await petri.put(`/_petri/users/${ada}/scenario`, { scenario: 'slow-lab' })
    const chosen = async (user: string) =>
      (await scenarioOf((await orderForPatient(petri, { user })).id)).scenario
    expect([await chosen(ada), await chosen(ben)]).toEqual(['slow-lab', 'happy-path'])
  })
})

describe('a step', () => {
  it('with only is for kits, and for either workflow of them', async () => {
    const steps = (only: string) => [{ after: '1h', status: 'cancelled', only }]
    for (const only of ['registered_kit', 'registrable_kit']) {
      expect(await refusals('testkit', steps(only))).toEqual([])
      expect(await refusals('walk_in_test', steps(only))).toEqual([
        expect.stringContaining(`only: ${only} does not occur`),
      ])
    }
    expect(await refusals('walk_in_test', steps('walk_in_test'))).toEqual([])
  })

  it('with only is passed over by the other workflow', async () => {
    await put('mine', 'testkit', [{ after: '1h', status: 'cancelled', only: 'registered_kit' }])
    const [bound, kit] = [
      await orderForPatient(petri, { scenario: 'mine' }),
      await orderKit(petri, { scenario: 'mine' }),
    ]
    await untilIdle(petri)
    expect(await trailOf(petri, bound.id)).toEqual(['ordered', 'cancelled'])
    expect(await trailOf(petri, kit.id)).toEqual(['ordered', 'awaiting_registration'])
  })

  it('with a detail takes one that goes with its status', async () => {
    const steps = (status_detail?: string) => [{ after: '1h', status: 'cancelled', status_detail }]
    expect(await refusals('walk_in_test', steps())).toEqual([])
    expect(await refusals('walk_in_test', steps('fulfillment_error'))).toEqual([])
    expect(await refusals('walk_in_test', steps('sample_hemolyzed'))).toEqual([
      expect.stringContaining('does not go with cancelled'),
    ])
  })

  it.each([
    ['registration', 'testkit', true],
    ['registration', 'walk_in_test', false],
    ['registration', 'at_home_phlebotomy', false],
    ['appointment', 'walk_in_test', true],
    ['appointment', 'at_home_phlebotomy', true],
    ['appointment', 'on_site_collection', false],
    ['appointment', 'testkit', false],
  ])('awaits %s with %s: %s', async (what, method, isPossible) => {
    const before = method === 'testkit' ? [] : [requisition]
    const only = what === 'registration' && method === 'testkit' ? { only: 'registrable_kit' } : {}
    const found = await refusals(method, [...before, { await: what, ...only }])
    expect(found.length === 0).toBe(isPossible)
  })

  it.each([
    ['walk_in_test', []],
    ['walk_in_test', ['appointment_pending']],
    ['at_home_phlebotomy', []],
    ['at_home_phlebotomy', ['appointment_pending']],
    ['at_home_phlebotomy', ['appointment_pending', 'appointment_scheduled']],
    ['at_home_phlebotomy', ['appointment_scheduled']],
  ])('may await an appointment of %s after %j', async (method, lows) => {
    const before = lows.map((status) => ({ after: '1h', status }))
    expect(await refusals(method, [requisition, ...before, { await: 'appointment' }])).toEqual([])
  })

  it.each([
    ['pending', ['appointment_pending', 'appointment_scheduled']],
    ['at_once', ['appointment_scheduled']],
  ])(
    'that awaits an appointment is planned as the feature visit_confirmation says: %s',
    async (word, lows) => {
      await setFeatures(petri, { visit_confirmation: word })
      const { body } = await placeBy('at_home_phlebotomy', {}, 'at-home-happy-path')
      const { planned } = await readDetails(petri, body.order.id)
      expect(planned.map(({ status }: { status: string }) => status.split('.').at(-1))).toEqual([
        'requisition_created',
        ...lows,
        'draw_completed',
        'completed',
      ])
    },
  )

  it.each([
    ['walk_in_test', true],
    ['at_home_phlebotomy', true],
    ['on_site_collection', false],
    ['testkit', false],
  ])('about an appointment is for orders that have one: %s, %s', async (method, isPossible) => {
    const found = await refusals(method, [requisition, { after: '1h', appointment: 'slot_gone' }])
    expect(found.some((message) => message.includes('have no appointments'))).toBe(!isPossible)
  })

  it('at no delay is due at once, and its wait is counted from the step before', async () => {
    await put('mine', 'walk_in_test', [
      { after: '0s', status: 'requisition_created' },
      { after: '2h', status: 'partial_results' },
      { after: '1h', status: 'completed' },
    ])
    const { id } = (await placeBy('walk_in_test', {}, 'mine')).body.order
    await advance(petri, '1s')
    expect((await trailOf(petri, id)).at(-1)).toBe('requisition_created')
    await advance(petri, '1h59m58s')
    expect((await trailOf(petri, id)).at(-1)).toBe('requisition_created')
    await advance(petri, '1s')
    expect((await trailOf(petri, id)).at(-1)).toBe('partial_results')
    await advance(petri, '1h')
    expect((await trailOf(petri, id)).at(-1)).toBe('completed')
  })
})

describe('a wait for the customer', () => {
  const kit = [
    { await: 'registration', only: 'registrable_kit' },
    { after: '1h', status: 'requisition_created' },
  ]

  it('continues at the registration of its own kit only', async () => {
    await put('mine', 'testkit', kit)
    const [one, other] = [
      await orderKit(petri, { scenario: 'mine' }),
      await orderKit(petri, { scenario: 'mine', zip: '85005' }),
    ]
    await untilIdle(petri)
    await register(petri, one.sample_id)
    await untilIdle(petri)
    expect((await trailOf(petri, one.id)).at(-1)).toBe('requisition_created')
    expect((await trailOf(petri, other.id)).at(-1)).toBe('awaiting_registration')
    expect(await scenarioOf(other.id)).toMatchObject({ waits_for: 'registration' })
  })

  it('is skipped when the customer has acted before', async () => {
    const only = 'registered_kit'
    await put('mine', 'testkit', [
      { ...requisition, only },
      { after: '1h', status: 'transit_customer' },
      { await: 'registration', only: 'registrable_kit' },
    ])
    const { id, sample_id } = await orderKit(petri, { scenario: 'mine' })
    await register(petri, sample_id)
    await untilIdle(petri)
    expect(await scenarioOf(id)).toMatchObject({ waits_for: null, left_because: null })
    expect(await trailOf(petri, id)).toContain('transit_customer')
  })

  it('continues at a booking of either kind', async () => {
    for (const [method, kind, end] of [
      ['walk_in_test', 'psc', 'partial_results'],
      ['at_home_phlebotomy', 'phlebotomy', 'draw_completed'],
    ] as const) {
      const name = kind === 'psc' ? 'site' : 'visit'
      await put(name, method, [requisition, { await: 'appointment' }, { after: '1h', status: end }])
      const { id } = (await placeBy(method, {}, name)).body.order
      await untilIdle(petri)
      expect(await scenarioOf(id)).toMatchObject({ waits_for: 'appointment' })
      const slots = kind === 'psc' ? await pscSlots(petri) : await homeSlots(petri)
      await book(petri, kind, id, slots[3])
      expect(await scenarioOf(id)).toMatchObject({ waits_for: null })
      await untilIdle(petri)
      expect((await trailOf(petri, id)).at(-1)).toBe(end)
    }
  })

  it('that was left does not go on', async () => {
    await put('mine', 'testkit', kit)
    const { id, sample_id } = await orderKit(petri, { scenario: 'mine' })
    await petri.delete('/_petri/scenarios/mine')
    expect(await scenarioOf(id)).toMatchObject({ left_because: 'mine was removed' })
    await register(petri, sample_id)
    await untilIdle(petri)
    expect((await trailOf(petri, id)).at(-1)).toBe('testkit_registered')
  })
})

describe('leaving a scenario', () => {
  it('drops nothing when no step was left', async () => {
    const order = await orderBy(petri, 'walk_in_test')
    const { body } = await moveOrder(petri, order.id, 'requisition_created')
    expect(body.last_event.status).toContain('requisition_created')
    expect(await scenarioOf(order.id)).toMatchObject({ scenario: 'manual', dropped: [] })
  })

  it('concerns one order', async () => {
    const users = [await createUser(petri), await createUser(petri, 'ben')] as const
    const one = await orderForPatient(petri, { user: users[0] })
    const other = await orderForPatient(petri, { user: users[1] })
    await cancelOrder(petri, one.id)
    expect(await scenarioOf(one.id)).toMatchObject({ left_because: 'the order was cancelled' })
    expect(await scenarioOf(other.id)).toMatchObject({ left_because: null })
    await untilIdle(petri)
    expect((await trailOf(petri, other.id)).at(-1)).toBe('completed')
  })

  it('is not caused by an upload of another name, nor of the same text', async () => {
    const steps = [requisition]
    await put('mine', 'walk_in_test', steps)
    const { id } = (await placeBy('walk_in_test', {}, 'mine')).body.order
    await put('another', 'walk_in_test', steps)
    await put('mine', 'walk_in_test', steps)
    expect(await scenarioOf(id)).toMatchObject({ left_because: null, next_due: expect.any(String) })
  })

  it('is not caused by a change of a scenario that the order has come to the end of', async () => {
    await put('mine', 'walk_in_test', [requisition])
    const { id } = (await placeBy('walk_in_test', {}, 'mine')).body.order
    await untilIdle(petri)
    await put('mine', 'walk_in_test', [{ after: '2h', status: 'requisition_created' }])
    expect(await scenarioOf(id)).toMatchObject({ left_because: null })
  })
})

describe('a scenario begun by hand', () => {
  const begin = (id: string, body: object) => petri.put(`/_petri/orders/${id}/scenario`, body)

  it('is of the order’s method, and has a step the order can take', async () => {
    const order = await orderBy(petri, 'walk_in_test')
    expect(await begin(order.id, { scenario: 'slow-lab' })).toAnswer(409)
    expect(await begin(order.id, { scenario: 'manual' })).toAnswer(200)
    expect(await begin(order.id, { scenario: 'walk-in-happy-path' })).toAnswer(200)
    await cancelOrder(petri, order.id)
    // A walk-in order is reinstated when the patient shows up all the same.
    expect(await begin(order.id, { scenario: 'walk-in-happy-path' })).toAnswer(200)
    const onSite = await orderBy(petri, 'on_site_collection')
    await cancelOrder(petri, onSite.id)
    expect(await begin(onSite.id, { scenario: 'on-site-happy-path' })).toAnswer(409)
  })
})
