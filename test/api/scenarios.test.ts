import { describe, expect, it } from 'vitest'
import {
  dottedStatuses,
  type LowStatus,
  legalMoves,
  lowStatuses,
  readStatus,
  statusDetails,
  topStatuses,
  type Workflow,
  workflowsOf,
} from '../../src/resources/orders/lifecycle.ts'
import type { Scenario } from '../../src/scenarios/file.ts'
import { plannedHistory } from '../../src/scenarios/planned-steps.ts'
import { openScenarios } from '../../src/scenarios/repository.ts'
import { book, homeSlots, pscSlots, visitOrderAddress } from '../support/appointments.ts'
import {
  createUser,
  followScenario,
  moveOrder,
  orderForPatient,
  orderKit,
  readFollowed,
  readOrder,
  register,
  sendOrder,
  setFeatures,
  standardTest,
  statusesOf,
  untilIdle,
} from '../support/orders.ts'
import { forEachTest, startTestWorld, type TestPetri } from '../support/petri.ts'

const petri = forEachTest(startTestWorld)

const repository = openScenarios({ resultNames: () => new Map() }).byKind.order
await repository.ready()

interface Lived {
  readonly statuses: string[]
  readonly details: (string | null)[]
}

/** Places an order that follows a scenario, on one of the workflows of its method. */
async function place(
  petri: TestPetri,
  scenario: string,
  workflow: Workflow,
): Promise<{ id: string; sample_id: string }> {
  const user_id = await createUser(petri, `${scenario}-${workflow}`)
  if (workflow === 'registrable_kit') return orderKit(petri, { scenario, user: user_id })
  if (workflow === 'registered_kit') return orderForPatient(petri, { scenario, user: user_id })
  const lab_test_id = await standardTest(petri, workflow)
  const body = { user_id, lab_test_id, patient_address: visitOrderAddress }
  return (await sendOrder(petri, body, { headers: { 'x-petri-scenario': scenario } })).body.order
}

/** Does what a scenario waits for: registers the kit, or books a slot, again if the first one is gone. */
async function doWhatItWaitsFor(
  petri: TestPetri,
  order: { id: string; sample_id: string },
  waits: string,
  workflow: Workflow,
) {
  if (waits === 'registration') return register(petri, order.sample_id)
  const kind = workflow === 'walk_in_test' ? 'psc' : 'phlebotomy'
  const slots = kind === 'psc' ? await pscSlots(petri) : await homeSlots(petri)
  for (const { booking_key } of slots.slice(4, 6)) {
    const answer = await book(petri, kind, order.id, { booking_key })
    if (answer.status === 200) return answer
  }
  throw new Error('no slot could be booked')
}

/** Lives a scenario to its end. */
async function live(petri: TestPetri, name: string, workflow: Workflow): Promise<Lived> {
  const order = await place(petri, name, workflow)
  await untilIdle(petri)
  for (let waits = await waitsOf(petri, order.id); waits; waits = await waitsOf(petri, order.id)) {
    await doWhatItWaitsFor(petri, order, waits, workflow)
    await untilIdle(petri)
  }
  const { events } = await readOrder(petri, order.id)
  return {
    statuses: statusesOf({ events }),
    details: events.map((event: { status_detail: string }) => event.status_detail),
  }
}

const waitsOf = async (petri: TestPetri, orderId: string): Promise<string | null> =>
  (await readFollowed(petri, orderId)).waits_for

const lives = repository
  .all()
  .flatMap(({ name, method }) => workflowsOf(method).map((workflow): [string, Workflow] => [name, workflow]))

describe('the repository', () => {
  const lived: Lived[] = []

  it.each(lives)('%s brings an order of %s to exactly its statuses', async (name, workflow) => {
    await setFeatures(petri, { redraws: name.endsWith('redraw') })
    const scenario = repository.find(name) as Scenario
    const life = await live(petri, name, workflow)
    lived.push(life)
    const lows = life.statuses.map((status) => readStatus(status)?.low as LowStatus)
    expect(lows).toEqual(plannedHistory(scenario, workflow).map(({ low }) => low))
    for (let at = 1; at < lows.length; at++) {
      expect(legalMoves(workflow, lows.slice(0, at))).toContain(lows[at])
    }
  })

  it('visits every dotted status and every detail', () => {
    expect(new Set(lived.flatMap(({ statuses }) => statuses))).toEqual(new Set(dottedStatuses))
    expect(new Set(lived.flatMap(({ details }) => details.filter(Boolean)))).toEqual(new Set(statusDetails))
  })

  it('has a magic ZIP code for each scenario, and no two share one', async () => {
    const zips = repository.all().map(({ zip }) => zip)
    expect(zips).not.toContain(undefined)
    expect(new Set(zips).size).toBe(zips.length)
    for (const zip of zips) expect(repository.byZip(zip as string)?.zip).toBe(zip)
  })
})

describe('the scenario of an order', () => {
  const scenarioOf = async (petri: TestPetri, orderId: string) =>
    (await readFollowed(petri, orderId)).scenario

  it('is chosen by header, then magic ZIP, then user, then world', async () => {
    const petri = await startTestWorld({ world: { scenario: 'slow-lab' } })
    const user = await createUser(petri)
    expect(await scenarioOf(petri, (await orderKit(petri, { user })).id)).toBe('slow-lab')
    expect(await petri.put(`/_petri/users/${user}/scenario`, { scenario: 'never-registered' })).toMatchObject(
      { status: 200 },
    )
    expect(await scenarioOf(petri, (await orderKit(petri, { user })).id)).toBe('never-registered')
    expect(await scenarioOf(petri, (await orderKit(petri, { user, zip: '00112' })).id)).toBe(
      'problem-in-transit-customer',
    )
    expect(
      await scenarioOf(petri, (await orderKit(petri, { user, zip: '00112', scenario: 'manual' })).id),
    ).toBe('manual')
  })

  it('must exist: the error names the nearest, and nothing is stored', async () => {
    const user = await createUser(petri)
    await expect(orderKit(petri, { user, scenario: 'lost-on-the-way-outt' })).rejects.toThrow(
      'There is no scenario \\"lost-on-the-way-outt\\". Did you mean \\"lost-on-the-way-out\\"?',
    )
    expect((await petri.read('/v3/orders')).total).toBe(0)
  })

  it('is suggested by a status, a detail or what happens to an appointment, those of the method first', {
    tags: 'slow',
  }, async () => {
    const user = await createUser(petri)
    const suggested = async (scenario: string, method = 'walk_in_test') => {
      const answer = await petri.post('/_petri/orders', { user_id: user, scenario, method })
      expect(answer).toAnswer(400)
      return answer.body.detail as string
    }
    for (const name of ['no-show', 'qns', 'canceled', ...lowStatuses, ...statusDetails, ...topStatuses])
      expect(await suggested(name)).toContain(`There is no scenario "${name}". These pass through `)
    expect(await suggested('lost')).toBe(
      'There is no scenario "lost". These pass through lost: lost-on-the-way-out, lost-on-the-way-back.',
    )
    const sixOrMore = /: walk-in-[\w-]+(, [\w-]+){4} and \d+ more\.$/
    expect(await suggested('sample-error')).toMatch(sixOrMore)
    expect(await suggested('sample-error', 'on_site_collection')).toContain(': on-site-sample-error, ')
    expect(await suggested('hapy-path')).toBe('There is no scenario "hapy-path". Did you mean "happy-path"?')
    expect((await petri.read('/v3/orders')).total).toBe(0)
  })

  it('can be started from the current status of the order', async () => {
    const order = await orderForPatient(petri, { scenario: 'manual' })
    await moveOrder(petri, order.id, 'requisition_created')
    expect(await followScenario(petri, order.id, 'lost-on-the-way-out')).toAnswer(200, {
      scenario: 'lost-on-the-way-out',
      next: 'collecting_sample.testkit.transit_customer',
      next_due: '2026-01-06T09:00:00.000Z',
    })
    await untilIdle(petri)
    expect((await readOrder(petri, order.id)).last_event.status).toBe('failed.testkit.lost')
    expect(await followScenario(petri, order.id, 'happy-path')).toAnswer(409)
  })
})
