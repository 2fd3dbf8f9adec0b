import { describe, expect, it } from 'vitest'
import { RecordReader } from '../../src/scenarios/incidents/record.ts'
import { writeScenario } from '../../src/scenarios/incidents/scenario-text.ts'
import { field } from '../support/field.ts'
import { advance, moveOrder, readFollowed, readOrder, untilIdle } from '../support/orders.ts'
import { startTestPetri, type TestPetri } from '../support/petri.ts'
import { startHeardPetri } from '../support/receiver.ts'
import { sampled } from '../support/rounds.ts'
import { placeFor, scenarioNames, scenarioText } from '../support/scenarios.ts'
import { told, toldOf } from '../support/wearables.ts'

interface Shown {
  readonly events: readonly {
    readonly status: string
    readonly status_detail: string | null
    readonly created_at: string
  }[]
}

/** The statuses of an order with their details, and the seconds since the first. */
const trailOf = ({ events }: Shown) =>
  events.map(({ status, status_detail, created_at }) => [
    status,
    status_detail,
    (Date.parse(created_at) - Date.parse(events[0]?.created_at ?? '')) / 1000,
  ])

interface Visit {
  readonly events: readonly {
    readonly status: string
    readonly created_at: string
    readonly data: Readonly<Record<string, string>> | null
  }[]
}

/** The last snapshots of an order's appointments. */
function visitsOf(petri: TestPetri): Visit[] {
  const visits = toldOf(petri, 'labtest.appointment.updated').map(({ data }) => [data.id, data] as const)
  return [...new Map(visits).values()]
}

/** What happened to appointments, and how long after the order was placed. */
const visitTrailOf = (order: Shown, visits: readonly Visit[]) =>
  visits.map(({ events }) =>
    events.map(({ status, created_at, data }) => [
      status,
      data?.origin === 'provider' && data.cancelation_reason,
      (Date.parse(created_at) - Date.parse(order.events[0]?.created_at ?? '')) / 1000,
    ]),
  )

/** Plays a scenario to its end, with what the customer has to do. */
async function playToEnd(petri: TestPetri, name: string) {
  const { id, help } = await placeFor(petri, name)
  for (let turn = 0; turn < 8; turn++) {
    await untilIdle(petri)
    const { waits_for } = await readFollowed(petri, id)
    if (!waits_for || !(await help(waits_for))) break
  }
  return id
}

/** Plays a written scenario in another Petri; nobody has to do anything. */
async function replay(source: string, isRegistrable: boolean): Promise<Shown> {
  return (await replayed(source, isRegistrable)).order
}

async function replayed(
  source: string,
  isRegistrable: boolean,
): Promise<{ petri: TestPetri; order: Shown; id: string }> {
  const petri = await startTestPetri({ world: { seed: '2' } })
  const put = await petri.put('/_petri/scenarios/incident', { source })
  expect(put.status, `${JSON.stringify(put.body)}\n${source}`).toBe(200)
  const { body } = await petri.post('/_petri/orders', { scenario: 'incident', registrable: isRegistrable })
  await untilIdle(petri)
  return { petri, order: await readOrder(petri, body.id), id: body.id }
}

const read = (...documents: unknown[]) => {
  const reader = new RecordReader()
  for (const document of documents) reader.add(document)
  return reader.finish()
}

describe('a scenario written from a played order', () => {
  it.each(sampled(scenarioNames().filter((name) => name !== 'manual')))(
    'repeats %s, from the order and from its webhooks',
    { tags: 'slow' },
    async (name) => {
      const petri = await startTestPetri()
      const id = await playToEnd(petri, name)
      const order = await readOrder(petri, id)
      const webhooks = told(petri).filter(({ data }) => data?.id === id || data?.order_id === id)
      for (const documents of [[order], webhooks]) {
        const record = read(...documents)
        const { source, notes } = writeScenario(record, 'incident')
        const known = notes.filter((note) => !note.startsWith('The record has no results of'))
        expect(known).toEqual(['Left out: names, addresses, ids, dates, tracking numbers and documents.'])
        expect(source).not.toContain(order.patient_details?.last_name ?? 'Example')
        const again = await replayed(source, record.workflow === 'registrable_kit')
        expect(trailOf(again.order)).toEqual(trailOf(order))
        if (documents === webhooks) {
          const visits = visitTrailOf(order, visitsOf(petri))
          expect(visitTrailOf(again.order, visitsOf(again.petri)), source).toEqual(visits)
        }
      }
    },
  )
})

const KIT = '11111111-1111-4111-8111-111111111111'
const at = (day: number) => `2026-01-0${day}T09:00:00+00:00`
const event = (id: number, low: string, day: number) => ({
  id,
  status: low,
  status_detail: null,
  created_at: at(day),
})
describe('a log of webhooks', () => {
  it('without whole histories has its gaps filled by steps that can be played', async () => {
    const bare = (low: string, day: number) => ({
      event_type: 'labtest.order.updated',
      data: { id: KIT, details: { type: 'testkit', data: {} }, status: low, updated_at: at(day) },
    })
    const record = read(
      bare('received.testkit.ordered', 1),
      bare('collecting_sample.testkit.with_customer', 5),
    )
    const played = await replay(writeScenario(record, 'incident').source, false)
    expect(played.events.at(-1)).toMatchObject({ status: 'collecting_sample.testkit.with_customer' })
  })
})

describe('the deliveries of a played scenario', () => {
  const played = async (rules: string) => {
    const { petri, receiver } = await startHeardPetri()
    const source = `${scenarioText('testkit', [
      'after: 1h, status: requisition_created, only: registered_kit',
      'after: 1d, status: transit_customer',
      'after: 1d, status: problem_in_transit_customer',
      'after: 1d, status: transit_customer',
      'after: 1d, status: lost',
    ])}\nwebhook_faults: ${rules}\n`
    await petri.put('/_petri/scenarios/mine', { source })
    await petri.post('/_petri/orders', { scenario: 'mine' })
    await untilIdle(petri)
    const received = receiver.received.map(({ at, headers, body }) => ({
      received_at: new Date(at).toISOString(),
      headers,
      body,
    }))
    return { received, sent: await petri.read('/_petri/webhooks/messages') }
  }
  const webhookFaultsOf = (...log: unknown[]) =>
    /^webhook_faults: (.*)$/m.exec(writeScenario(read(...log), 'incident').source)?.[1]

  // The log of Petri is in the order of the events, so that it does not show which of one instant came first.
  it.each([
    ['{ duplicate: 2 }', '{ duplicate: 2 }'],
    [
      '{ reorder: true }',
      '[ { status: ordered, delay: 1h }, { status: transit_customer, occurrence: 1, delay: 1d } ]',
    ],
    ['{ reorder: 3 }', '{ burst: 3 }'],
    ['{ burst: 3 }', '{ burst: 3 }'],
    ['{ delay: 10m }', '{ delay: 10m }'],
    [
      '{ duplicate: 1, reorder: true, delay: 2h }',
      '[ { duplicate: 1, delay: 2h }, { status: ordered, delay: 3h }, { status: transit_customer, occurrence: 1, delay: 1d2h } ]',
    ],
  ])('are read from the log of its receiver, and from that of Petri: %s', async (webhooks, asSent) => {
    const { received, sent } = await played(webhooks)
    expect(webhookFaultsOf(...received)).toBe(webhooks)
    expect(webhookFaultsOf(sent)).toBe(asSent)
  })

  it('that lost attempts are retries where they were sent, and a delay where they arrived', async () => {
    const { received, sent } = await played('{ drop_first: 2 }')
    expect(webhookFaultsOf(sent)).toBe('{ drop_first: 2 }')
    expect(webhookFaultsOf(...received)).toBe('{ delay: 5m5s }')
  })
})

describe('a record', () => {
  it('with a move that the lifecycle does not have can be played', async () => {
    const order = {
      id: KIT,
      details: { type: 'testkit', data: {} },
      events: [
        event(1, 'received.testkit.ordered', 1),
        event(2, 'received.testkit.requisition_created', 2),
        event(3, 'completed.testkit.completed', 4),
      ],
    }
    const { source } = writeScenario(read(order), 'incident')
    expect(trailOf(await replay(source, false)).map(([status]) => status)).toEqual(
      order.events.map(field('status')),
    )
  })
})

it('an appointment that was moved in a scenario is moved', async () => {
  const source = `name: incident
summary: Moved.
method: at_home_phlebotomy
steps:
  - { after: 1h, status: requisition_created }
  - { after: 1h, status: appointment_pending }
  - { after: 1h, status: appointment_scheduled }
  - { after: 1d, status: appointment_scheduled }
  - { after: 1d, status: draw_completed }
`
  const order = await replay(source, false)
  expect(order.events.map(({ status }) => status.split('.').at(-1))).toEqual([
    'ordered',
    'requisition_created',
    'appointment_pending',
    'appointment_scheduled',
    'appointment_scheduled',
    'draw_completed',
  ])
})

async function savedFrom(petri: TestPetri, id: string) {
  const response = await petri.petri.app.request(`/_petri/orders/${id}/scenario.yaml`, {
    headers: { 'x-service-api-key': 'sk_us_test' },
  })
  expect(response.headers.get('content-type')).toBe('application/yaml')
  return (await response.text()).replace(/^name: .*$/m, 'name: incident')
}

it('an order that was moved manually is saved as a scenario', async () => {
  const petri = await startTestPetri()
  const { body } = await petri.post('/_petri/orders', { scenario: 'manual' })
  for (const status of ['requisition_created', 'transit_customer', 'lost']) {
    await advance(petri, '6h')
    await moveOrder(petri, body.id, status)
  }
  const source = await savedFrom(petri, body.id)
  const order = await readOrder(petri, body.id)
  expect(trailOf(await replay(source, false))).toEqual(trailOf(order))
})

describe('an order of a live world', () => {
  /** Lets the clock run for so long, in which scenario time passes `pace` times as fast. */
  function run(petri: TestPetri, wall: { now: number }, durationMs: number) {
    for (const end = wall.now + durationMs; wall.now < end; wall.now += 173) petri.world().agenda.runDue()
  }

  it.each([
    'happy-path',
    'problem-in-transit-customer',
    'at-home-booked-by-phone',
    'walk-in-booked-by-phone',
  ])(
    'is saved with the days of its scenario, not with the seconds in which they passed: %s',
    async (name) => {
      const wall = { now: Date.parse('2026-01-05T09:00:00.123Z') }
      const live = await startTestPetri({ wall: () => wall.now, world: { frozen: false } })
      const { body } = await live.post('/_petri/orders', { scenario: name })
      run(live, wall, 300_000)
      const frozen = await startTestPetri()
      const { source } = await frozen.read(`/_petri/scenarios/${name}`)
      const unshifted = source.replace('workdays: true\n', '')
      expect(
        await frozen.put(`/_petri/scenarios/${name}`, unshifted, {
          'content-type': 'application/yaml',
        }),
      ).toAnswer(200)
      const other = (await frozen.post('/_petri/orders', { scenario: name })).body.id
      await untilIdle(frozen)
      const trail = trailOf(await readOrder(frozen, other))
      const again = await replayed(await savedFrom(live, body.id), false)
      // A live world books another slot than a frozen one, so that what follows the visit has other times.
      const visit = trail.findIndex(
        ([status]) => String(status).includes('draw_completed') || String(status).includes('completed'),
      )
      const exact = name.includes('booked') ? visit : trail.length
      const replay = trailOf(again.order)
      expect(replay.slice(0, exact)).toEqual(trail.slice(0, exact))
      expect(replay.map(([status]) => status)).toEqual(trail.map(([status]) => status))
      const visits = visitsOf(frozen).map(({ events }) => events.map(field('status')))
      expect(visitsOf(again.petri).map(({ events }) => events.map(field('status')))).toEqual(visits)
    },
  )

  it('has the days of all its times: live, advanced, frozen and live again', async () => {
    const wall = { now: Date.parse('2026-01-05T09:00:00Z') }
    const petri = await startTestPetri({ wall: () => wall.now, world: { frozen: true } })
    const { id } = (await petri.post('/_petri/orders', { scenario: 'manual' })).body
    const move = (status: string) => moveOrder(petri, id, status)
    await advance(petri, '6h')
    await move('requisition_created')
    await petri.patch('/_petri/clock', { frozen: false })
    wall.now += 10_000
    await move('transit_customer')
    await advance(petri, '2d')
    await move('out_for_delivery')
    wall.now += 5000
    await move('with_customer')
    const [own = ''] = (await savedFrom(petri, id)).split('# The same for')
    const steps = own.match(/after: \w+, status: \w+/g)
    expect(steps).toEqual([
      'after: 6h, status: requisition_created',
      'after: 1d, status: transit_customer',
      'after: 2d, status: out_for_delivery',
      'after: 12h, status: with_customer',
    ])
    const { data } = await petri.read(`/_petri/orders/${id}/record`)
    expect(data[0].events.at(-1).created_at).toBe('2026-01-09T03:00:00.000Z')
  })
})
