import { describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../src/kernel/instant.ts'
import { createRandom } from '../../src/kernel/random.ts'
import { type Day, dayOf, restingBeats } from '../../src/people/day.ts'
import { stayingIn, type Whereabouts } from '../../src/people/day-clock.ts'
import type { Amount } from '../../src/people/minutes.ts'
import { type Sleep, secondsInStages } from '../../src/people/night.ts'
import { round } from '../../src/people/noise.ts'
import { makePerson } from '../../src/people/person.ts'

// The model at work on some days, to the minute. A figure that changes here changes for everybody who has chosen a seed: that
// belongs in the changelog. What the figures of many people have to be is in the other files of `people`.

const someone = (nth: number) => makePerson(createRandom('one life'), `user-${nth}`, {})

/** Local hours and minutes of an instant. */
const clockTime = (day: Day, instant: number) => {
  const minutes = Math.floor(instant / MINUTE_MS) + day.offsetAt(instant) / 60
  return [Math.floor(minutes / 60) % 24, minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
}
const meanOf = (values: ArrayLike<number>) =>
  Array.from(values).reduce((sum, value) => sum + value, 0) / values.length

/** A day as a few lines: sleep with minutes of its stages, training, food, and what adds up over its minutes. */
function told(day: Day) {
  const at = (instant: number) => clockTime(day, instant)
  const slept = (sleep: Sleep) => {
    const { deep, light, rem, awake } = secondsInStages(sleep)
    const minutes = [deep, light, rem, awake].map((seconds) => seconds / 60).join('/')
    return `${at(sleep.start)}-${at(sleep.end)} ${minutes} in ${sleep.stages.length}, ${round(sleep.beats, 2)}`
  }
  const heart = day.minutes.heart()
  const total = (amount: Amount) => round(day.minutes.sums(amount).at(-1) ?? 0, 1)
  return {
    nights: day.nights.map(slept),
    naps: day.naps.map(slept),
    workouts: day.workouts.map(
      ({ sport, start, end, intensity, pace }) =>
        `${sport.slug} ${at(start)}-${at(end)} ${round(intensity, 3)} ${round(pace, 3)}`,
    ),
    meals: day.meals().map(({ name, at: eaten, foods }) => `${name} ${at(eaten)} ${foods[0]?.name}`),
    moved: [total('steps'), total('metres'), total('floors'), total('standing'), total('daylight')].join(' '),
    burnt: [total('active'), total('basal')].join(' '),
    heart: [meanOf(heart), Math.min(...heart), Math.max(...heart), restingBeats(day)]
      .map((beats) => round(beats, 2))
      .join(' '),
  }
}

describe('a day of one life', () => {
  it.each([
    {
      nth: 2,
      zone: 'America/New_York',
      date: '2026-01-06',
      nights: ['20:34-05:28 79/274/112/69 in 65, 0.65', '21:52-04:53 56/246/75/44 in 46, 1.33'],
      naps: [],
      workouts: ['walking 06:34-07:06 1.067 1.013'],
      meals: [
        'Breakfast 06:19 Wholegrain toast',
        'Lunch 12:23 Chicken sandwich',
        'Dinner 17:54 Pasta with tomato sauce',
      ],
      moved: '14149 10123.5 16.8 200 100',
      burnt: '554.3 1383.8',
      heart: '72.23 55.44 121.03 62',
    },
    {
      nth: 3,
      zone: 'America/New_York',
      date: '2026-03-08',
      nights: ['01:45-13:36 104/314/140/93 in 68, 0.33', '00:38-08:48 70/254/110/56 in 60, -2.09'],
      naps: [],
      workouts: [],
      meals: ['Snack 16:24 Trail mix', 'Dinner 18:42 Bean chili'],
      moved: '3935 3081.5 6.3 78 9',
      burnt: '239.4 1894.8',
      heart: '60.49 47.6 81.7 55',
    },
    {
      nth: 3,
      zone: 'UTC',
      date: '2026-01-09',
      nights: ['00:25-09:28 75/305/128/35 in 57, 0.06', '02:36-12:09 96/264/126/87 in 64, -0.55'],
      naps: [],
      workouts: ['running 09:53-10:17 0.967 1.058'],
      meals: [
        'Breakfast 10:29 Oatmeal',
        'Lunch 12:25 Lentil soup',
        'Snack 15:57 Trail mix',
        'Dinner 18:46 Pasta with tomato sauce',
      ],
      moved: '14239 12261.4 16.9 176 127',
      burnt: '964.2 1979.6',
      heart: '68.65 52.58 149.49 60',
    },
    {
      nth: 6,
      zone: 'UTC',
      date: '2026-01-10',
      nights: ['03:08-08:09 40/186/53/22 in 28, 1.83', '00:36-10:31 84/331/136/44 in 59, 0.11'],
      naps: [],
      workouts: ['strength_training 12:26-12:57 1.002 1.111'],
      meals: [
        'Breakfast 09:01 Plain yogurt',
        'Lunch 13:37 Rice bowl',
        'Snack 15:43 Trail mix',
        'Dinner 18:55 Bean chili',
      ],
      moved: '2214 1644.3 3.6 94 0',
      burnt: '224.4 1478.9',
      heart: '58.61 44.71 122.45 51',
    },
    {
      nth: 4,
      zone: 'Europe/London',
      date: '2025-10-26',
      nights: ['00:01-09:17 86/294/131/105 in 66, 2', '23:09-08:44 99/299/96/81 in 65, -1.45'],
      naps: [],
      workouts: ['strength_training 16:15-17:04 0.978 0.885'],
      meals: ['Breakfast 10:01 Plain yogurt', 'Lunch 13:29 Lentil soup', 'Dinner 18:06 Grilled salmon'],
      moved: '5029 3904 8.1 108 0',
      burnt: '504.8 1722.4',
      heart: '80.08 64.98 118.51 73',
    },
    {
      nth: 0,
      zone: 'UTC',
      date: '2026-01-06',
      nights: ['22:42-07:15 80/252/99/82 in 64, 0.98', '22:01-06:42 94/266/89/72 in 55, -0.55'],
      naps: ['13:58-14:16 0/16/0/2 in 3, 0.98'],
      workouts: ['walking 08:13-08:50 1.057 0.998'],
      meals: ['Breakfast 08:12 Plain yogurt', 'Lunch 12:26 Lentil soup', 'Dinner 18:17 Bean chili'],
      moved: '10277 6159.5 9.7 145 93',
      burnt: '371.4 1083.7',
      heart: '89.18 75.18 127.27 81',
    },
    {
      nth: 11,
      zone: 'America/Los_Angeles',
      date: '2026-01-10',
      nights: ['00:24-08:53 99/237/105/68 in 65, -1.69', '01:11-09:50 98/263/99/59 in 52, -2.07'],
      naps: ['15:06-15:39 0/30/0/3 in 4, -1.69'],
      workouts: ['walking 10:18-10:44 0.95 0.877'],
      meals: ['Breakfast 10:02 Wholegrain toast', 'Lunch 12:09 Rice bowl', 'Dinner 18:24 Grilled salmon'],
      moved: '5854 3982 5.2 101 26',
      burnt: '412.7 1925.5',
      heart: '84.16 69.01 127.22 78',
    },
    {
      nth: 8,
      zone: 'UTC',
      date: '2026-07-04',
      nights: ['22:26-08:29 65/324/95/119 in 66, -0.37', '21:53-07:29 68/312/108/88 in 65, 0.69'],
      naps: [],
      workouts: ['walking 11:27-11:53 1.003 0.899'],
      meals: [
        'Breakfast 09:32 Oatmeal',
        'Lunch 12:50 Lentil soup',
        'Snack 16:10 Pear',
        'Dinner 18:54 Pasta with tomato sauce',
      ],
      moved: '18148 11905.3 24.7 197 109',
      burnt: '464.2 867',
      heart: '71.16 54.09 117.42 62',
    },
  ])('of user $nth in $zone on $date, is always the same', ({ nth, zone, date, ...expected }) => {
    expect(told(dayOf(someone(nth), zone, date))).toEqual(expected)
  })

  it('is the same however it is asked for, and whatever was asked before', () => {
    const person = someone(2)
    const alone = told(dayOf(someone(2), 'UTC', '2026-01-06'))
    for (const date of ['2026-01-08', '2026-01-05', '2026-01-07']) dayOf(person, 'UTC', date).minutes.heart()
    expect(told(dayOf(person, stayingIn('UTC'), '2026-01-06'))).toEqual(alone)
    expect(told(dayOf(someone(2), 'UTC', '2026-01-06', 'fitbit'))).not.toEqual(alone)
  })
})

describe('a day after a journey', () => {
  const journeys = [{ date: '2026-01-06', from: 'America/New_York', to: 'Asia/Tokyo' }]
  const where: Whereabouts = {
    journeys,
    zoneOn: (date) => (date < '2026-01-06' ? 'America/New_York' : 'Asia/Tokyo'),
  }

  it.each([
    {
      date: '2026-01-05',
      hours: 0,
      nights: '21:54-06:33 119/248/103/49 in 56, 0.88',
      length: 10,
      heart: '66.57 54.93 133.58 62',
    },
    {
      date: '2026-01-06',
      hours: 14,
      nights: '02:41-11:21 68/238/100/114 in 53, 0.65',
      length: 24,
      heart: '73.33 60.4 120.83 62',
    },
    {
      date: '2026-01-07',
      hours: 13,
      nights: '04:05-10:41 48/210/63/75 in 40, 1.33',
      length: 24,
      heart: '71.91 61.28 108.6 62',
    },
    {
      date: '2026-01-12',
      hours: 8,
      nights: '06:07-11:18 40/163/45/63 in 40, -1.11',
      length: 24,
      heart: '68.83 52.62 117.53 60',
    },
    {
      date: '2026-01-20',
      hours: 0,
      nights: '21:12-06:50 102/292/131/53 in 63, -0.01',
      length: 24,
      heart: '65.59 51.72 105.46 59',
    },
  ])(
    'on $date begins $hours hours late, and has the sleep of the body',
    ({ date, hours, nights, length, heart }) => {
      const day = dayOf(someone(2), where, date)
      const found = told(day)
      expect([day.lagMinutes / 60, found.nights[0], (day.end - day.start) / 3_600_000, found.heart]).toEqual([
        hours,
        nights,
        length,
        heart,
      ])
    },
  )
})
