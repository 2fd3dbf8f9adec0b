import { describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../src/kernel/instant.ts'
import { bodyOfDay } from '../../src/people/daily.ts'
import { daysLater } from '../../src/people/dates.ts'
import { clockOf } from '../../src/people/day-clock.ts'
import { nightOf, type Sleep } from '../../src/people/night.ts'
import { round } from '../../src/people/noise.ts'
import { plannedTraining } from '../../src/people/training.ts'
import { workoutsOf } from '../../src/people/workouts.ts'
import { someone } from '../support/lives.ts'

// What people mean to train, and what their day leaves of it. Of the seed `one life`.

const planned = (nth: number, date: string, perWeek: number, birthDate?: string) =>
  plannedTraining(someone(nth, { birthDate }), date, perWeek)
    .map(
      ({ sport, minute, minutes, intensity }) => `${sport.slug} ${minute} ${minutes} ${round(intensity, 3)}`,
    )
    .join(', ')

describe('the training of people', () => {
  it.each([
    [0, 'walking 458 44 1.004', 'walking 771 34 1.074'],
    [
      1,
      'walking 726 36 1.041, road_biking 728 60 0.984',
      'road_biking 821 72 1.027, strength_training 905 34 1.063',
    ],
    [
      2,
      'walking 406 30 0.946, strength_training 404 30 0.965',
      'strength_training 612 37 0.944, walking 849 32 1.057',
    ],
    [
      3,
      'walking 1102 33 0.934, strength_training 457 56 1.013',
      'running 667 32 0.926, walking 713 32 1.011',
    ],
    [4, 'walking 1105 32 0.968, strength_training 1063 51 0.927', 'strength_training 991 56 0.964'],
    [
      5,
      'running 758 21 1.057, strength_training 758 53 0.967',
      'running 738 26 1.026, strength_training 784 45 1.007',
    ],
    [
      6,
      'road_biking 1067 103 0.951, strength_training 1149 38 1.042',
      'strength_training 746 31 1.002, running 666 46 1.031',
    ],
    [7, 'walking 758 44 1.044', 'walking 507 33 0.981'],
    [9, 'walking 430 57 1.053, yoga 991 24 1.033', 'yoga 649 24 0.963, strength_training 698 24 1.038'],
  ])('is in sports of their own, at other times at weekends: user %s', (nth, workingDay, weekend) => {
    expect(planned(nth, '2026-01-07', 14)).toBe(workingDay)
    expect(planned(nth, '2026-01-10', 14)).toBe(weekend)
  })

  it('has no weights and no yoga in children', () => {
    const sportsOf = (birthDate: string) =>
      Array.from({ length: 40 }, (_, nth) => planned(nth, '2026-01-05', 7, birthDate)).join()
    expect(sportsOf('2016-05-01')).toMatch(/running|swimming/)
    expect(sportsOf('2016-05-01')).not.toMatch(/strength|yoga/)
    expect(sportsOf('2011-05-01')).toMatch(/strength/)
  })

  it('changes with the decades', () => {
    const at = (birthDate: string) =>
      Array.from({ length: 10 }, (_, nth) => planned(nth, '2026-01-07', 14, birthDate))
    const old = at('1950-01-01')
    expect(at('2005-01-01').filter((text, nth) => text !== old[nth])).toHaveLength(6)
    expect(at('1951-01-01')).toEqual(at('1953-01-01'))
    expect(at('1931-01-01')).toEqual(at('1920-01-01'))
  })

  it.each([0, 2, 4, 7])('includes the sport that user %s has a device for, twice a week', (nth) => {
    const days = Array.from({ length: 60 }, (_, at) => daysLater('2026-01-01', at))
    const done = (perWeek: number, sport?: string) =>
      days.flatMap((date) => plannedTraining(someone(nth), date, perWeek, sport))
    expect(done(0)).toEqual([])
    const rides = done(0, 'road_biking').filter(({ sport }) => sport.slug === 'road_biking')
    expect(rides.length).toBeGreaterThan(4)
    expect(done(0, 'road_biking')).toEqual(done(2, 'road_biking'))
    expect(done(3, 'road_biking').length).toBeGreaterThan(rides.length)
  })

  it('is more often twice a day of those who train more', () => {
    const person = someone(3)
    const days = Array.from({ length: 60 }, (_, at) => daysLater('2026-01-01', at))
    const counts = (perWeek: number) => {
      const found = days.map((date) => plannedTraining(person, date, perWeek).length)
      return [1, 2].map((count) => found.filter((each) => each === count).length)
    }
    expect([2, 6, 8, 20].map(counts)).toEqual([
      [12, 0],
      [30, 0],
      [39, 8],
      [0, 60],
    ])
  })
})

describe('the workouts of a day', () => {
  const clockOn = (date: string) => clockOf('UTC', date, 'UTC')
  const athlete = someone(11)
  const date = '2026-01-12'
  const clock = clockOn(date)
  const night = nightOf(athlete, clock)
  const next = nightOf(athlete, clockOn(daysLater(date, 1)))
  const body = { ...bodyOfDay(athlete, date), workoutsPerWeek: 14, vo2Max: 40 }
  const between = (up: number, bed: number, more: object = {}) => {
    const nights = [
      { ...night, end: up },
      { ...next, start: bed },
    ] as readonly [Sleep, Sleep]
    return workoutsOf(athlete, { ...body, ...more }, nights, clock)
  }
  const [first, second] = between(clock.start, clock.end + 60 * MINUTE_MS)
  if (!first || !second) throw new Error('not two workouts')

  it('are in their order, at the planned times, and as fast as the body is fit', () => {
    expect([first.index, second.index, first.date, first.start < second.start]).toEqual([0, 1, date, true])
    for (const { pace, intensity } of [first, second]) expect(pace / intensity).toBeCloseTo(1.02, 9)
    const paces = [0, 18, 50, 88, 100].map((vo2Max) => {
      const [own] = between(clock.start, clock.end, { vo2Max })
      return round((own?.pace ?? 0) / (own?.intensity ?? 1), 6)
    })
    expect(paces).toEqual([0.8, 0.8, 1.12, 1.5, 1.5])
  })

  it('begin 25 minutes after getting up, and end 25 minutes before bed', () => {
    const late = first.start - 24 * MINUTE_MS
    expect(between(late, clock.end)[0]?.start).toBe(late + 25 * MINUTE_MS)
    expect(between(first.start - 25 * MINUTE_MS, clock.end)[0]?.start).toBe(first.start)
    const bed = second.end + 25 * MINUTE_MS
    expect(between(clock.start, bed)).toHaveLength(2)
    expect(between(clock.start, bed - 1)).toHaveLength(1)
    expect(
      between(clock.start, clock.end + 60 * MINUTE_MS).every(({ end }) => end <= clock.end - 25 * MINUTE_MS),
    ).toBe(true)
  })

  it('are two hours apart, or one is left out', () => {
    const length = first.end - first.start
    const latest = second.start - 120 * MINUTE_MS - length - 25 * MINUTE_MS
    expect(between(latest - 1, clock.end + 60 * MINUTE_MS)).toHaveLength(2)
    expect(between(latest, clock.end + 60 * MINUTE_MS)).toHaveLength(1)
  })
})
