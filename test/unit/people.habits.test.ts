import { describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import { createRandom } from '../../src/kernel/random.ts'
import { dayOf } from '../../src/people/day.ts'
import { clockOf, type ZoneOn } from '../../src/people/day-clock.ts'
import { nutritionOf } from '../../src/people/food.ts'
import { hasHabit } from '../../src/people/habits.ts'
import { type Condition, makePerson, type Treatment } from '../../src/people/person.ts'
import { bySex, type Sex, type Trait } from '../../src/people/traits.ts'
import { summaryResources } from '../../src/resources/summaries/service.ts'
import { seriesTable } from '../../src/resources/timeseries/catalogue.ts'
import { nothing, someone } from '../support/lives.ts'

// Clocks, and people whose days are unlike those of most. Of the seed `one life`.

/** A person with traits of their own. */
const living = (traits: Partial<Record<Trait, number>>, nth = 2) =>
  someone(nth, { course: { ...nothing, traits } })
const time = (instant: number) => new Date(instant).toISOString().slice(11, 16)

describe('the clock of a day', () => {
  const minutes = [0, 119, 120, 150, 240]
  it.each<[string, string, string, number, number[], number[], string?]>([
    ['that loses an hour', 'America/New_York', '2026-03-08', 23, [0, 119, 120, 120, 180], [-5, -4, -4]],
    ['that repeats an hour', 'America/New_York', '2026-11-01', 25, [0, 119, 180, 210, 300], [-4, -5, -5]],
    ['of a zone with half an hour', 'Asia/Kolkata', '2026-01-05', 24, minutes, [5.5, 5.5, 5.5]],
    [
      'before a journey to the east',
      'America/New_York',
      '2026-01-05',
      10,
      minutes,
      [-5, -5, -5],
      'Asia/Tokyo',
    ],
    ['before a journey to the west', 'Asia/Tokyo', '2026-01-05', 38, minutes, [9, 9, 9], 'America/New_York'],
    [
      'that a journey leaves out',
      'Pacific/Honolulu',
      '2026-01-05',
      0,
      minutes,
      [-10, -10, -10],
      'Pacific/Kiritimati',
    ],
  ])('%s', (_, zone, date, hours, at, offsets, next) => {
    const clock = clockOf(zone, date, next)
    expect((clock.end - clock.start) / HOUR_MS).toBe(hours)
    expect(minutes.map((minute) => (clock.instantAt(minute) - clock.start) / MINUTE_MS)).toEqual(at)
    expect([0, 2, 4].map((hour) => clock.offsetAt(clock.start + hour * HOUR_MS) / 3600)).toEqual(offsets)
  })
})

it.each([
  ['2026-01-05', 'Asia/Tokyo', ['06:51'], ['07:29']],
  ['2026-01-10', 'Europe/London', ['11:36'], ['09:13', '12:20', '16:26', '18:36']],
])(
  'a day ends with the departure: what comes after it on %s to %s is left out',
  (date, zone, workouts, meals) => {
    const walker = someone(8)
    const leaving: ZoneOn = (each) => (each <= date ? 'America/New_York' : zone)
    const day = dayOf(walker, leaving, date)
    const local = (instant: number) => time(instant + day.offsetAt(instant) * 1000)
    expect(day.workouts.map(({ start }) => local(start))).toEqual(workouts)
    expect(day.meals().map(({ at }) => local(at))).toEqual(meals)
    for (const { end } of day.workouts) expect(end).toBeLessThanOrEqual(day.end)
  },
)

it('a workout of the evening is left out on a day that ends before it', () => {
  const athlete = living({ workoutsPerWeek: 7.5, vo2Max: 60 }, 11)
  const leaving: ZoneOn = (each) => (each < '2026-01-13' ? 'America/New_York' : 'Asia/Tokyo')
  const sportsOf = (where: string | ZoneOn) =>
    dayOf(athlete, where, '2026-01-12').workouts.map(({ sport }) => sport.slug)
  expect(sportsOf('America/New_York')).toEqual(['strength_training', 'walking'])
  expect(sportsOf(leaving)).toEqual(['strength_training'])
})

it('those of unknown sex have the mean of both', () => {
  expect((['female', 'male', 'unknown'] as const).map((sex) => bySex(1, 4)({ sex }))).toEqual([1, 4, 2.5])
})

it('food has energy from carbohydrates, protein and fat', () => {
  const soup = { name: 'Soup', carbs: 40, protein: 18, fat: 6, fibre: 15, sugar: 7 }
  const roll = { name: 'Roll', carbs: 26, protein: 5, fat: 2, fibre: 1, sugar: 2 }
  expect(nutritionOf([soup, roll])).toEqual({
    carbs: 66,
    protein: 23,
    fat: 8,
    fibre: 16,
    sugar: 9,
    kcal: 428,
  })
  expect(nutritionOf([])).toEqual({ carbs: 0, protein: 0, fat: 0, fibre: 0, sugar: 0, kcal: 0 })
})

describe('the data that not everybody has', () => {
  /** Sex, year of birth, conditions and treatments of those in the columns below. */
  const columns: readonly [Sex, number, Condition['name'][], Treatment['name'][]][] = [
    ['male', 2017, [], []],
    ['female', 2011, [], []],
    ['male', 1986, [], []],
    ['female', 1996, [], []],
    ['female', 1966, [], []],
    ['male', 1986, ['asthma'], []],
    ['male', 1986, ['hypertension'], []],
    ['male', 1986, ['type_1_diabetes'], ['insulin']],
    ['male', 1986, ['type_2_diabetes'], []],
    ['male', 1956, ['atrial_fibrillation'], []],
    ['male', 1986, ['sleep_apnea'], []],
  ]
  /** All have it (+), some (?), nobody (-): a child, a girl, a man, two women, and those with a condition, as above. */
  const table: Readonly<Record<string, string>> = {
    body_weight: '???????????',
    body_fat: '???????????',
    body_mass_index: '???????????',
    lean_body_mass: '???????????',
    waist_circumference: '???????????',
    blood_pressure: '--????+????',
    body_temperature: '???????????',
    basal_body_temperature: '-?-?-------',
    glucose: '-------++--',
    insulin_injection: '-------+---',
    inhaler_usage: '-----+-----',
    forced_expiratory_volume_1: '-----+-----',
    forced_vital_capacity: '-----+-----',
    peak_expiratory_flow_rate: '-----+-----',
    caffeine: '--?????????',
    water: '???????????',
    meal: '-??????+???',
    carbohydrates: '-??????+???',
    mindfulness_minutes: '???????????',
    power: '-??????????',
    handwashing: '???????????',
    fall: '--+++++++++',
    electrocardiogram: '--+++++++++',
    electrocardiogram_voltage: '--+++++++++',
    afib_burden: '---------+-',
    heart_rate_alert: '-++++++++++',
    sleep_apnea_alert: '----------+',
    sleep_breathing_disturbance: '--+++++++++',
  }
  const date = '2026-01-05'
  const people = columns.map(([sex, year, conditions, treatments]) =>
    Array.from({ length: 40 }, (_, nth) => {
      const since = `${year}-06-01`
      const course = {
        traits: {},
        conditions: conditions.map((name) => ({ name, since, until: null, degree: 1, isDiagnosed: true })),
        treatments: treatments.map((name) => ({ name, since, until: null })),
        episodes: [],
      }
      return makePerson(createRandom('habits'), `user-${nth}`, { sex, birthDate: since, course })
    }),
  )
  const marks = (resource: string, isTheirs: boolean) =>
    people
      .map((all) => all.filter((person) => hasHabit(person, date, resource, isTheirs)).length)
      .map((having) => (having === 0 ? '-' : having === 40 ? '+' : '?'))
      .join('')

  it.each([...seriesTable.map(({ slug }) => slug), ...summaryResources, 'power'])(
    'is as listed: %s',
    (resource) => {
      expect(marks(resource, false)).toBe(table[resource] ?? '+++++++++++')
    },
  )

  it.each([
    ['glucose', '+++++++++++'],
    ['blood_pressure', '--+++++++++'],
    ['basal_body_temperature', '-+-+-------'],
  ])('depends on sex and age alone where the provider measures it: %s', (resource, expected) => {
    expect(marks(resource, true)).toBe(expected)
  })

  it.each([
    ['caffeine', 16, 120],
    ['basal_body_temperature', 13, 52],
    ['electrocardiogram', 22, 120],
    ['fall', 18, 120],
    ['heart_rate_alert', 13, 120],
    ['power', 14, 120],
  ])('begins on the birthday, and ends before it: %s from %i to %i years', (resource, from, until) => {
    const has = (age: number, day: string) => {
      const birthDate = `${2026 - age}-06-15`
      return hasHabit(
        makePerson(createRandom('ages'), 'user-1', { sex: 'female', birthDate }),
        day,
        resource,
        true,
      )
    }
    expect([has(from, '2026-06-14'), has(from, '2026-06-15')]).toEqual([false, true])
    expect([has(until, '2026-06-14'), has(until, '2026-06-15')]).toEqual([true, false])
  })
})
