import { describe, expect, it } from 'vitest'
import { aroundJson, jsonIn, messagesWithin } from '../../src/scenarios/incidents/log.ts'
import { type OrderRecord, RecordError, RecordReader } from '../../src/scenarios/incidents/record.ts'
import { writeScenario } from '../../src/scenarios/incidents/scenario-text.ts'

const KIT = '11111111-1111-4111-8111-111111111111'
const OTHER = '22222222-2222-4222-8222-222222222222'
const START = Date.parse('2026-01-01T09:00:00Z')
const HOUR = 3_600_000
const at = (hours: number) => `${new Date(START + hours * HOUR).toISOString().slice(0, -5)}+00:00`

const event = (status: string, hours: number, more: object = {}) => ({
  id: hours,
  status,
  status_detail: null,
  created_at: at(hours),
  ...more,
})
const order = (events: unknown, more: object = {}) => ({
  id: KIT,
  details: { type: 'testkit', data: {} },
  events,
  ...more,
})
const ordered = event('received.testkit.ordered', 0)
const cancelled = event('cancelled.testkit.cancelled', 2)
const kit = order([ordered, cancelled])
const webhook = (data: unknown, more: object = {}) => ({ event_type: 'labtest.order.updated', data, ...more })

const readerOf = (...documents: unknown[]) => {
  const reader = new RecordReader()
  for (const document of documents) reader.add(document)
  return reader
}
const read = (...documents: unknown[]) => readerOf(...documents).finish()
/** The results of each status with a report. */
const reportsOf = (...documents: unknown[]) =>
  read(...documents).statuses.flatMap(({ low, results }) => (results ? [[low, results]] : []))
const completed = event('completed.testkit.completed', 3)
const corrected = event('completed.testkit.corrected', 5)
const lows = (...documents: unknown[]) => read(...documents).statuses.map(({ low }) => low)

const record = (statuses: OrderRecord['statuses'], more: Partial<OrderRecord> = {}): OrderRecord => ({
  workflow: 'registered_kit',
  method: 'testkit',
  statuses,
  couriers: {},
  unread: [],
  appointments: [],
  messages: [],
  webhookFaults: {},
  notes: [],
  unknown: [],
  isRedraw: false,
  mayHaveGaps: false,
  ...more,
})

describe('a record of an order', () => {
  it('has its statuses with instants and details, and nothing that the order does not say', () => {
    const detailed = event('cancelled.testkit.cancelled', 2, { status_detail: 'fulfillment_error' })
    expect(read(order([ordered, detailed]))).toEqual(
      record([
        { low: 'ordered', detail: undefined, at: START },
        { low: 'cancelled', detail: 'fulfillment_error', at: START + 2 * HOUR },
      ]),
    )
  })

  it.each([
    [{ patient_details: null }, { hasPatient: false }],
    [
      { patient_details: { gender: 'female', dob: '1980-02-03' } },
      { hasPatient: true, patient: { gender: 'female', birthYear: 1980 } },
    ],
    [{ patient_details: { gender: 'female', dob: null } }, { hasPatient: true }],
    [{ patient_details: { gender: null, dob: '1980-02-03' } }, { hasPatient: true }],
    [{ origin: 'redraw' }, { isRedraw: true }],
    [{ origin: 'initial' }, {}],
  ])('says whether it has a patient, and is a redraw: %j', (more, said) => {
    expect(read(order([ordered], more))).toEqual({ ...read(order([ordered])), ...said })
  })

  it('has the patient and the couriers of its last document', () => {
    const of = (dob: string, courier: string) =>
      order([ordered], {
        details: {
          type: 'testkit',
          data: { shipment: { outbound_courier: courier, inbound_courier: courier } },
        },
        patient_details: { gender: 'male', dob },
      })
    const nobody = order([ordered], { patient_details: null })
    expect(read(nobody, of('1980-02-03', 'USPS'), of('1990-02-03', 'UPS'))).toMatchObject({
      ...{ hasPatient: true, patient: { birthYear: 1990 }, couriers: { outbound: 'UPS', inbound: 'UPS' } },
    })
    expect(read(of('1980-02-03', 'USPS'), nobody).hasPatient).toBe(false)
  })

  it('names the statuses and details that Petri does not know, each once', () => {
    const strange = 'received.testkit.teleported'.padEnd(81, '!')
    const events = [
      event(strange, 1),
      event(strange, 2),
      event('cancelled.testkit.cancelled', 3, { status_detail: 'bad_mood' }),
    ]
    const { statuses, unknown } = read(order([ordered, ...events]))
    expect(statuses.map(({ low }) => low)).toEqual(['ordered', 'cancelled'])
    expect(unknown).toEqual([
      `Left out the status "${strange.slice(0, -1)}", which Petri does not know.`,
      'Left out the detail "bad_mood" of cancelled, which Petri does not know.',
    ])
  })

  it('is sorted by instant, and has each event once', () => {
    expect(lows(order([cancelled, ordered]))).toEqual(['ordered', 'cancelled'])
    expect(lows(kit, kit, order([ordered]))).toEqual(['ordered', 'cancelled'])
    const again = event('cancelled.testkit.cancelled', 3)
    expect(lows(order([ordered, cancelled, again]))).toEqual(['ordered', 'cancelled', 'cancelled'])
    const twin = { ...cancelled, id: 99 }
    expect(lows(order([ordered, cancelled, twin]))).toEqual(['ordered', 'cancelled', 'cancelled'])
  })

  it.each([
    null,
    'received.testkit.ordered',
    {},
    { status: 5, created_at: at(1) },
    event('received.testkit.nowhere', 1),
    event('received.testkit.ordered', 1, { created_at: 'soon' }),
    event('received.testkit.ordered', 1, { created_at: undefined }),
  ])('leaves out an event that says no status or no instant: %j', (strange) => {
    expect(lows(order([strange, ordered, cancelled]))).toEqual(['ordered', 'cancelled'])
  })

  it.each(['awaiting_registration', 'registered'])('is of a registrable kit when it was %s', (low) => {
    expect(read(order([ordered, event(`received.testkit.${low}`, 1)])).workflow).toBe('registrable_kit')
    expect(read(kit).workflow).toBe('registered_kit')
  })

  it('has the method of its details, otherwise that of its statuses', () => {
    const visit = [event('received.walk_in_test.ordered', 0)]
    expect(read({ id: KIT, events: visit })).toMatchObject({
      method: 'walk_in_test',
      workflow: 'walk_in_test',
    })
    const strange = order(visit, { details: { type: 'unheard_of' } })
    expect(read(strange).method).toBe('walk_in_test')
    expect(read(order([ordered], { details: 'none' })).method).toBe('testkit')
  })

  it('is not of an event without a text as its status, and keeps the method of the first document', () => {
    expect(lows(order([ordered, { ...cancelled, status: null }]))).toEqual(['ordered'])
    const other = { id: KIT, details: { type: 'walk_in_test' }, events: [] }
    expect(read(kit, other).method).toBe('testkit')
    expect(read(other, kit).method).toBe('walk_in_test')
    const visit = { order_id: KIT, type: 'phlebotomy', event_status: 'pending', events: [] }
    expect(read(kit, visit).method).toBe('testkit')
    expect(lows({ ...kit, id: 5 }, kit)).toEqual(['ordered', 'cancelled'])
  })

  it('keeps its interpretation when a later document says none', () => {
    const done = order([ordered, completed])
    expect(reportsOf({ ...done, interpretation: 'critical' }, done)).toEqual([
      ['completed', { interpretation: 'critical' }],
    ])
    const [normal, abnormal] = ['normal', 'abnormal'].map((interpretation) => ({ ...done, interpretation }))
    expect(reportsOf(normal, abnormal)).toEqual([['completed', { interpretation: 'abnormal' }]])
  })

  it('may have gaps when no document has the whole history', () => {
    const bare = { id: KIT, details: { type: 'testkit' }, status: ordered.status, updated_at: at(0) }
    expect(read(bare)).toMatchObject({ mayHaveGaps: true, statuses: [{ low: 'ordered', at: START }] })
    expect(read(bare, kit).mayHaveGaps).toBe(false)
    const latest = { id: KIT, details: { type: 'testkit' }, last_event: cancelled, status: ordered.status }
    expect(lows(latest)).toEqual(['cancelled'])
    expect(read(webhook(latest), webhook(bare)).messages).toMatchObject([
      { status: 'cancelled' },
      { status: 'ordered' },
    ])
  })

  it('has the couriers of its shipment', () => {
    const couriers = (shipment: unknown) =>
      read(order([ordered], { details: { type: 'testkit', data: { shipment } } })).couriers
    expect(couriers({ outbound_courier: 'USPS' })).toEqual({ outbound: 'USPS' })
    expect(couriers({ inbound_courier: 'UPS', outbound_courier: null })).toEqual({ inbound: 'UPS' })
    for (const none of [null, 'USPS', {}, { outbound_courier: 5, inbound_courier: 5 }])
      expect(couriers(none)).toEqual({})
    expect(read(order([ordered], { details: { type: 'testkit', data: null } })).couriers).toEqual({})
  })

  it.each(['normal', 'abnormal', 'critical', 'unknown'])('has the interpretation %s', (interpretation) => {
    const said = (text: string) => reportsOf(order([ordered, completed], { interpretation: text }))
    expect(said(interpretation)).toEqual([['completed', { interpretation }]])
    expect(said(`${interpretation}x`)).toEqual([])
  })

  it('says that results are missing, and which, if that is known', () => {
    const done = order([ordered, completed])
    const missing = { ...done, has_missing_results: true }
    const named = { metadata: {}, results: [], missing_results: [{ slug: 'tsh' }, { name: 'x' }, 5] }
    expect(reportsOf(missing)).toEqual([['completed', { missing: true }]])
    expect(reportsOf({ ...done, has_missing_results: false })).toEqual([])
    for (const documents of [
      [missing, named],
      [named, missing],
    ])
      expect(reportsOf(...documents)).toEqual([['completed', { missing: ['tsh'], values: {} }]])
    for (const none of [[], null])
      expect(reportsOf(done, { ...named, missing_results: none })).toEqual([['completed', { values: {} }]])
  })

  it('knows that what is missing at the end was missing before', () => {
    const walkIn = (...lows: string[]) =>
      order(
        lows.map((low, hours) => event(low.replace('.', '.walk_in_test.'), hours)),
        {
          details: { type: 'walk_in_test', data: {} },
          has_missing_results: true,
        },
      )
    const some = walkIn('received.ordered', 'sample_with_lab.partial_results')
    const done = walkIn('received.ordered', 'sample_with_lab.partial_results', 'completed.completed')
    const named = { metadata: { status: 'final' }, results: [], missing_results: [{ slug: 'tsh' }] }
    expect(reportsOf(webhook(some), webhook(done), named)).toEqual([
      ['partial_results', { missing: ['tsh'] }],
      ['completed', { missing: ['tsh'], values: {} }],
    ])
    const changed = {
      ...done,
      events: [...(done.events as object[]), event('completed.walk_in_test.corrected', 3)],
    }
    const two = { ...named, missing_results: [{ slug: 'iron' }, null, { slug: 'zinc' }] }
    expect(reportsOf(some, changed, two, { ...named, metadata: { status: 'corrected' } })).toEqual([
      ['partial_results', { missing: ['iron', 'zinc'] }],
      ['completed', { missing: ['iron', 'zinc'], values: {} }],
      ['corrected', { missing: ['tsh'], values: {} }],
    ])
  })

  it('has the results that have a slug, and a number or a bound', () => {
    const results = [
      { slug: 'psa', type: 'range', value: -1, result: '<0.1' },
      { slug: 'wbc', type: 'range', value: -1, result: '2-5' },
      { slug: 'ferritin', type: 'numeric', value: 7.5, result: '8' },
      { slug: 'tsh', type: 'numeric', value: null, result: '2.5' },
      { slug: 'color', type: 'comment', value: 3 },
      { slug: 'iron', type: 'numeric', value: null, result: 'none' },
      { slug: 'note', type: 'comment', value: null, result: '2-5' },
      { slug: 'zinc', type: 'range', value: -1, result: null },
      { slug: 'lead', type: 'range', value: -1, result: 'none' },
      null,
      { slug: 5, type: 'numeric', value: 1 },
      { type: 'numeric', value: 1 },
    ]
    const done = order([ordered, completed], { interpretation: 'abnormal' })
    expect(reportsOf(done, { metadata: {}, results })).toEqual([
      [
        'completed',
        { interpretation: 'abnormal', values: { psa: '<0.1', wbc: '2-5', ferritin: 7.5, tsh: 2.5 } },
      ],
    ])
  })
})

describe('the reports of an order', () => {
  const file = (value: number, metadata: object = {}) => ({
    metadata,
    results: [{ slug: 'ferritin', type: 'numeric', value, result: `${value}` }],
  })
  const done = order([ordered, completed])
  const changed = order([ordered, completed, corrected])
  const first = file(7, { date_reported: at(3), interpretation: 'abnormal' })
  const second = file(80, { date_reported: at(5), interpretation: 'normal' })
  const both = [
    ['completed', { interpretation: 'abnormal', values: { ferritin: 7 } }],
    ['corrected', { interpretation: 'normal', values: { ferritin: 80 } }],
  ]

  it.each([
    ['by their dates', [changed, second, first]],
    [
      'by what they say they are',
      [
        changed,
        file(80, { ...second.metadata, status: 'corrected', date_reported: at(3) }),
        { ...first, metadata: { ...first.metadata, status: 'final' } },
      ],
    ],
    ['once, also if a file is given twice', [first, changed, second, first]],
    ['to a correction that the order does not show yet', [done, first, second]],
    [
      'to two statuses of one instant',
      [order([ordered, { ...completed, created_at: at(5) }, corrected]), second, first],
    ],
  ])('go to the statuses they were seen at: %s', (_, documents) => {
    expect(reportsOf(...documents)).toEqual(both)
  })

  it.each([
    [10, 'completed'],
    [10.1, 'corrected'],
  ])('are of a status that was set up to ten minutes before: %f', (minutes, low) => {
    const report = file(7, { date_reported: at(3 + minutes / 60) })
    expect(reportsOf(changed, report).map(([of]) => of)).toEqual([low])
  })

  it('go to the later of two statuses of one instant if there is one file', () => {
    const once = order([ordered, { ...completed, created_at: at(5) }, corrected])
    expect(reportsOf(once, second)).toEqual([both[1]])
    const soon = order([ordered, completed, { ...corrected, created_at: at(3 + 8 / 60) }])
    const near = file(80, { date_reported: at(3 + 8 / 60), interpretation: 'normal' })
    expect(reportsOf(soon, near)).toEqual([both[1]])
    const twice = order([ordered, completed, corrected, { ...corrected, id: 6 }])
    const [, , one, other] = read(twice, first, second).statuses
    expect([one?.results, other?.results]).toEqual([undefined, both[1]?.[1]])
  })

  it('after the last status go to it, or are a correction if it is not the first', () => {
    const later = file(9, { date_reported: at(9) })
    expect(reportsOf(done, later)).toEqual([['completed', { values: { ferritin: 9 } }]])
    expect(lows(changed, first, later)).toEqual(['ordered', 'completed', 'corrected', 'corrected'])
    const three = reportsOf(changed, first, second, later)
    expect(three).toEqual([...both, ['corrected', { values: { ferritin: 9 } }]])
    const soon = file(10, { date_reported: at(9.1) })
    const added = [9, 9.1].map((hours, nth) => ({
      ...{ low: 'corrected', at: START + hours * HOUR, results: { values: { ferritin: 9 + nth } } },
    }))
    expect(read(done, first, later, soon).statuses.slice(1)).toMatchObject([{ low: 'completed' }, ...added])
    // A file without a date comes first.
    expect(reportsOf(done, later, file(7))).toEqual([
      ['completed', { values: { ferritin: 7 } }],
      ['corrected', { values: { ferritin: 9 } }],
    ])
    const stopped = order([ordered, completed, event('cancelled.testkit.cancelled', 4)])
    expect(reportsOf(stopped, first, second)).toEqual([both[0]])
    const cancelledAfter = order([ordered, completed, corrected, event('cancelled.testkit.cancelled', 6)])
    expect(reportsOf(cancelledAfter, first, later)).toEqual([
      both[0],
      ['corrected', { values: { ferritin: 9 } }],
    ])
    expect(reportsOf(changed, file(7))).toEqual([['corrected', { values: { ferritin: 7 } }]])
  })

  it('are those that each webhook shows, also when it comes late', () => {
    const told = [
      webhook({ ...changed, interpretation: 'normal' }),
      webhook({ ...done, interpretation: 'abnormal' }),
    ]
    expect(reportsOf(...told)).toEqual([
      ['completed', { interpretation: 'abnormal' }],
      ['corrected', { interpretation: 'normal' }],
    ])
    const reports = [{ ...completed, created_at: at(5) }, corrected, event('completed.testkit.corrected', 7)]
    const words = ['normal', 'abnormal', 'critical']
    const shown = words.map((interpretation, nth) =>
      order([ordered, ...reports.slice(0, nth + 1)], { interpretation }),
    )
    const said = reportsOf(...shown).map(([, results]) => results)
    expect(said).toEqual(words.map((interpretation) => ({ interpretation })))
    // Of a status without a report, it is that of the last one with a report.
    const stopped = order([ordered, completed, corrected, event('cancelled.testkit.cancelled', 6)])
    const { events: _, ...bare } = { ...changed, interpretation: 'normal' }
    const { status, created_at: updated_at } = completed
    for (const [seen, low] of [
      [{ ...stopped, interpretation: 'normal' }, 'corrected'],
      [{ ...bare, last_event: completed, status: corrected.status, updated_at: at(5) }, 'completed'],
      [{ ...bare, status, updated_at }, 'completed'],
    ] as const)
      expect(reportsOf(changed, seen)).toEqual([[low, { interpretation: 'normal' }]])
  })

  it('are named where they are made up or left out', () => {
    expect(read({ ...changed, interpretation: 'normal' }).notes).toEqual([
      'The record has no results of completed; the scenario makes them up.',
    ])
    for (const [one, when] of [
      [file(9, { date_reported: at(1) }), ' of 2026-01-01'],
      [file(9), ''],
    ] as const)
      expect(read(done, one, file(7)).notes).toEqual([
        `Left out the results${when}, because the order has no other status with a report.`,
      ])
    expect(read(done, first, second).notes).toEqual([
      'Added corrected, because results were reported after the last status.',
    ])
    expect(read(done).notes).toEqual([])
    expect(read({ ...kit, interpretation: 'normal' }).notes).toEqual([
      'Left out an interpretation, because the order has no status with a report.',
    ])
  })
})

describe('a document', () => {
  it.each([
    ['an order', kit],
    ['an order with events alone', { id: KIT, events: [5, ordered, cancelled] }],
    ['an order with a body', { ...kit, body: {} }],
    ['an order with a number as its body', { ...kit, body: 5 }],
    ['a list of events in a log', { events: [{ message: JSON.stringify(webhook(kit)) }] }],
    ['a list of webhooks', { events: [webhook(kit)] }],
    ['a logged order', { payload: kit }],
    ['a received webhook with details', { details: {}, body: webhook(kit) }],
    ['the response to an ordering', { order: kit, status: 'success' }],
    ['a list of orders', { orders: [kit] }],
    ['a list', [[kit]]],
    ['a page of a list', { data: [kit] }],
    ['a webhook', webhook(kit)],
    ['a logged webhook', { payload: webhook(kit) }],
    ['a received webhook', { body: webhook(kit) }],
    ['a received webhook as a text', { body: JSON.stringify(webhook(kit)) }],
    ['a received list as a text', { body: JSON.stringify([kit]) }],
  ])('that is %s is read', (_, document) => {
    expect(
      readerOf(document)
        .finish()
        .statuses.map(({ low }) => low),
    ).toEqual(['ordered', 'cancelled'])
  })

  it.each([
    5,
    'text',
    null,
    {},
    { body: 'no JSON' },
    { body: { hello: 1 } },
    { results: [] },
    { metadata: {} },
    { results: {}, metadata: {} },
    { event_type: 'daily.data.steps.created', data: kit },
    { event_type: 'labtest.order.updated', data: [kit] },
    { event_type: 'my.labtest.order.updated', data: kit },
  ])('of another kind is not read: %j', (document) => {
    const reader = readerOf(document)
    expect(() => reader.finish()).toThrow(
      new RecordError('This is neither an order, nor webhooks of an order, nor a list of them.'),
    )
    reader.add(kit)
    expect(reader.finish()).toMatchObject({ statuses: [{}, {}], messages: [] })
  })

  it('of an order without a status says so', () => {
    expect(() => read({ id: KIT, events: [] })).toThrow(new RecordError('The order has no status history.'))
    expect(() => read({ ...kit, details: {}, events: [event('ordered', 0)] })).toThrow(RecordError)
    expect(() => read({ ...kit, details: {}, events: [{ id: 1 }] })).toThrow(
      'The order has no status history.',
    )
  })

  it('of a second order is refused, or left out when one is chosen', () => {
    const other = order([event('received.walk_in_test.ordered', 5)], {
      id: OTHER,
      details: { type: 'walk_in_test' },
    })
    const critical = (order_id: string) =>
      webhook({ order_id, status: 'final' }, { event_type: 'labtest.result.critical' })
    expect(() => read(kit, critical(KIT), other)).toThrow(
      new RecordError(
        `These are of two orders; choose one of them with --order: ${KIT} (cancelled.testkit.cancelled), ${OTHER} (received.walk_in_test.ordered).`,
      ),
    )
    expect(() => read(kit, critical(OTHER))).toThrow(`(cancelled.testkit.cancelled), ${OTHER}.`)
    const of = (count: number) => read(...Array.from({ length: count }, (_, id) => ({ ...kit, id: `${id}` })))
    expect(() => of(50)).toThrow(/^These are of 50 orders; .*, 49 \(cancelled\.testkit\.cancelled\)\.$/)
    expect(() => of(51)).toThrow(/, 49 \(cancelled\.testkit\.cancelled\) and 1 more\.$/)
    const none = new RecordReader('1-')
    none.add(kit)
    expect(() => none.finish()).toThrow(
      `No order begins with "1-". The orders are ${KIT} (cancelled.testkit.cancelled).`,
    )
    const reader = new RecordReader(OTHER)
    for (const document of [webhook(kit), kit, webhook(other), webhook(kit)]) reader.add(document)
    expect(reader.finish()).toMatchObject({
      method: 'walk_in_test',
      statuses: [{ low: 'ordered' }],
      webhookFaults: {},
    })
  })

  it('without an id is of the same order', () => {
    const { id: _, ...rest } = kit
    expect(lows(order([ordered]), rest)).toEqual(['ordered', 'cancelled'])
  })
})

describe('the deliveries of an order', () => {
  const webhookFaults = (...documents: unknown[]) => read(...documents).webhookFaults
  const early = webhook(order([ordered]))
  const late = webhook(kit)
  const appointment = (...events: object[]) =>
    webhook({ id: OTHER, order_id: KIT, events }, { event_type: 'labtest.appointment.updated' })
  const lines = (...hours: number[]) =>
    hours.map((_, at) =>
      webhook(
        order(hours.slice(0, at + 1).map((hour) => event('sample_with_lab.testkit.delivered_to_lab', hour))),
      ),
    )
  /** A line of a receiver's log, received so many hours after the start. */
  const received = (payload: object, hours: number, more: object = {}) => ({
    received_at: at(hours),
    payload,
    ...more,
  })
  const MINUTE = 1 / 60
  const SECOND = MINUTE / 60

  it('count how often a message came again, by its id or by what it says', () => {
    expect(webhookFaults(early, late)).toEqual({})
    expect(webhookFaults(early, early, early, late)).toEqual([{ status: 'ordered', duplicate: 2 }])
    expect(webhookFaults({ ...early, id: 'a' }, { ...early, id: 'b' })).toEqual({})
    expect(webhookFaults({ ...early, id: 'a' }, { ...late, id: 'a' })).toEqual({ duplicate: 1 })
    expect(webhookFaults(kit, kit)).toEqual({})
  })

  it.each([
    (id: string) => ({ headers: { 'svix-id': id } }),
    (id: string) => ({ headers: { 'Webhook-Id': id } }),
    (id: string) => ({ message_id: id }),
    (id: string) => ({ msgId: id }),
    (id: string) => ({ id }),
  ])('count messages of one id in a log: %s', (keyOf) => {
    let rows = 0
    const logged = (id: string, payload: object) => ({ id: `row ${++rows}`, ...keyOf(id), payload })
    const message = (id: string) => ({ ...late, id })
    expect(webhookFaults(logged('a', message('1')), logged('a', message('2')))).toEqual({ duplicate: 1 })
    expect(webhookFaults(logged('a', message('1')), logged('b', message('2')))).toEqual({})
  })

  it('have rules for messages that were delivered otherwise than most', () => {
    const last = webhook(order([ordered, cancelled, corrected]))
    expect(webhookFaults(early, early, late)).toEqual([{ status: 'ordered', duplicate: 1 }])
    expect(webhookFaults(early, early, late, last, last)).toEqual([
      { duplicate: 1 },
      { status: 'cancelled', duplicate: 0 },
    ])
    expect(webhookFaults(early, early, late, late)).toEqual({ duplicate: 1 })
    const twice = order([ordered, cancelled, { ...cancelled, id: 7, created_at: at(4) }])
    expect(webhookFaults(early, late, webhook(twice), webhook(twice))).toEqual([
      { status: 'cancelled', occurrence: 2, duplicate: 1 },
    ])
    expect(webhookFaults(early, appointment(event('cancelled', 1)), late, late)).toEqual([
      { status: 'cancelled', duplicate: 1 },
    ])
    const result = (event_type: string, sample_id = 1) =>
      webhook({ order_id: KIT, status: 'final', sample_id }, { event_type })
    const critical = result('labtest.result.critical')
    expect(webhookFaults(early, late, critical, critical)).toEqual([
      { event: 'labtest.result.critical', duplicate: 1 },
    ])
    const others = [result('labtest.result.updated'), critical, result('labtest.result.critical', 2)]
    expect(webhookFaults(early, late, ...others, critical)).toEqual([
      { event: 'labtest.result.critical', occurrence: 1, duplicate: 1 },
    ])
    const reserved = appointment(event('reserved', 3))
    expect(webhookFaults(early, late, reserved, reserved)).toEqual([
      { event: 'labtest.appointment.updated', status: 'reserved', duplicate: 1 },
    ])
    const unsaid = webhook({ id: KIT })
    expect(webhookFaults(early, late, unsaid, unsaid)).toStrictEqual([
      { event: 'labtest.order.updated', duplicate: 1 },
    ])
    expect(read(critical, early).method).toBe('testkit')
  })

  it.each([
    ['beside the body', (status: number) => ({ ...early, status, status_code: 500 })],
    ['around the body', (status: number) => ({ payload: early, status })],
    [
      'deeper in a line',
      (status: number) => ({ log: { response_status: status, request: { json: early } } }),
    ],
  ])('tell an attempt that was refused from a duplicate: the status %s', (_, line) => {
    for (const refused of [100, 199, 300, 302, 404, 503])
      expect(webhookFaults(line(refused), line(200)), `${refused}`).toEqual({ drop_first: 1 })
    for (const accepted of [200, 204, 299])
      expect(webhookFaults(line(accepted), line(200)), `${accepted}`).toEqual({ duplicate: 1 })
    const failed = (error: string | null) => ({ payload: early, error })
    expect(webhookFaults(failed('timeout'), failed(null))).toEqual({ drop_first: 1 })
    expect(webhookFaults(failed(null), failed(null))).toEqual({ duplicate: 1 })
  })

  it.each([
    ['2026-01-01T09:00:00.25Z POST {} answered 302', '2026-01-01T09:00:00.25Z', 302],
    ['{"at": "2026-01-01T09:00:00Z", "status": 404}', undefined, undefined],
    ['2026-01-01 09:00:00 {"event_type":"a"} -> 503 in 12 ms', '2026-01-01 09:00:00', 503],
    ['"POST /hook HTTP/1.1" 204 {}', undefined, 204],
    ['status=404 {"status": 200}', undefined, 404],
    ['{} responded with 500', undefined, undefined],
    ['{} status code 600', undefined, undefined],
    ['2026-01-01T09:00:00+0100,"{}",100', '2026-01-01T09:00:00+0100', 100],
    ['hook | 599 | {}', undefined, 599],
    ['{} 1200 200', undefined, undefined],
    ['{}|200', undefined, 200],
    ['{"status":404,"a":{},"status":503}', undefined, undefined],
  ])('have the time and the reply that a line of text says: %s', (line, received_at, status) => {
    expect(aroundJson(line)).toStrictEqual({ ...(received_at && { received_at }), ...(status && { status }) })
  })

  it.each([
    ['at 9 {"a":{"b":1}} and {"c":2}', [{ a: { b: 1 } }, { c: 2 }]],
    ['{"a":"}{\\"{"} x', [{ a: '}{"{' }]],
    ['{"a":""}', [{ a: '' }]],
    ['9,"{""a"":1}"', [{ a: 1 }]],
    ['"{\\"a\\":1}"', [{ a: 1 }]],
    ['{x} [{"a":1}] {', [{ a: 1 }]],
    ['none', []],
    // Of the braces of a line, fifty are tried.
    [`${'{'.repeat(49)}{"a":1}`, [{ a: 1 }]],
    [`${'{'.repeat(50)}{"a":1}`, []],
  ])('are the objects in a line of text: %s', (line, found) => {
    expect(jsonIn(line)).toEqual(found)
  })

  it.each<[(each: unknown) => unknown, number]>([
    [(each) => ({ each }), 7],
    [(each) => [each], 7],
    [(each) => JSON.stringify({ each }), 2],
  ])('are looked for up to eight levels deep: %s', (wrap, levels) => {
    const others = { text: 'text', number: 5, nothing: null, type: { event_type: 'a' }, data: { data: {} } }
    const found = (count: number) => {
      let line: unknown = early
      for (let level = 0; level < count; level++) line = wrap(line)
      return messagesWithin({ ...others, line }).map(({ body }) => body)
    }
    expect([found(levels), found(levels + 1)]).toEqual([[early], []])
  })

  it('name duplicates that came much later', () => {
    const again = (hours: number) => received(early, hours, { msgId: 'a', status: 200 })
    const untimed = { payload: early, msgId: 'a', status: 200 }
    expect(read(untimed, again(0), again(MINUTE)).notes).toEqual([
      '1 message repeated up to 1m later; the scenario repeats them at once.',
    ])
    expect(read(again(0), again(59 * SECOND)).notes).toEqual([])
    expect(read(again(0), again(30 * SECOND), again(MINUTE), untimed).notes).toHaveLength(1)
    const other = [2, 4].map((hours) => received(late, hours, { msgId: 'b', status: 200 }))
    expect(read(again(0), again(MINUTE), ...other).notes).toEqual([
      '2 messages repeated up to 2h later; the scenario repeats them at once.',
    ])
  })

  it('are messages in the order in which they were accepted, each as often as it came', () => {
    const log = [received(early, 3, { status: 500 }), received(late, 4), received(late, 4 + SECOND)]
    const type = 'labtest.order.updated'
    const twice = { type, status: 'cancelled', at: START + 4 * HOUR }
    expect(read(...log, received(early, 5)).messages).toEqual([
      ...[twice, twice],
      { type, status: 'ordered', at: START + 5 * HOUR },
    ])
  })

  it('show that a message came after a later one, and how many were turned round', () => {
    expect(webhookFaults(early, late)).toEqual({})
    expect(webhookFaults(late, late)).toEqual({ duplicate: 1 })
    expect(webhookFaults(late, early)).toEqual({ reorder: true })
    expect(webhookFaults(received(early, 5), late)).toEqual({ reorder: true })
    const [first = {}, second = {}, third = {}] = lines(1, 2, 3)
    // A receiver whose clock is behind.
    expect(webhookFaults(received(third, 0.5), received(second, 1))).toEqual({})
    expect(webhookFaults(third, second, first)).toEqual({ reorder: 3 })
    expect(webhookFaults(first, third, second)).toEqual({ reorder: true })
    expect(webhookFaults(second, second, first)).toEqual([
      { reorder: true },
      { status: 'delivered_to_lab', occurrence: 2, duplicate: 1 },
    ])
    expect(webhookFaults(received(late, 2), received(early, 0))).toEqual({})
    expect(webhookFaults(received(late, 2), received(early, 2 + 2 * SECOND))).toEqual({ reorder: true })
    expect(webhookFaults(received(late, 2), received(early, 2 + 3 * SECOND))).toEqual([
      { status: 'ordered', delay: '2h3s' },
    ])
    const bare = webhook({ id: KIT, status: ordered.status, updated_at: at(0) })
    expect(webhookFaults(late, bare)).toEqual({ reorder: true })
    expect(webhookFaults(bare, late)).toEqual({})
    expect(webhookFaults(received(early, 2), received(late, 2 + SECOND))).not.toHaveProperty('reorder')
    expect(webhookFaults(received(late, 3), received(early, 4))).toEqual([
      { status: 'cancelled', delay: '1h' },
      { status: 'ordered', delay: '4h' },
    ])
  })

  it('show two events of one moment by the number that the order has', () => {
    const twin = event('received.testkit.requisition_created', 0)
    const both = webhook(order([ordered, { ...twin, id: 9 }]))
    expect(webhookFaults(both, early)).toEqual({ reorder: true })
    expect(webhookFaults(early, both)).toEqual({})
    const uncounted = webhook({ id: KIT, status: ordered.status, updated_at: at(0) })
    expect(webhookFaults(both, uncounted)).toEqual({})
    expect(webhookFaults(appointment(ordered, ordered), early)).toEqual({})
  })

  it('show a delay from the event to the first attempt, which is usual up to a minute', () => {
    const delayed = (...hours: [number, number]) =>
      webhookFaults(received(early, hours[0]), received(late, 2 + hours[1]))
    expect(delayed(0, 59 * SECOND)).toEqual({})
    expect(delayed(MINUTE, MINUTE)).toEqual({ delay: '1m' })
    expect(delayed(2 * MINUTE, 3 * MINUTE - SECOND)).toEqual({ delay: '2m59s' })
    expect(delayed(2 * MINUTE, 3 * MINUTE)).toEqual([
      { status: 'ordered', delay: '2m' },
      { status: 'cancelled', delay: '3m' },
    ])
    const soon = webhook(order([ordered, event('received.testkit.requisition_created', 10 * SECOND)]))
    const inSeconds = (one: number, other: number) =>
      webhookFaults(received(early, one * SECOND), received(soon, other * SECOND))
    expect(inSeconds(30, 40)).toEqual({})
    expect(inSeconds(30, 10)).toEqual([{ status: 'ordered', delay: '30s' }])
    expect(webhookFaults(received(late, 2), received(early, 30))).toEqual([
      { status: 'ordered', delay: '1d6h' },
    ])
    expect(webhookFaults(received(early, 1), received(late, 3.5))).toEqual([
      { status: 'ordered', delay: '1h' },
      { status: 'cancelled', delay: '1h30m' },
    ])
  })

  it.each([
    ['received_at', '2026-01-01T11:00:00Z'],
    ['timestamp', Date.parse('2026-01-01T11:00:00Z')],
    ['time', Date.parse('2026-01-01T10:59:59Z') / 1000 + 0.6],
    ['headers', { 'Svix-Timestamp': String(Date.parse('2026-01-01T11:00:00Z') / 1000) }],
  ])('take the time of an attempt from %s', (field, value) => {
    expect(webhookFaults({ payload: early, received_at: null, [field]: value })).toEqual({ delay: '2h' })
    const next = { payload: early, [field]: value, created_at: at(3) }
    expect(webhookFaults(next)).toEqual({ delay: field === 'headers' ? '3h' : '2h' })
  })

  it('show retries: attempts after a refused one, or after the shortest wait of a retry', () => {
    const tried = (hours: number, status?: number) =>
      received(early, hours, { msgId: 'a', ...(status && { status }) })
    expect(webhookFaults(tried(0, 500), tried(0, 503), tried(0, 200))).toEqual({ drop_first: 2 })
    expect(webhookFaults(tried(0, 200), tried(1, 200))).toEqual({ duplicate: 1 })
    expect(webhookFaults(tried(0), tried(4 * SECOND))).toEqual({ duplicate: 1 })
    expect(webhookFaults(tried(0), tried(5 * SECOND))).toEqual({ drop_first: 1 })
    const refused = received(early, 0, { msgId: 'a', error: 'timeout' })
    expect(webhookFaults(refused, tried(0, 200))).toEqual({ drop_first: 1 })
    const often = (count: number, status: number) => Array.from({ length: count }, () => tried(0, status))
    expect(webhookFaults(...often(9, 500), ...often(102, 200))).toEqual({ duplicate: 100, drop_first: 8 })
  })

  it('are read from the attempts of a message', () => {
    const message = (id: string, payload: object, attempts: readonly (object | null)[]) => ({
      id,
      payload,
      attempts,
    })
    const failing = [null, { at: at(0), status: null, error: 'lost' }, { at: at(5 * SECOND), status: 200 }]
    expect(webhookFaults(message('a', early, failing))).toEqual({ drop_first: 1 })
    const log = read(
      message('a', early, failing),
      message('b', late, [{ at: at(2), responseStatusCode: 200 }]),
    )
    expect(log.webhookFaults).toEqual([{ status: 'ordered', drop_first: 1 }])
    expect(webhookFaults(message('a', early, []))).toEqual({})
  })

  it('have 49 rules at most, and say how many messages are left out', () => {
    const logOf = (length: number) =>
      read(
        ...lines(...Array.from({ length }, (_, hour) => hour + 1)).flatMap((each, at) =>
          Array(2 + (at % 3)).fill(each),
        ),
      )
    const log = logOf(51)
    expect(log.webhookFaults).toHaveLength(49)
    expect(log.notes).toEqual(['Left out how 2 messages were delivered; a scenario has 49 rules at most.'])
    expect(logOf(49).notes).toEqual([])
  })

  it('show messages that came together although they tell of different times', () => {
    const [first, second, third] = lines(1, 2, 3)
    const burst = [first, second, third].map((each, at) => received(each ?? {}, 3, { msgId: `m${at}` }))
    expect(webhookFaults(...burst)).toEqual({ burst: 3 })
    // Without the time of each message and of its event, no other reason is known.
    const bare = webhook({ id: KIT, status: ordered.status })
    for (const odd of [early, received(bare, 1)]) expect(webhookFaults(odd, ...burst)).toEqual({ burst: 3 })
    expect(webhookFaults(...burst.toReversed())).toEqual({ reorder: 3 })
    const seconds = (between: number) => lines(0, between * SECOND).map((each) => received(each, 3))
    expect(webhookFaults(...seconds(59))).toEqual({ delay: '3h' })
    expect(webhookFaults(...seconds(60))).toEqual({ burst: 2, delay: '2h59m' })
    /** Messages of the second, third, fourth hour and so on. */
    const faultsAt = (...hours: number[]) =>
      webhookFaults(
        ...lines(...hours.map((_, at) => at + 1)).map((each, at) => received(each, hours[at] ?? 0)),
      )
    expect(faultsAt(1, 3, 3)).toEqual([{ status: 'delivered_to_lab', occurrence: 2, delay: '1h' }])
    expect(faultsAt(2, 2, 3)).toEqual({ burst: 2 })
    expect(faultsAt(2, 2, 5, 5, 5)).toEqual({ burst: 3 })
    expect(faultsAt(3, 3, 3, 5, 5, 9)).toEqual({ burst: 3 })
    for (const [seconds, delay] of [
      [59, {}],
      [60, { delay: '1m' }],
    ] as const) {
      const late = [first, second, third].map((each, at) =>
        received(each ?? {}, 3 + seconds * SECOND, { msgId: `m${at}` }),
      )
      expect(webhookFaults(...late)).toEqual({ burst: 3, ...delay })
    }
    expect(webhookFaults(received(first ?? {}, 1), received(second ?? {}, 2))).toEqual({})
    const apart = (seconds: number) =>
      webhookFaults(received(first ?? {}, 3), received(second ?? {}, 3 + seconds * SECOND))
    expect(apart(2)).toEqual({ burst: 2, delay: '1h2s' })
    expect(apart(3)).toEqual([
      { status: 'delivered_to_lab', occurrence: 1, delay: '2h' },
      { status: 'delivered_to_lab', occurrence: 2, delay: '1h3s' },
    ])
  })

  it('show a window that was turned round as no burst of more messages', () => {
    const [first, second, third, fourth, fifth] = lines(1, 2, 3, 4, 4)
    const log = [second, first, fourth, third, fifth].map((each, at) =>
      received(each ?? {}, at < 2 ? 2 : 4, { msgId: `m${at}` }),
    )
    expect(webhookFaults(...log)).toEqual({ reorder: true })
    const together = [second, first, third, fourth].map((each, at) =>
      received(each ?? {}, [3, 3, 3 + 2 * SECOND, 5][at] ?? 0),
    )
    expect(webhookFaults(...together)).toEqual({ burst: 3 })
    const arrived = (...all: [line: object | undefined, hours: number][]) =>
      webhookFaults(...all.map(([line = {}, hours]) => received(line, hours)))
    expect(arrived([first, 1], [third, 5], [second, 5], [fourth, 5])).toEqual({ reorder: true })
    expect(arrived([first, 4], [second, 4], [fourth, 4], [third, 5])).toMatchObject([
      ...[{ delay: '3h' }, { delay: '2h' }, { delay: '2h' }],
    ])
  })

  it('show windows of a hundred messages at most', { tags: 'slow' }, () => {
    const many = lines(...Array.from({ length: 102 }, (_, hour) => hour))
    expect(webhookFaults(...many.toReversed())).toEqual({ reorder: 100 })
    expect(webhookFaults(...many.map((each) => received(each, 101)))).toEqual({ burst: 100 })
    const [first = {}, second = {}, ...others] = many
    expect(webhookFaults(second, first, ...others)).toEqual({ reorder: true })
  })

  it('have their time and their id from the nearest part of a line that has them', () => {
    const line = (id: string) => ({ log: { timestamp: at(2), id: 'a', request: { id, json: early } } })
    expect(webhookFaults(line('1'), line('2'))).toEqual({ duplicate: 1, delay: '2h' })
    expect(webhookFaults({ log: { time: at(2), hook: { status: 200, json: early } } })).toEqual({
      delay: '2h',
    })
  })

  it('name the statuses that no message told about', () => {
    const statuses = ['requisition_created', 'transit_customer', 'with_customer'].map((low, at) =>
      event(`received.testkit.${low}`, at + 1),
    )
    const kitOf = (count: number) => webhook(order([ordered, ...statuses.slice(0, count)]))
    const known = [ordered, event('received.testkit.requisition_created', 1)]
    expect(read(kitOf(0), kitOf(1)).notes).toEqual([])
    const all = [
      ...known,
      event('collecting_sample.testkit.transit_customer', 2),
      event('partial_results', 2),
      event('collecting_sample.testkit.with_customer', 3),
    ]
    const whole = order([...all, event('collecting_sample.testkit.transit_lab', 4)])
    expect(
      read(webhook(order(known.slice(0, 1))), webhook(order(all)), appointment(ordered, ordered), whole)
        .notes,
    ).toEqual([
      'No message told about requisition_created, transit_customer; the scenario leaves out no message.',
    ])
    expect(read(webhook(order(all))).notes).toEqual([])
  })

  it('are those of the chosen order alone', () => {
    const other = webhook({ ...kit, id: OTHER })
    const reader = new RecordReader(KIT)
    for (const document of [received(other, 9), received(other, 9), received(early, 0)]) reader.add(document)
    expect(reader.finish().webhookFaults).toEqual({})
  })
})

describe('the appointments of an order', () => {
  const visit = (type: string, events: readonly object[], more: object = {}) => ({
    event_type: 'labtest.appointment.updated',
    data: { id: 'visit', order_id: KIT, type, event_status: 'pending', events, ...more },
  })
  const happened = (status: string, hours: number, data: object | null = null) => ({
    status,
    created_at: at(hours),
    data,
  })
  const calledOff = (origin: string, cancelation_reason: string | null) =>
    happened('cancelled', 5, { origin, cancelation_reason })
  const site = (low: string, hours: number) => event(`collecting_sample.walk_in_test.${low}`, hours)
  const booked = [
    event('received.walk_in_test.ordered', 0),
    event('received.walk_in_test.requisition_created', 1),
    site('appointment_pending', 2),
    site('appointment_scheduled', 2),
  ]
  const walkIn = (...events: object[]) =>
    order([...booked, ...events], { details: { type: 'walk_in_test', data: {} } })
  const PSC = 'patient_service_center'
  const stepsOf = (...documents: unknown[]) =>
    writeScenario(read(...documents), 'mine')
      .source.split('\n')
      .filter((line) => line.startsWith('  - '))
      .map((line) => line.slice(6, -2))

  it.each([
    [calledOff('provider', 'no_show'), 'no_show'],
    [happened('cancelled', 5, { origin: 'provider', cancellation_reason: 'no_show' }), 'no_show'],
    [calledOff('provider', 'provider_unavailable'), 'cancelled_by_provider'],
    [calledOff('provider', null), 'cancelled_by_provider'],
    [calledOff('provider', 'slot_no_longer_available'), 'slot_gone'],
    [calledOff('patient', 'no_longer_interested'), 'cancelled_by_patient'],
    [happened('cancelled', 5), 'cancelled_by_patient'],
  ])('are called off by whom their event says: %j', (event, word) => {
    const log = visit(PSC, [happened('scheduled', 2), event])
    expect(stepsOf(walkIn(site('appointment_cancelled', 5)), log).at(-1)).toBe(
      `after: 3h, appointment: ${word}`,
    )
  })

  it('begin, end and are moved without a status of the order', () => {
    const log = visit(PSC, [
      happened('scheduled', 2),
      happened('completed', 26.5),
      happened('scheduled', 3, { origin: 'patient', is_reschedule: true }),
      happened('in_progress', 26),
    ])
    const words = read(walkIn(), log).appointments.map(({ word }) => word)
    expect(words).toEqual(['moved', 'start', 'complete'])
    expect(stepsOf(walkIn(), log).slice(3)).toEqual([
      'after: 1h, appointment: moved',
      'after: 23h, appointment: start',
      'after: 30m, appointment: complete',
    ])
  })

  it('may begin in the second in which they are booked', () => {
    const log = visit(PSC, [happened('scheduled', 2), happened('in_progress', 2), happened('completed', 3)])
    const done = event('sample_with_lab.walk_in_test.partial_results', 2)
    expect(stepsOf(walkIn(done), log).slice(-3)).toEqual([
      'after: 0s, status: appointment_scheduled',
      'after: 0s, appointment: start',
      'after: 0s, status: partial_results',
    ])
    // Also of the second of two bookings, of a first one that ends in this second, or a status later.
    const off = (hours: number) => [
      ...[site('appointment_cancelled', hours), site('appointment_pending', 5)],
      site('appointment_scheduled', 5),
    ]
    for (const [order, hours, last] of [
      [walkIn(...off(4)), 5, ['after: 0s, status: appointment_scheduled', 'after: 0s, appointment: start']],
      [walkIn(...off(2)), 2, ['after: 0s, appointment: start', 'after: 0s, status: appointment_cancelled']],
      [walkIn(site('appointment_pending', 3)), 4, ['after: 1h, appointment: start']],
    ] as const) {
      const begun = visit(PSC, [happened('scheduled', 2), happened('in_progress', hours)])
      expect(stepsOf(order, begun)).toEqual(expect.arrayContaining([...last]))
    }
  })

  it('end with their order without a step of their own', () => {
    const done = event('sample_with_lab.walk_in_test.partial_results', 30)
    const log = (seconds: number) =>
      visit(PSC, [happened('scheduled', 2), happened('completed', 30 + seconds / 3600)])
    expect(stepsOf(walkIn(done), log(0)).at(-1)).toBe('after: 1d4h, status: partial_results')
    const own = [-3, -2, 0, 2, 3].filter((by) => read(walkIn(done), log(by)).appointments.length > 0)
    expect(own).toEqual([-3, 3])
    const steps = [
      'draw_completed',
      'completed',
      'redraw_available',
      'sample_error',
      'cancelled',
      'corrected',
    ]
    const ending = steps.filter((low) => read(walkIn(event(low, 30)), log(0)).appointments.length === 0)
    expect(ending).toEqual(steps.slice(0, -1))
    const begun = visit(PSC, [happened('scheduled', 2), happened('in_progress', 30)])
    expect(read(walkIn(done), begun).appointments).toEqual([{ word: 'start', at: START + 30 * HOUR }])
  })

  it('alone are statuses of their order, with the gaps before filled', () => {
    const log = visit('phlebotomy', [
      happened('pending', 3),
      happened('scheduled', 3),
      happened('in_progress', 30),
      happened('completed', 31),
    ])
    const own = { method: 'at_home_phlebotomy', mayHaveGaps: true }
    const type = 'labtest.appointment.updated'
    expect([read(log), read(log.data)]).toMatchObject([{ ...own, messages: [{ type }] }, own])
    const drawn = ['appointment_pending', 'appointment_scheduled', 'draw_completed']
    const done = { status: 'completed.at_home_phlebotomy.completed', updated_at: at(40) }
    expect(lows({ id: KIT, details: {}, ...done }, log)).toEqual([...drawn, 'completed'])
    expect(read(visit(PSC, [happened('scheduled', 2)])).method).toBe('walk_in_test')
    expect(stepsOf(log)).toEqual([
      expect.stringContaining('status: requisition_created } # filled in'),
      expect.stringContaining('status: appointment_pending'),
      expect.stringContaining('status: appointment_scheduled'),
      'after: 1d3h, appointment: start',
      'after: 1h, appointment: complete',
    ])
  })

  it('at home are moved where the order became scheduled again', () => {
    const home = (low: string, hours: number) => event(`collecting_sample.at_home_phlebotomy.${low}`, hours)
    const moved = order(
      [
        event('received.at_home_phlebotomy.ordered', 0),
        event('received.at_home_phlebotomy.requisition_created', 1),
        home('appointment_pending', 2),
        home('appointment_scheduled', 2),
        home('appointment_scheduled', 4),
      ],
      { details: { type: 'at_home_phlebotomy', data: {} } },
    )
    expect(stepsOf(moved).at(-1)).toBe('after: 2h, appointment: moved')
    const [off, on] = ['appointment_cancelled', 'appointment_scheduled'] as const
    const { statuses } = read(order([home(off, 6), home(on, 4), home(on, 2), home(off, 5)]))
    expect(statuses.map(({ low, appointment }) => [low, appointment])).toEqual([
      ...[[on], [on, 'moved'], [off], [off]].map(([low, word]) => [low, word]),
    ])
  })

  it.each([
    [10 / 60, true],
    [10 / 60 + 1 / 3600, false],
    [3, false],
  ])('explain a status of the order up to ten minutes later: after %d h', (later, isExplained) => {
    const log = visit(PSC, [happened('scheduled', 2), calledOff('patient', null)])
    const { statuses, notes } = read(walkIn(site('appointment_cancelled', 5 + later)), log)
    expect(statuses.at(-1)?.appointment).toBe(isExplained ? 'cancelled_by_patient' : undefined)
    expect(notes).toHaveLength(isExplained ? 0 : 1)
    // Of two statuses three hours apart, an event explains the one that it is near to.
    const twice = [site('appointment_cancelled', 2.5), site('appointment_cancelled', 5)]
    const places = read(walkIn(...twice), log).statuses.map(({ appointment }) => appointment)
    expect(places).toEqual([...Array(5).fill(undefined), 'cancelled_by_patient'])
    // Two events explain two statuses.
    const again = [calledOff('patient', null), happened('cancelled', 5.1, { origin: 'provider' })]
    const both = walkIn(site('appointment_cancelled', 5), site('appointment_cancelled', 5.1))
    const told = read(both, visit(PSC, [happened('scheduled', 2), ...again])).statuses.slice(-2)
    expect(told.map(({ appointment }) => appointment)).toEqual([
      'cancelled_by_patient',
      'cancelled_by_provider',
    ])
  })

  it('that the whole history of their order does not show are left out, and named', () => {
    const log = visit(PSC, [
      happened('scheduled', 2),
      calledOff('provider', 'confirmation_timeout'),
      happened('scheduled', 20),
      happened('cancelled', 21),
    ])
    expect(read(walkIn(), log)).toMatchObject({
      appointments: [],
      notes: ['cancelled_by_provider', 'cancelled_by_patient'].map(
        (word) =>
          `Left out ${word} of the appointment, because the order never became appointment_cancelled by it.`,
      ),
    })
    const report = { metadata: { date_reported: at(9) }, results: [] }
    expect(read(log, report).notes).toEqual([
      'Left out the results of 2026-01-01, because the order has no other status with a report.',
    ])
  })

  it('are statuses before any appointment is booked', () => {
    const log = visit(PSC, [happened('pending', 2), calledOff('provider', 'no_show')])
    const events = [...booked.slice(0, 3), site('appointment_cancelled', 5)]
    const pending = order(events, { details: { type: 'walk_in_test', data: {} } })
    expect(stepsOf(pending, log).at(-1)).toBe('after: 3h, status: appointment_cancelled')
  })

  it('of another order are refused, or left out when one is chosen', () => {
    const other = visit(PSC, [happened('scheduled', 2)], { order_id: OTHER })
    expect(() => read(kit, other)).toThrow('These are of two orders')
    const reader = new RecordReader(KIT)
    for (const document of [kit, other]) reader.add(document)
    expect(reader.finish()).toMatchObject({ method: 'testkit', messages: [] })
    const inLetters = { ...kit, id: 'ABCDEF00-0000-4000-8000-000000000000' }
    for (const chosen of ['ABCDEF', 'abcdef00-0000-4000-8000-000000000000']) {
      const either = new RecordReader(chosen)
      for (const document of [inLetters, other]) either.add(document)
      expect(either.finish().method).toBe('testkit')
    }
  })

  it.each([
    null,
    {},
    happened('unheard_of', 2),
    { status: 'pending', created_at: 5 },
    happened('toString', 1),
    { ...happened('pending', 2), status: ['pending'] },
  ])('are not read from an event that says nothing: %j', (strange) => {
    expect(() => read(visit(PSC, [strange as object]))).toThrow('The order has no status history.')
  })
})

describe('a written scenario', () => {
  const status = (low: OrderRecord['statuses'][number]['low'], hours: number) => ({
    low,
    detail: undefined,
    at: START + hours * HOUR,
  })
  const LEFT_OUT = 'Left out: names, addresses, ids, dates, tracking numbers and documents.'
  const allStepsOf = (source: string) =>
    source
      .split('\n')
      .filter((line) => line.startsWith('  - '))
      .map((line) => line.slice(4))
  /** Without those for the other kind of kits. */
  const stepsOf = (...input: Parameters<typeof record>) => {
    const written = record(...input)
    const other = written.workflow === 'registrable_kit' ? 'registered_kit' : 'registrable_kit'
    return allStepsOf(writeScenario(written, 'mine').source).filter(
      (step) => !step.includes(`only: ${other}`),
    )
  }
  const lost = [
    status('ordered', 0),
    status('requisition_created', 1),
    status('transit_customer', 3),
    status('lost', 3.5),
  ]

  it('has the schema, a name, a summary and the steps, and no rules that it does not need', () => {
    expect(writeScenario(record(lost), 'mine')).toEqual({
      source: [
        '# yaml-language-server: $schema=./scenario.schema.json',
        '',
        'name: mine',
        'summary: Repeats an order that became lost.',
        'method: testkit',
        'steps:',
        '  - { after: 1h, status: requisition_created, only: registered_kit }',
        '  - { after: 2h, status: transit_customer, only: registered_kit }',
        '  - { after: 30m, status: lost, only: registered_kit }',
        '  # The same for kits that are registered later.',
        '  - { after: 3h, status: transit_customer, only: registrable_kit }',
        '  - { after: 30m, status: lost, only: registrable_kit }',
        '',
      ].join('\n'),
      leftOut: [],
      notes: [LEFT_OUT],
    })
    expect(writeScenario(record(lost), 'mine', 'Lost it.').source).toContain('\nsummary: Lost it.\n')
    const done = record([status('ordered', 0), status('sample_error', 1)])
    expect(writeScenario(done, 'mine').source).toContain('that became sample error.')
    const redraw = record([], { isRedraw: true, unread: ['Cut off.'] })
    expect(writeScenario(redraw, 'mine')).toMatchObject({
      source: expect.stringMatching(/scenario\.schema\.json\n# Cut off\.\n[\s\S]* became ordered\.\n/),
      notes: [
        'Cut off.',
        LEFT_OUT,
        'This order is a redraw: place it with redraw: true in a world with the feature redraws.',
      ],
    })
  })

  it('moves the other kind of kits in the same way, with what that kind needs filled in', () => {
    const arrived = [
      ...lost.slice(0, 3),
      status('with_customer', 27),
      status('transit_lab', 30),
      status('delivered_to_lab', 54),
      status('completed', 78),
    ]
    const { source } = writeScenario(record(arrived), 'mine')
    expect(allStepsOf(source).filter((step) => step.includes('registrable_kit'))).toEqual([
      '{ after: 3h, status: transit_customer, only: registrable_kit }',
      '{ after: 1d, status: with_customer, only: registrable_kit }',
      '{ after: 1h, status: registered, only: registrable_kit } # filled in: not in the record',
      '{ after: 1h, status: requisition_created, only: registrable_kit } # filled in: not in the record',
      '{ after: 1h, status: transit_lab, only: registrable_kit }',
      '{ after: 1d, status: delivered_to_lab, only: registrable_kit }',
      '{ after: 1d, status: completed, only: registrable_kit }',
    ])
    const later = record(
      [
        status('ordered', 0),
        status('awaiting_registration', 0),
        status('transit_customer', 3),
        status('registered', 4),
        status('requisition_created', 5),
        status('lost', 6),
      ],
      { workflow: 'registrable_kit' },
    )
    const registered = writeScenario(later, 'mine').source
    expect(registered).toContain('# The same for kits that are registered when they are ordered.\n')
    expect(allStepsOf(registered).filter((step) => step.includes('registered_kit'))).toEqual([
      '{ after: 1h30m, status: requisition_created, only: registered_kit } # filled in: not in the record',
      '{ after: 1h30m, status: transit_customer, only: registered_kit }',
      '{ after: 3h, status: lost, only: registered_kit }',
    ])
  })

  it('has no long lines folded, and no workflow where the method has only one', () => {
    const summary = 'A long summary. '.repeat(20).trim()
    expect(writeScenario(record(lost), 'mine', summary).source).toContain(`summary: ${summary}\n`)
    const visit = [status('ordered', 0), status('requisition_created', 1)]
    expect(stepsOf(visit, { method: 'walk_in_test', workflow: 'walk_in_test' })).toEqual([
      '{ after: 1h, status: requisition_created }',
    ])
  })

  it('begins after the statuses that every order begins with', () => {
    const kit = { workflow: 'registrable_kit' } as const
    expect(stepsOf([status('ordered', 0)])).toEqual([])
    expect(stepsOf([status('ordered', 0), status('awaiting_registration', 0)], kit)).toEqual([])
    expect(
      stepsOf([status('ordered', 0), status('awaiting_registration', 1), status('registered', 3)], kit),
    ).toEqual(['{ after: 2h, status: registered, only: registrable_kit }'])
    expect(stepsOf([status('requisition_created', 4), status('cancelled', 5)])).toEqual([
      '{ after: 0s, status: requisition_created, only: registered_kit }',
      '{ after: 1h, status: cancelled, only: registered_kit }',
    ])
    const late = record([status('requisition_created', 4), status('transit_customer', 6)])
    expect(allStepsOf(writeScenario(late, 'mine').source).slice(2)).toEqual([
      '{ after: 0s, status: requisition_created, only: registrable_kit }',
      '{ after: 2h, status: transit_customer, only: registrable_kit }',
    ])
  })

  it('has the webhook faults', () => {
    const written = (webhookFaults: OrderRecord['webhookFaults']) =>
      /^webhook_faults: .*$/m.exec(writeScenario(record(lost, { webhookFaults }), 'mine').source)?.[0]
    expect(written({})).toBeUndefined()
    expect(written({ burst: 3 })).toBe('webhook_faults: { burst: 3 }')
    expect(written({ duplicate: 3, reorder: true })).toBe('webhook_faults: { duplicate: 3, reorder: true }')
    expect(writeScenario(record(lost, { notes: ['Only so.'] }), 'mine').notes).toContain('Only so.')
  })

  it('fills gaps with equal waits, if there may be some', () => {
    const gap = [status('ordered', 0), status('transit_customer', 3)]
    const filled = record(gap, { mayHaveGaps: true })
    expect(stepsOf(gap, { mayHaveGaps: true })).toEqual([
      '{ after: 1h30m, status: requisition_created, only: registered_kit } # filled in: not in the record',
      '{ after: 1h30m, status: transit_customer, only: registered_kit }',
    ])
    expect(writeScenario(filled, 'mine').notes).toEqual([
      LEFT_OUT,
      'Filled in 1 status that the record does not have, with equal waits.',
    ])
    const wide = record([status('ordered', 0), status('with_customer', 4)], { mayHaveGaps: true })
    expect(writeScenario(wide, 'mine').notes[1]).toMatch(/^Filled in [2-9] statuses that/)
    expect(stepsOf(lost, { mayHaveGaps: true })).toEqual(stepsOf(lost))
    expect(stepsOf([status('ordered', 0), status('with_customer', 1 / 360)], { mayHaveGaps: true })).toEqual(
      Array(3).fill(expect.stringContaining('after: 3s333ms,')),
    )
    const registered = [
      ...[status('ordered', 0), status('awaiting_registration', 0), status('transit_customer', 1)],
      ...[status('with_customer', 2), status('requisition_created', 5), status('transit_lab', 6)],
    ]
    expect(stepsOf(registered, { workflow: 'registrable_kit', mayHaveGaps: true }).slice(2)).toEqual([
      '{ after: 1h30m, status: registered, only: registrable_kit } # filled in: not in the record',
      '{ after: 1h30m, status: requisition_created, only: registrable_kit }',
      '{ after: 1h, status: transit_lab, only: registrable_kit }',
    ])
  })

  it('forces what the lifecycle does not have', () => {
    const jump = [status('ordered', 0), status('completed', 3)]
    expect(stepsOf(jump)).toEqual([
      '{ after: 3h, status: completed, force: true, only: registered_kit } # the lifecycle does not have this move',
    ])
    // The customer may register this kit before.
    const refused = [
      ...[status('ordered', 0), status('awaiting_registration', 0), status('transit_customer', 1)],
      ...[status('with_customer', 2), status('do_not_process', 3)],
    ]
    expect(stepsOf(refused, { workflow: 'registrable_kit' })).toEqual([
      '{ after: 1h, status: transit_customer, only: registrable_kit }',
      '{ after: 1h, status: with_customer, only: registrable_kit }',
      '{ after: 1h, status: do_not_process, only: registrable_kit, force: true } # the lifecycle does not have this move',
    ])
    const back = [status('ordered', 0), status('cancelled', 3), status('requisition_created', 4)]
    expect(stepsOf(back, { mayHaveGaps: true })[1]).toContain('force: true')
    expect(writeScenario(record([...back, status('ordered', 5)]), 'mine').notes).toEqual([
      LEFT_OUT,
      'Forced 2 statuses that the lifecycle does not have.',
    ])
    expect(writeScenario(record(back), 'mine').notes[1]).toBe(
      'Forced 1 status that the lifecycle does not have.',
    )
  })

  it('has the details that go with their status, and says which do not', () => {
    const detailed = (detail: 'fulfillment_error' | 'sample_hemolyzed') => [
      status('ordered', 0),
      { ...status('cancelled', 1), detail },
    ]
    expect(stepsOf(detailed('fulfillment_error'))).toEqual([
      '{ after: 1h, status: cancelled, status_detail: fulfillment_error, only: registered_kit }',
    ])
    expect(writeScenario(record(detailed('fulfillment_error')), 'mine')).toMatchObject({
      ...{ notes: [LEFT_OUT], leftOut: [] },
    })
    expect(stepsOf(detailed('sample_hemolyzed'))).toEqual([
      '{ after: 1h, status: cancelled, only: registered_kit }',
    ])
    const hemolyzed = writeScenario(record(detailed('sample_hemolyzed'), { unknown: ['Unknown.'] }), 'mine')
    expect(hemolyzed.notes).toEqual([LEFT_OUT])
    expect(hemolyzed.leftOut).toEqual([
      'Unknown.',
      'Left out the detail sample_hemolyzed of cancelled, which does not go with it.',
    ])
    const strange = [
      status('ordered', 0),
      { ...status('requisition_created', 1), detail: 'fulfillment_error' as const },
    ]
    expect(stepsOf(strange)).toEqual(['{ after: 1h, status: requisition_created, only: registered_kit }'])
  })

  it('has each courier once, where it takes over', () => {
    const sent = [
      ...lost.slice(0, 3),
      status('transit_lab', 5),
      status('transit_customer', 6),
      status('transit_lab', 7),
    ]
    const shipments = (couriers: OrderRecord['couriers']) =>
      stepsOf(sent, { couriers }).map((step) => /shipment: \{ (.*?) \}/.exec(step)?.[1])
    expect(shipments({})).toEqual(Array(5).fill(undefined))
    expect(shipments({ outbound: 'USPS', inbound: 'UPS' })).toEqual([
      undefined,
      'outbound_courier: USPS',
      'inbound_courier: UPS',
      undefined,
      undefined,
    ])
    expect(shipments({ inbound: 'UPS' })[2]).toBe('inbound_courier: UPS')
  })

  it.each(['partial_results', 'completed', 'corrected', 'redraw_available'] as const)(
    'has the results of each status with which the laboratory reports: %s',
    (low) => {
      const missing = ['tsh']
      const results = { interpretation: 'abnormal', missing, values: { ferritin: 7 } } as const
      const statuses = [
        status('ordered', 0),
        { ...status('partial_results', 1), results: { interpretation: 'normal' as const, missing } },
        { ...status(low, 2), results },
      ]
      expect(stepsOf(statuses).map((step) => /results: \{.*\} \}/.exec(step)?.[0])).toEqual([
        'results: { interpretation: normal, missing: [ tsh ] } }',
        'results: { interpretation: abnormal, missing: [ tsh ], values: { ferritin: 7 } } }',
      ])
    },
  )

  it('has no results that every order gets, and says what becomes of values', () => {
    const completed = (results: OrderRecord['statuses'][number]['results']) => [
      status('ordered', 0),
      { ...status('completed', 1), results },
    ]
    const resultsOf = (...given: Parameters<typeof completed>) =>
      /results: \{ .*\} \}/.exec(stepsOf(completed(...given)).join())?.[0]
    for (const nothing of [undefined, {}, { values: {} }] as const) expect(resultsOf(nothing)).toBeUndefined()
    expect(resultsOf({ interpretation: 'normal' })).toBe('results: { interpretation: normal } }')
    expect(resultsOf({ missing: true })).toBe('results: { missing: true } }')
    expect(resultsOf({ interpretation: 'critical', values: {} })).toBe(
      'results: { interpretation: critical } }',
    )
    expect(writeScenario(record(completed({ values: { ferritin: 7 } })), 'mine').notes.at(-1)).toBe(
      'Values apply to orders whose lab test has these results; others keep generated ones.',
    )
  })
})
