import { describe, expect, it } from 'vitest'
import { BEGIN, STEP, scenarioJobs } from '../../src/scenarios/run.ts'
import type { Job } from '../../src/scheduler/job.ts'
import type { World } from '../../src/world/world.ts'
import { book, homeSlots } from '../support/appointments.ts'
import { field } from '../support/field.ts'
import {
  advance,
  cancelOrder,
  followScenario,
  moveOrder,
  orderForPatient,
  readDetails,
  readFollowed,
  readOrder,
  setFeatures,
  statusesOf,
  untilIdle,
} from '../support/orders.ts'
import { forEachTest, startTestWorld } from '../support/petri.ts'
import { placeByMethod, uploadScenario } from '../support/scenarios.ts'

// What a scenario does to its order, and what the details of an order say of it.

const petri = forEachTest(startTestWorld)

const put = async (name: string, method: string, steps: object[], more: object = {}) =>
  expect(await uploadScenario(petri, name, method, steps, more)).toAnswer(200)
const place = (method: string, scenario: string) => placeByMethod(petri, method, scenario)
const lowOf = (status: string) => status.split('.').at(-1) ?? ''
const trailOf = async (id: string) =>
  statusesOf(await readOrder(petri, id))
    .map(lowOf)
    .join(' ')
const requisition = { after: '1h', status: 'requisition_created' }

describe('the next step', () => {
  it('is on the agenda of its order, and no longer when the order has left', async () => {
    await put('mine', 'walk_in_test', [requisition, { after: '1h', status: 'partial_results' }])
    const id = await place('walk_in_test', 'mine')
    const next = {
      due: '2026-01-05T10:00:00.000Z',
      kind: STEP,
      subject: id,
      order_id: id,
      user_id: null,
      does: 'the next step of the scenario',
      recurring: false,
    }
    expect((await readDetails(petri, id)).agenda).toEqual([next])
    await advance(petri, '1h')
    expect((await readDetails(petri, id)).agenda).toContainEqual({ ...next, due: '2026-01-05T11:00:00.000Z' })
    await cancelOrder(petri, id)
    expect((await readDetails(petri, id)).agenda.map(field('kind'))).not.toContain(STEP)
  })

  it('waits with the begin of a scenario until the repository is read', async () => {
    let ended = () => {}
    const reading = new Promise<void>((resolve) => {
      ended = resolve
    })
    const begun: string[] = []
    const find = () => {
      begun.push('a step')
      return undefined
    }
    const begin = (_: World, order: string, scenario: string) =>
      void begun.push(`${order} begins ${scenario}`)
    const id = await place('walk_in_test', 'manual')
    const second = await place('walk_in_test', 'manual')
    const job = (kind: string, subject = id): Job => ({
      due: 0,
      turn: 0,
      kind,
      subject,
      data: { scenario: 'mine' },
    })
    const waiting = scenarioJobs({ ready: () => reading, find, begin })
    const runs = [STEP, BEGIN].map((kind) => waiting[kind]?.run(petri.world(), job(kind), []))
    expect(begun).toEqual([])
    ended()
    await Promise.all(runs)
    expect(begun).toEqual(['a step', `${id} begins mine`])
    const ready = scenarioJobs({ ready: () => undefined, find, begin })
    for (const kind of [BEGIN, STEP])
      expect(ready[kind]?.run(petri.world(), job(kind, second), [])).toBeUndefined()
    expect(begun.slice(2)).toEqual([`${second} begins mine`, 'a step'])
  })
})

describe('an order that leaves its scenario', () => {
  it('says so to those who watch, where it drops statuses', async () => {
    const watched: object[] = []
    petri.world().agenda.bus.subscribe({
      onEffect: (effect) => effect.kind === 'scenario_left' && watched.push(effect),
      onEnd: () => undefined,
    })
    await put('mine', 'walk_in_test', [requisition, { after: '1h', status: 'partial_results' }])
    const [left, done, manual] = [
      await place('walk_in_test', 'mine'),
      await place('walk_in_test', 'mine'),
      await place('walk_in_test', 'manual'),
    ]
    await cancelOrder(petri, left)
    await untilIdle(petri)
    for (const id of [done, manual]) await moveOrder(petri, id, 'cancelled', { force: true })
    expect(watched).toMatchObject([
      {
        order_id: left,
        detail: 'the order was cancelled',
        dropped: ['requisition_created', 'partial_results'],
      },
    ])
    expect(await readFollowed(petri, done)).toMatchObject({ dropped: [] })
  })
})

describe('the results of a step', () => {
  it.each([
    [true, 'redraw_available'],
    [false, 'completed'],
  ])(
    'make a redraw of a completed order where markers are missing: %s, in its plan too',
    async (redraws, end) => {
      await setFeatures(petri, { redraws })
      await put('mine', 'walk_in_test', [
        requisition,
        { after: '1h', status: 'completed', results: { missing: ['glucose'] } },
      ])
      const id = await place('walk_in_test', 'mine')
      const { planned } = await readDetails(petri, id)
      expect(planned.map(({ status }: { status: string }) => lowOf(status))).toEqual([
        'requisition_created',
        end,
      ])
      await untilIdle(petri)
      expect(await trailOf(id)).toBe(`ordered requisition_created ${end}`)
    },
  )
})

describe('a visit at home', () => {
  const visit = [requisition, { await: 'appointment' }, { after: '1h', status: 'draw_completed' }]
  const bookNext = async (id: string) => book(petri, 'phlebotomy', id, (await homeSlots(petri))[0])

  it('that is booked before the scenario waits for it is not waited for', async () => {
    await put('mine', 'at_home_phlebotomy', [
      requisition,
      { after: '1h', status: 'appointment_pending' },
      ...visit.slice(1),
    ])
    const id = await place('at_home_phlebotomy', 'mine')
    await advance(petri, '1h')
    await bookNext(id)
    await advance(petri, '1h')
    expect(await readFollowed(petri, id)).toMatchObject({
      waits_for: null,
      next_due: '2026-01-05T12:00:00.000Z',
    })
    await untilIdle(petri)
    expect(await trailOf(id)).toBe(
      'ordered requisition_created appointment_pending appointment_scheduled draw_completed',
    )
  })

  it('that nobody came to is followed by a wait for another', { tags: 'slow' }, async () => {
    const missed = { at: 'appointment', appointment: 'no_show' }
    await put('mine', 'at_home_phlebotomy', [...visit.slice(0, 2), missed, ...visit.slice(1)])
    const id = await place('at_home_phlebotomy', 'mine')
    await advance(petri, '1h')
    await bookNext(id)
    await untilIdle(petri)
    expect(await readFollowed(petri, id)).toMatchObject({ waits_for: 'appointment' })
    expect(await trailOf(id)).toMatch(/ appointment_scheduled appointment_cancelled$/)
  })

  it('that is booked lets its order begin a scenario at the wait for it', async () => {
    await put('mine', 'at_home_phlebotomy', visit)
    const id = await place('at_home_phlebotomy', 'manual')
    await moveOrder(petri, id, 'requisition_created')
    await bookNext(id)
    expect(await followScenario(petri, id, 'mine')).toAnswer(200)
    expect(await readFollowed(petri, id)).toMatchObject({ waits_for: null })
    await advance(petri, '1h')
    expect(await trailOf(id)).toMatch(/ appointment_scheduled draw_completed$/)
  })

  it('that is pending when the scenario waits is only scheduled by the booking', async () => {
    await put('mine', 'at_home_phlebotomy', [
      requisition,
      { after: '1h', status: 'appointment_pending' },
      ...visit.slice(1),
    ])
    const id = await place('at_home_phlebotomy', 'mine')
    const lows = async () =>
      (await readDetails(petri, id)).planned.map(({ status }: { status: string }) => lowOf(status))
    expect(await lows()).toEqual([
      'requisition_created',
      'appointment_pending',
      'appointment_scheduled',
      'draw_completed',
    ])
    await untilIdle(petri)
    expect(await lows()).toEqual(['appointment_scheduled', 'draw_completed'])
    await bookNext(id)
    expect(await lows()).toEqual(['draw_completed'])
    await untilIdle(petri)
    expect(await trailOf(id)).toBe(
      'ordered requisition_created appointment_pending appointment_scheduled draw_completed',
    )
  })
})

it('an order with partial results gets others by a scenario that begins with them', async () => {
  await put('mine', 'walk_in_test', [
    requisition,
    { after: '1h', status: 'partial_results' },
    { after: '1h', status: 'completed' },
  ])
  const id = await place('walk_in_test', 'manual')
  for (const status of ['requisition_created', 'partial_results']) await moveOrder(petri, id, status)
  await followScenario(petri, id, 'mine')
  await untilIdle(petri)
  expect(await trailOf(id)).toBe('ordered requisition_created partial_results partial_results completed')
})

it('a kit for a patient passes over the steps of the other kind, without a wait for them', async () => {
  await put('kit', 'testkit', [
    { after: '5h', status: 'cancelled', only: 'registrable_kit' },
    { ...requisition, only: 'registered_kit' },
  ])
  const { id } = await orderForPatient(petri, { scenario: 'kit' })
  await advance(petri, '1h')
  expect(await trailOf(id)).toBe('ordered requisition_created')
  expect(await readFollowed(petri, id)).toMatchObject({ next: null, next_due: null })
})
