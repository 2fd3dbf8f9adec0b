import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/kernel/instant.ts'
import { createRandom } from '../../src/kernel/random.ts'
import { runAtOnce } from '../../src/kernel/slices.ts'
import { type Cycle, cycleOn, periodDaysOf } from '../../src/people/cycles.ts'
import { bodyOfDay } from '../../src/people/daily.ts'
import { daysBetween, daysLater } from '../../src/people/dates.ts'
import { makePerson } from '../../src/people/person.ts'
import { connections } from '../../src/resources/connections/table.ts'
import { personOf } from '../../src/resources/personas/service.ts'
import { beginsCycle } from '../../src/resources/summaries/cycles.ts'
import { eventsOfSummaries } from '../../src/resources/summaries/events.ts'
import { connection, made } from '../support/made-day.ts'
import { startTestWorld } from '../support/petri.ts'

const NOW = Date.parse('2026-06-20T20:00:00Z')

/** A woman of 30 whose phone has sent data for half a year, and a cycle of hers that is over. */
async function cycling(timeZone = 'UTC') {
  const petri = await startTestWorld({ world: { now: NOW } })
  const body = { fallback_birth_date: '1996-01-01', fallback_time_zone: timeZone }
  const started = await connection(petri, 'apple_health_kit', body)
  const from = NOW - 180 * DAY_MS
  const own = { ...started, known_since: from, periods: [{ from, until: null }] }
  petri.world().db.put(connections, own)
  const person = personOf(petri.world(), own.user_id)
  const cycle = cycleOn(person, '2026-04-10') as Cycle
  /** An instant of the day with this number, from 0. */
  const at = (nth: number, hour: number) =>
    Date.parse(`${daysLater(cycle.begins, nth)}T00:00:00Z`) + hour * HOUR_MS
  const seen = (asOf: number, date = cycle.begins) => made(petri, 'menstrual_cycle', own, { date, asOf })
  return {
    world: petri.world(),
    own,
    person,
    cycle,
    at,
    seen,
    dateOf: (nth: number) => daysLater(cycle.begins, nth),
  }
}

describe('a menstrual cycle', () => {
  it('is whole once the next one has begun', async () => {
    const { own, person, cycle, seen, at, dateOf } = await cycling()
    const ovulation = daysBetween(cycle.begins, cycle.ovulation ?? '')
    const [whole] = seen(at(cycle.days, 0))
    expect(whole).toEqual({
      id: expect.any(String),
      period_start: cycle.begins,
      period_end: dateOf(3),
      cycle_end: dateOf(cycle.days - 1),
      is_predicted: false,
      menstrual_flow: ['medium', 'heavy', 'light', 'light'].map((flow, nth) => ({
        date: dateOf(nth),
        flow,
      })),
      cervical_mucus: [-2, -1, 0, 1].map((nth) => ({ date: dateOf(ovulation + nth), quality: 'egg_white' })),
      ovulation_test: ['negative', 'negative', 'luteinizing_hormone_surge', 'negative'].map(
        (test_result, nth) => ({
          date: dateOf(ovulation - 2 + nth),
          test_result,
        }),
      ),
      intermenstrual_bleeding: [],
      contraceptive: [],
      detected_deviations: [],
      home_pregnancy_test: [],
      home_progesterone_test: [],
      sexual_activity: [],
      basal_body_temperature: Array.from({ length: cycle.days }, (_, nth) => ({
        date: dateOf(nth),
        value: expect.closeTo(36.3 + bodyOfDay(person, dateOf(nth)).temperature, 2),
      })),
      source_provider: 'apple_health_kit',
      source_type: 'app',
      source_app_id: 'com.apple.Health',
      source_device_id: null,
      user_id: own.user_id,
      source: expect.objectContaining({ type: 'app' }),
      created_at: `${cycle.begins}T08:00:00+00:00`,
      updated_at: `${dateOf(cycle.days - 1)}T08:00:00+00:00`,
    })
  })

  it.each([
    [0.02, 3],
    [0.1, 3],
    [0.11, 4],
    [0.5, 5],
    [0.89, 6],
    [0.9, 7],
    [0.98, 7],
  ])('has a period of three to seven days, the person’s own: by a draw of %s of %s', (chance, days) => {
    const random = Object.assign(Object.create(createRandom('1')), { noise: () => chance })
    expect(periodDaysOf({ ...makePerson(createRandom('1'), 'a', {}), random })).toBe(days)
  })

  it('begins with the entries of its first morning, at eight', async () => {
    const { seen, at, dateOf } = await cycling()
    expect(seen(at(0, 8) - 1)).toEqual([])
    expect(seen(at(0, 8))).toMatchObject([
      {
        period_end: null,
        cycle_end: null,
        menstrual_flow: [{ date: dateOf(0), flow: 'medium' }],
        basal_body_temperature: [{ date: dateOf(0) }],
        updated_at: `${dateOf(0)}T08:00:00+00:00`,
      },
    ])
    expect(seen(at(1, 8) - 1)[0].menstrual_flow).toHaveLength(1)
    expect(seen(at(1, 8))[0].menstrual_flow).toHaveLength(2)
  })

  it('has an end of its period from the entry after it on, and its own end with the next cycle', async () => {
    const { cycle, seen, at, dateOf } = await cycling()
    expect(seen(at(4, 8) - 1)).toMatchObject([{ period_end: null }])
    expect(seen(at(4, 8))).toMatchObject([{ period_end: dateOf(3) }])
    expect(seen(at(cycle.days, 0) - 1)).toMatchObject([{ cycle_end: null }])
  })

  it('is dated in the zone of its woman', async () => {
    const { seen, at, cycle } = await cycling('America/New_York')
    // Eight in New York is noon in UTC.
    expect(seen(at(0, 12) - 1)).toEqual([])
    expect(seen(at(0, 12))[0].basal_body_temperature).toHaveLength(1)
    expect(seen(at(1, 8))[0].basal_body_temperature).toHaveLength(1)
    expect(seen(at(cycle.days, 3))).toMatchObject([{ cycle_end: null }])
    expect(seen(at(cycle.days, 4))[0].cycle_end).not.toBeNull()
  })

  it('begins on one day alone, and has an id by that day', async () => {
    const { world, own, cycle, dateOf } = await cycling()
    const days = Array.from({ length: cycle.days + 1 }, (_, nth) => beginsCycle(world, own, dateOf(nth)))
    expect(days.flatMap((begins, nth) => (begins ? [nth] : []))).toEqual([0, cycle.days])
    const { seen } = await cycling()
    const [first] = seen(NOW)
    const [second] = seen(NOW, dateOf(cycle.days))
    expect(second.id).not.toBe(first.id)
    expect(second.period_start).toBe(dateOf(cycle.days))
  })

  it('is announced when it begins, and again with each entry until the next one', async () => {
    const { world, own, cycle, at } = await cycling()
    const announced = (from: number, until: number) =>
      runAtOnce(eventsOfSummaries(world, own, { from, until })).flatMap(({ type, data }) =>
        type.includes('menstrual_cycle')
          ? [[type.split('.').at(-1), (data as { period_start: string }).period_start]]
          : [],
      )
    expect(announced(at(0, 7), at(0, 8))).toEqual([['created', cycle.begins]])
    expect(announced(at(0, 8), at(0, 20))).toEqual([])
    expect(announced(at(9, 7), at(9, 8))).toEqual([['updated', cycle.begins]])
    expect(announced(at(cycle.days, 8), at(cycle.days, 20))).toEqual([])
  })

  it('of a woman on the pill has no fertile days', async () => {
    const petri = await startTestWorld({ world: { now: NOW } })
    const own = await connection(petri, 'apple_health_kit', { fallback_birth_date: '1996-01-01' })
    const date = '2026-06-01'
    const [cycle] = made(petri, 'menstrual_cycle', own, {
      date,
      day: ({ person }) => ({
        person: {
          ...person,
          treatments: [{ name: 'contraceptive_pill', since: date, until: null }] as never,
        },
      }),
    })
    expect(cycle).toMatchObject({ cervical_mucus: [], ovulation_test: [], period_end: '2026-06-04' })
  })

  it('is of nobody after the menopause', async () => {
    const petri = await startTestWorld()
    const own = await connection(petri, 'apple_health_kit')
    const day = ({ person }: { person: object }) => ({ person: { ...person, menopause: null } as never })
    expect(made(petri, 'menstrual_cycle', own, { day })).toEqual([])
  })
})
