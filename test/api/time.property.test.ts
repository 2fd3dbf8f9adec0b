import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/kernel/instant.ts'
import { field } from '../support/field.ts'
import { dataFolder } from '../support/keeping-folder.ts'
import { readDetails, readOrder } from '../support/orders.ts'
import { START, startTestPetri, type TestPetri } from '../support/petri.ts'
import { rounds } from '../support/rounds.ts'
import { turns } from '../support/timing.ts'

/** The days in which every scenario used here has ended. */
const DAYS = 30

interface Timed {
  readonly petri: TestPetri
  /** The wall clock, which a live world follows. */
  readonly wall: { now: number }
}

async function start(options: { frozen: boolean; pace?: number }): Promise<Timed> {
  const wall = { now: START }
  const petri = await startTestPetri({ wall: () => wall.now, world: options })
  return { petri, wall }
}

async function placeOrder(petri: TestPetri, scenario: string): Promise<string> {
  const { status, body } = await petri.post('/_petri/orders', { scenario })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}

/** The statuses of an order with the days from its first one to each. */
async function trailOf(petri: TestPetri, id: string): Promise<string[]> {
  const body = await readOrder(petri, id)
  const first = Date.parse(body.events[0].created_at)
  return body.events.map(
    ({ status, created_at }: { status: string; created_at: string }) =>
      `${status} after ${Date.parse(created_at) - first} ms`,
  )
}

const effectsOf = ({ effects }: { effects: readonly { kind: string; at: string; status?: string }[] }) =>
  effects.map(({ kind, at, status }) => `${at} ${kind} ${status ?? ''}`)

const advance = async (petri: TestPetri, by: number) =>
  (await petri.post('/_petri/clock/advance', { by: `${by}ms` })).body

/** Parts of the time that add up to `DAYS`. */
const split = fc
  .array(fc.integer({ min: 0, max: DAYS * DAY_MS }), { maxLength: 6 })
  .map((cuts) => [...cuts, DAYS * DAY_MS].sort((a, b) => a - b))
  .map((ends) => ends.map((end, index) => end - (ends[index - 1] ?? 0)))

const scenario = fc.constantFrom('happy-path', 'problem-in-transit-customer', 'lost-on-the-way-out')

describe.each([true, false])('an advance of a world that is frozen: %s', (frozen) => {
  it('has the same effects however it is split', { tags: 'slow' }, async () => {
    await fc.assert(
      fc.asyncProperty(scenario, split, async (name, parts) => {
        const whole = await start({ frozen })
        await placeOrder(whole.petri, name)
        const expected = effectsOf(await advance(whole.petri, DAYS * DAY_MS))
        await whole.petri.close()
        const { petri } = await start({ frozen })
        await placeOrder(petri, name)
        const seen: string[] = []
        for (const part of parts) seen.push(...effectsOf(await advance(petri, part)))
        expect(seen).toEqual(expected)
        await petri.close()
      }),
      { numRuns: rounds(6) },
    )
  })
})

it('an advance of a live world runs the steps of those days and no others', async () => {
  const { petri } = await start({ frozen: false })
  const frozen = await start({ frozen: true })
  const live = await placeOrder(petri, 'happy-path')
  const other = await placeOrder(frozen.petri, 'happy-path')
  for (let day = 0; day < 12; day++) {
    await advance(petri, DAY_MS)
    await advance(frozen.petri, DAY_MS)
    expect(await trailOf(petri, live), `day ${day}`).toEqual(await trailOf(frozen.petri, other))
  }
  await petri.close()
  await frozen.petri.close()
})

it('what is left of a wait after an advance passes at the pace of the world', async () => {
  const { petri, wall } = await start({ frozen: false })
  const id = await placeOrder(petri, 'happy-path')
  const nextDue = async () => {
    const { next_due, now } = await petri.read('/_petri/clock')
    return Date.parse(next_due) - Date.parse(now)
  }
  const life = await readDetails(petri, id)
  expect(life.planned.length).toBeGreaterThan(0)
  petri
    .world()
    .agenda.schedule({ afterScenarioMs: 3 * DAY_MS + 4 * HOUR_MS, kind: 'users.erase', subject: 'x' })
  await advance(petri, 3 * DAY_MS)
  const due = petri.world().agenda.find('users.erase', 'x')?.due ?? 0
  expect(due - petri.world().clock.now()).toBe(Math.round((4 * HOUR_MS) / 8640))
  expect(await nextDue()).toBeLessThanOrEqual((4 * HOUR_MS) / 8640 + 1)
  wall.now += 1000
  expect(petri.world().agenda.find('users.erase', 'x')?.due).toBe(due)
  await petri.close()
})

type Change =
  | { readonly does: 'pass'; readonly ms: number }
  | { readonly does: 'advance'; readonly ms: number }
  | { readonly does: 'freeze' | 'thaw' | 'restart' }
  | { readonly does: 'pace'; readonly pace: number }

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ does: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 20_000 }) }),
  fc.record({ does: fc.constant('advance' as const), ms: fc.integer({ min: 0, max: 3 * DAY_MS }) }),
  fc.record({ does: fc.constantFrom('freeze' as const, 'thaw' as const, 'restart' as const) }),
  fc.record({ does: fc.constant('pace' as const), pace: fc.constantFrom(1, 60, 8640, 100_000) }),
)

it('freezing, thawing, another pace and a restart at any moment lose and repeat nothing', {
  timeout: rounds(60_000),
  tags: 'slow',
}, async () => {
  const folder = dataFolder()
  let run = 0
  await fc.assert(
    fc.asyncProperty(scenario, fc.array(change, { maxLength: 12 }), async (name, changes) => {
      const wall = { now: START }
      const world = { frozen: false, apiKey: `sk_us_time_${++run}` }
      const headers = { 'x-service-api-key': world.apiKey }
      const open = () => folder.start({ wall: () => wall.now, world })
      let petri = await open()
      const call = (method: string, path: string, body?: unknown) => petri.call(method, path, body, headers)
      const order = (await call('POST', '/_petri/orders', { scenario: name })).body.id
      const runDue = async () => {
        const world = petri.petri.worlds.byKey(headers['x-service-api-key'])
        for (let turn = 0; turn < 20; turn++) {
          world?.agenda.runDue()
          await turns()
        }
      }
      for (const step of changes) {
        if (step.does === 'pass') wall.now += step.ms
        if (step.does === 'advance') await call('POST', '/_petri/clock/advance', { by: `${step.ms}ms` })
        if (step.does === 'freeze') await call('PATCH', '/_petri/clock', { frozen: true })
        if (step.does === 'thaw') await call('PATCH', '/_petri/clock', { frozen: false })
        if (step.does === 'pace') await call('PATCH', '/_petri/clock', { pace: step.pace })
        if (step.does === 'restart') {
          await petri.close()
          petri = await open()
        }
        await runDue()
      }
      await call('POST', '/_petri/clock/advance', { by: `${2 * DAYS}d` })
      const { body } = await call('GET', `/v3/order/${order}`)
      const statuses = body.events.map(field('status'))
      const undisturbed = await start({ frozen: true })
      const expected = await placeOrder(undisturbed.petri, name)
      await advance(undisturbed.petri, 2 * DAYS * DAY_MS)
      const other = (await undisturbed.petri.get(`/v3/order/${expected}`)).body.events
      expect(statuses).toEqual(other.map(field('status')))
      await undisturbed.petri.close()
      await petri.close()
    }),
    { numRuns: rounds(8) },
  )
})
