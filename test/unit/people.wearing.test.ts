import { describe, expect, it } from 'vitest'
import { daysLater } from '../../src/people/dates.ts'
import { dayOf } from '../../src/people/day.ts'
import { clockOf } from '../../src/people/day-clock.ts'
import {
  deviceBeats,
  deviceFactor,
  recordedNaps,
  sensorGaps,
  timesMissed,
  timesNotWorn,
} from '../../src/people/devices.ts'
import type { Amount } from '../../src/people/minutes.ts'
import type { Sleep } from '../../src/people/night.ts'
import { round } from '../../src/people/noise.ts'
import { someone } from '../support/lives.ts'
import { traitsOf } from '../support/petri.ts'

// What a device makes of the days of the seed `one life`.

const time = (instant: number) => new Date(instant).toISOString().slice(5, 16).replace('T', ' ')
const span = ({ start, end }: { start: number; end: number }) => `${time(start)}-${time(end).slice(6)}`
const clockOn = (date: string) => clockOf('UTC', date)
const gapsOn = (clock: ReturnType<typeof clockOn>, provider: string) =>
  sensorGaps({ ...clock, person: someone(5) }, provider, traitsOf(provider).glucose_sensor)

describe('a day as a device records it', () => {
  it.each([
    {
      device: 'fitbit',
      night: '01-05 22:46-07:15',
      stages: 55,
      workouts: ['01-06 08:12-08:51'],
      factors: [0.921, 0.976, 1.05, 0.945, 0.948, 1],
      beats: 1.111,
    },
    {
      device: 'oura',
      night: '01-05 22:40-07:14',
      stages: 50,
      workouts: ['01-06 08:14-08:50'],
      factors: [1.061, 0.947, 1.062, 1.071, 0.986, 1],
      beats: -0.663,
    },
    {
      device: 'whoop',
      night: '01-05 22:45-07:20',
      stages: 54,
      workouts: ['01-06 08:12-08:49'],
      factors: [0.962, 0.997, 0.952, 1.041, 0.983, 1],
      beats: 0.27,
    },
  ])(
    '$device: its night, its workout and its counts',
    ({ device, night, stages, workouts, factors, beats }) => {
      const day = dayOf(someone(0), 'UTC', '2026-01-06', device)
      expect([span(day.nights[0]), day.nights[0].stages.length, day.workouts.map(span)]).toEqual([
        night,
        stages,
        workouts,
      ])
      const amounts: Amount[] = ['steps', 'metres', 'active', 'basal', 'floors', 'standing']
      expect(amounts.map((amount) => round(deviceFactor(day.person, device, amount), 3))).toEqual(factors)
      expect([round(deviceBeats(day.person, device), 3), round(day.deviceBeats, 3)]).toEqual([beats, beats])
    },
  )

  it('has stages without a gap, no two alike beside each other, each near its time', () => {
    const [night] = dayOf(someone(0), 'UTC', '2026-01-06').nights
    const [recorded] = dayOf(someone(0), 'UTC', '2026-01-06', 'fitbit').nights
    expect([recorded.stages[0]?.start, recorded.stages.at(-1)?.end]).toEqual([recorded.start, recorded.end])
    for (const [at, { start, stage }] of recorded.stages.entries()) {
      const before = recorded.stages[at - 1]
      if (before) expect([before.end, before.stage === stage]).toEqual([start, false])
      const nearest = Math.min(...night.stages.map((each) => Math.abs(each.start - start)))
      expect(nearest).toBeLessThanOrEqual(5 * 60_000)
    }
    const shown = recorded.stages.slice(0, 8).map(({ start, stage }) => `${time(start).slice(6)} ${stage}`)
    expect(shown).toEqual([
      '22:46 4',
      '22:48 2',
      '23:04 1',
      '23:35 2',
      '23:39 3',
      '23:43 4',
      '23:46 2',
      '23:52 4',
    ])
  })

  it('tells the truth without a device', () => {
    const person = someone(0)
    expect(deviceFactor(person, undefined, 'steps')).toBe(1)
    expect(deviceBeats(person, undefined)).toBe(0)
  })
})

describe('a nap', () => {
  const [night] = dayOf(someone(0), 'UTC', '2026-01-06').nights
  const nap = (minutes: number): Sleep => ({ ...night, kind: 'nap', end: night.start + minutes * 60_000 })

  it.each([
    ['oura', 15],
    ['garmin', 15],
    ['samsung_health', 20],
    ['ultrahuman', 20],
    ['apple_health_kit', 60],
    ['fitbit', 60],
    ['google_health', 60],
    ['whoop', 60],
    ['whoop_v2', 60],
  ])('is recorded by %s from %s minutes', (device, least) => {
    const { nap_minutes } = traitsOf(device)
    expect(recordedNaps([nap(least - 1), nap(least)], device, nap_minutes)).toHaveLength(1)
  })

  it('is recorded by no device of which nothing is known, and happens all the same', () => {
    expect(recordedNaps([nap(120)], 'polar', traitsOf('polar').nap_minutes)).toEqual([])
    expect(recordedNaps([nap(10)], undefined)).toHaveLength(1)
  })
})

describe('a device', () => {
  it('comes off within hours of getting up, or is not put on, until the next morning', {
    tags: 'slow',
  }, () => {
    const gaps = Array.from({ length: 200 }, (_, nth) => daysLater('2026-01-05', nth)).flatMap((date) => {
      const [night] = dayOf(someone(5), 'UTC', date, 'fitbit').nights
      return timesNotWorn(someone(5), 'fitbit', date, clockOn)
        .filter(({ from }) => from >= night.end)
        .map(({ from }) => (from - night.end) / 60_000)
    })
    expect(gaps.every((minutes) => Number.isInteger(minutes) && minutes <= 360)).toBe(true)
    expect(Math.max(...gaps)).toBeGreaterThan(240)
    // Of the days on which it comes off, a seventh has no step.
    const unworn = gaps.filter((minutes) => minutes === 0).length / gaps.length
    expect([unworn > 0, unworn < 0.3, gaps.length > 10]).toEqual([true, true, true])
  })
})

describe('a watch that is worn', () => {
  it.each([
    [0, 4],
    [0.11, 4],
    [0.12, 5],
    [0.999, 12],
  ])('misses 20 to 60 minutes of a day, five at a time: with a draw of %s %s times', (chance, count) => {
    const clock = clockOn('2026-01-06')
    const gaps = timesMissed(clock, () => chance, [20, 60])
    expect(gaps).toHaveLength(count)
    for (const [nth, { from, until }] of gaps.entries()) {
      expect(until - from).toBe(300_000)
      expect(from).toBeGreaterThanOrEqual(gaps[nth - 1]?.until ?? clock.start)
      expect(until).toBeLessThanOrEqual(clock.end)
    }
    expect(timesMissed(clock, () => chance, [0, 0])).toEqual([])
  })

  it('records workouts from and until any second', () => {
    const days = Array.from({ length: 40 }, (_, nth) => daysLater('2026-01-05', nth))
    const workouts = days.flatMap((date) => dayOf(someone(0), 'UTC', date, 'fitbit').workouts)
    const seconds = new Set(workouts.flatMap(({ start, end }) => [start, end].map((at) => (at / 1000) % 60)))
    expect(seconds.size).toBeGreaterThan(10)
    expect([...seconds].every((second) => Number.isInteger(second))).toBe(true)
  })
})

describe('a glucose sensor', () => {
  const dates = Array.from({ length: 16 }, (_, nth) => daysLater('2026-01-05', nth))

  it.each([
    {
      provider: 'dexcom_v3',
      gaps: [
        '01-06 19:35-20:09',
        '01-08 09:28-11:28',
        '01-08 14:44-15:03',
        '01-10 09:14-09:30',
        '01-12 07:45-08:00',
        '01-14 11:27-12:22',
        '01-15 04:33-05:25',
        '01-16 19:43-20:05',
        '01-17 12:56-13:51',
        '01-18 11:33-13:33',
      ],
    },
    {
      provider: 'freestyle_libre',
      gaps: [
        '01-05 05:27-06:27',
        '01-06 13:49-15:00',
        '01-10 12:22-13:22',
        '01-10 17:13-17:35',
        '01-11 21:13-21:56',
        '01-12 06:05-07:12',
        '01-16 12:51-13:17',
        '01-17 07:58-08:34',
        '01-18 04:34-05:12',
      ],
    },
    {
      provider: 'abbott_libreview',
      gaps: [
        '01-10 12:05-12:50',
        '01-12 07:33-08:33',
        '01-12 18:07-19:13',
        '01-13 20:19-20:36',
        '01-17 04:12-05:27',
        '01-18 20:01-20:37',
        '01-19 03:13-03:33',
      ],
    },
  ])('of $provider warms up when it is new, and loses its signal at times', ({ provider, gaps }) => {
    const found = dates.flatMap((date) => gapsOn(clockOn(date), provider))
    expect(found.map(({ from, until }) => span({ start: from, end: until }))).toEqual(gaps)
  })

  it.each([
    ['dexcom_v3', 10, 120],
    ['freestyle_libre', 14, 60],
    ['abbott_libreview', 14, 60],
  ])('of %s is changed every %s days, and warms up for %s minutes', (provider, days, minutes) => {
    const changed = Array.from({ length: 60 }, (_, nth) => nth).filter((nth) => {
      const clock = clockOn(daysLater('2026-01-05', nth))
      const [gap] = gapsOn(clock, provider)
      const isNew = gap !== undefined && gap.until - gap.from === minutes * 60_000
      if (isNew)
        expect([gap.from - clock.start >= 420 * 60_000, gap.from - clock.start < 1260 * 60_000]).toEqual([
          true,
          true,
        ])
      return isNew
    })
    expect(changed.length).toBeGreaterThan(3)
    for (const [at, nth] of changed.entries()) if (at > 0) expect(nth - (changed[at - 1] ?? 0)).toBe(days)
  })
})
