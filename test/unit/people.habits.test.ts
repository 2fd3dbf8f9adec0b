import { describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import { createRandom } from '../../src/kernel/random.ts'
import { daysLater } from '../../src/people/dates.ts'
import { type Day, dayOf } from '../../src/people/day.ts'
import { clockOf, stayingIn, type Whereabouts, whereaboutsKey } from '../../src/people/day-clock.ts'
import { nutritionOf } from '../../src/people/food.ts'
import { round } from '../../src/people/noise.ts'
import { makePerson } from '../../src/people/person.ts'
import { bySex, type Trait } from '../../src/people/traits.ts'

// Clocks, and people whose days are unlike those of most. Of the seed `one life`: see people.one-life.test.ts.

/** A person with traits of their own. */
const living = (traits: Partial<Record<Trait, number>>, nth = 2) =>
  makePerson(createRandom('one life'), `user-${nth}`, {
    course: { traits, conditions: [], treatments: [], episodes: [] },
  })
const dates = (count: number) => Array.from({ length: count }, (_, nth) => daysLater('2026-01-05', nth))
const time = (instant: number) => new Date(instant).toISOString().slice(11, 16)

describe('the clock of a day', () => {
  it.each([
    {
      what: 'that loses an hour',
      zone: 'America/New_York',
      date: '2026-03-08',
      hours: 23,
      at: [0, 119, 120, 120, 180],
      offsets: [-5, -4, -4],
    },
    {
      what: 'that repeats an hour',
      zone: 'America/New_York',
      date: '2026-11-01',
      hours: 25,
      at: [0, 119, 180, 210, 300],
      offsets: [-4, -5, -5],
    },
    {
      what: 'of a zone with half an hour',
      zone: 'Asia/Kolkata',
      date: '2026-01-05',
      hours: 24,
      at: [0, 119, 120, 150, 240],
      offsets: [5.5, 5.5, 5.5],
    },
    {
      what: 'before a journey to the east',
      zone: 'America/New_York',
      next: 'Asia/Tokyo',
      date: '2026-01-05',
      hours: 10,
      at: [0, 119, 120, 150, 240],
      offsets: [-5, -5, -5],
    },
    {
      what: 'before a journey to the west',
      zone: 'Asia/Tokyo',
      next: 'America/New_York',
      date: '2026-01-05',
      hours: 38,
      at: [0, 119, 120, 150, 240],
      offsets: [9, 9, 9],
    },
    {
      what: 'that a journey leaves out',
      zone: 'Pacific/Honolulu',
      next: 'Pacific/Kiritimati',
      date: '2026-01-05',
      hours: 0,
      at: [0, 119, 120, 150, 240],
      offsets: [-10, -10, -10],
    },
  ])('$what', ({ zone, next, date, hours, at, offsets }) => {
    const clock = clockOf(zone, date, next)
    expect((clock.end - clock.start) / HOUR_MS).toBe(hours)
    expect(
      [0, 119, 120, 150, 240].map((minute) => (clock.instantAt(minute) - clock.start) / MINUTE_MS),
    ).toEqual(at)
    expect([0, 2, 4].map((hour) => clock.offsetAt(clock.start + hour * HOUR_MS) / 3600)).toEqual(offsets)
  })

  it.each([
    [0, [0, 5, 23]],
    [120, [22, 3.208, 21.958]],
    [-120, [2, 6.792, 0.042]],
    [30, [23.5, 4.708, 23]],
  ])('has the hour of a body that is %s minutes late, which gets nearer', (lag, hours) => {
    const clock = clockOf('UTC', '2026-01-05', 'UTC', lag)
    expect(clock.lagMinutes).toBe(lag)
    expect([0, 5, 23].map((hour) => round(clock.bodyHourAt(clock.start + hour * HOUR_MS), 3))).toEqual(hours)
  })

  it('tells days apart by where a person is on them and after them, and by the lag', () => {
    const where: Whereabouts = {
      journeys: [{ date: '2026-01-06', from: 'America/New_York', to: 'Europe/London' }],
      zoneOn: (date) => (date < '2026-01-06' ? 'America/New_York' : 'Europe/London'),
    }
    expect(
      ['2026-01-04', '2026-01-05', '2026-01-06', '2026-01-10', '2026-01-11'].map((date) =>
        whereaboutsKey(where, date),
      ),
    ).toEqual([
      'America/New_York/America/New_York/0/0',
      'America/New_York/Europe/London/0/300',
      'Europe/London/Europe/London/300/240',
      'Europe/London/Europe/London/60/0',
      'Europe/London/Europe/London/0/0',
    ])
    expect(whereaboutsKey(stayingIn('UTC'), '2026-01-05')).toBe('UTC')
  })
})

it.each([
  ['2026-01-05', 'Asia/Tokyo', ['06:51'], ['07:29']],
  ['2026-01-10', 'Europe/London', ['11:36'], ['08:40', '12:20', '16:26', '18:36']],
])(
  'a day ends with the departure: what comes after it on %s to %s is left out',
  (date, zone, workouts, meals) => {
    const walker = makePerson(createRandom('one life'), 'user-8', {})
    const leaving: Whereabouts = {
      journeys: [{ date: daysLater(date, 1), from: 'America/New_York', to: zone }],
      zoneOn: (each) => (each <= date ? 'America/New_York' : zone),
    }
    const day = dayOf(walker, leaving, date)
    const local = (instant: number) => time(instant + day.offsetAt(instant) * 1000)
    expect(day.workouts.map(({ start }) => local(start))).toEqual(workouts)
    expect(day.meals().map(({ at }) => local(at))).toEqual(meals)
    for (const { end } of day.workouts) expect(end).toBeLessThanOrEqual(day.end)
  },
)

it('a workout of the evening is left out on a day that ends before it', () => {
  const athlete = living({ workoutsPerWeek: 7.5, vo2Max: 60 }, 11)
  const leaving: Whereabouts = {
    journeys: [{ date: '2026-01-13', from: 'America/New_York', to: 'Asia/Tokyo' }],
    zoneOn: (each) => (each < '2026-01-13' ? 'America/New_York' : 'Asia/Tokyo'),
  }
  const sportsOf = (where: string | Whereabouts) =>
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

describe('somebody who', () => {
  const told = ({ date, nights, naps, workouts, meals, minutes }: Day) =>
    [
      date.slice(8),
      ...nights.slice(0, 1).map(({ start, end }) => `${time(start)}-${time(end)}`),
      ...naps.map(({ start, end }) => `nap ${time(start)}-${time(end)}`),
      ...workouts.map(
        ({ index, sport, start, end, pace }) =>
          `${index} ${sport.slug} ${time(start)}-${time(end)} ${round(pace, 2)}`,
      ),
      meals()
        .map(({ name, at }) => `${name.slice(0, 1)}${time(at)}`)
        .join(' '),
      round(minutes.sums('steps').at(-1) ?? 0, 0),
      round(minutes.heart().reduce((sum, beats) => sum + beats, 0) / minutes.count, 2),
    ].join(', ')

  it('works at night sleeps by day, and eats and naps before the shift', () => {
    const worker = living({ midSleepMinute: 720, napsPerWeek: 5 })
    expect(dates(8).map((date) => told(dayOf(worker, 'UTC', date)))).toEqual([
      '05, 07:57-16:36, nap 19:34-19:53, D17:50, 12774, 73.01',
      '06, 06:37-15:31, nap 18:45-19:11, 0 walking 15:56-16:28 1.01, D17:54, 14135, 72',
      '07, 07:55-14:57, nap 19:46-20:17, S15:40 D18:39, 7571, 70.73',
      '08, 08:25-15:50, nap 19:21-19:33, 0 strength_training 16:15-16:51 0.95, D18:28, 5749, 69.08',
      '09, 08:13-14:28, 0 walking 14:53-15:18 0.91, D17:55, 10412, 69.39',
      '10, 08:53-17:07, nap 21:07-22:11, D18:22, 7799, 68.73',
      '11, 08:26-17:05, nap 20:38-21:17, D18:28, 10644, 72.19',
      '12, 09:53-15:38, nap 19:07-19:20, 0 strength_training 16:03-16:30 0.91, S16:04 D18:27, 6748, 68.42',
    ])
  })

  it('trains every day has some days with two workouts, apart from each other', () => {
    const athlete = living({ workoutsPerWeek: 7.5, vo2Max: 60 }, 11)
    const days = dates(10).map((date) => dayOf(athlete, 'UTC', date))
    expect(days.map(told)).toEqual([
      '05, 23:44-08:25, 0 strength_training 08:50-09:54 1.27, B09:05 L12:40 S15:43 D17:38, 6196, 83.97',
      '06, 00:05-07:18, 0 strength_training 07:43-08:50 1.14, B08:15 L12:43 S15:50 D17:43, 7187, 82.8',
      '07, 00:36-06:49, nap 13:28-13:52, 0 yoga 07:26-08:10 1.14, B07:32 L12:06 S15:17 D18:14, 6474, 81.51',
      '08, 00:22-08:24, nap 15:40-16:11, 0 yoga 08:49-09:28 1.23, B09:09 L12:45 S14:57 D17:43, 4821, 82.73',
      '09, 00:16-07:03, 0 strength_training 07:28-08:19 1.15, B07:51 L12:21 S15:46 D17:56, 5409, 83.46',
      '10, 00:24-08:53, nap 15:06-15:39, 0 walking 10:18-10:44 1.16, B10:02 L12:09 D18:24, 5854, 82.1',
      '11, 01:11-09:50, 0 yoga 12:30-13:07 1.14, B10:53 L12:07 S15:23 D18:30, 5699, 82.28',
      '12, 00:50-06:01, 0 strength_training 06:26-07:43 1.29, 1 walking 17:40-18:15 1.31, B06:53 L12:45 S15:11 D18:22, 10351, 85.95',
      '13, 22:30-09:11, 0 strength_training 09:36-10:39 1.25, 1 walking 17:42-18:12 1.17, B10:04 L12:10 S15:00 D17:28, 11137, 84.89',
      '14, 22:50-09:33, 0 yoga 09:58-10:36 1.16, B10:37 L12:46 D17:45, 5639, 82.64',
    ])
    expect(days.filter(({ workouts }) => workouts.length === 2)).toHaveLength(2)
    for (const { workouts } of days) {
      const [first, second] = workouts
      if (first && second) expect(second.start - first.end).toBeGreaterThan(2 * HOUR_MS)
    }
  })

  it('is old, heavy and unfit, walks little, and strains more at it', () => {
    const old = living(
      { bodyMassIndex: 45, vo2Max: 15, usualSteps: 3000, midSleepMinute: 100, sleepHours: 5 },
      4,
    )
    const child = makePerson(createRandom('one life'), 'user-4', { sex: 'female', birthDate: '2016-05-05' })
    expect(dates(3).map((date) => told(dayOf(old, 'UTC', date)))).toEqual([
      '05, 22:52-04:05, nap 11:27-12:44, B04:53 L13:24 S15:18 D18:17, 3086, 74.03',
      '06, 22:51-04:47, nap 11:48-12:06, B05:39 L13:41 S15:25 D19:00, 2416, 71.08',
      '07, 23:23-04:06, nap 12:13-12:34, B04:59 L13:16 S16:07 D17:51, 2177, 71.48',
    ])
    expect(dates(3).map((date) => told(dayOf(child, 'UTC', date)))).toEqual([
      '05, 00:47-07:43, B08:31 L13:24 S15:18 D18:17, 4816, 88.47',
      '06, 00:46-08:25, B09:17 L13:41 S15:25 D19:00, 3770, 85.42',
      '07, 01:19-07:42, B08:35 L13:16 S16:07 D17:51, 3397, 85.62',
    ])
  })
})
