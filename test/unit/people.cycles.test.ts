import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { cycleOn, cyclesBetween, hasPeriods } from '../../src/people/cycles.ts'
import { baselineOf, bodyOfDay, lateEveningsBetween } from '../../src/people/daily.ts'
import { daysLater } from '../../src/people/dates.ts'
import { round } from '../../src/people/noise.ts'
import { makePerson } from '../../src/people/person.ts'
import { plannedTraining, trainingLoadOn } from '../../src/people/training.ts'

// What varies by day and by month in people of the seed `one life`: see people.one-life.test.ts.

const someone = (nth: number) => makePerson(createRandom('one life'), `user-${nth}`, {})

const pregnancy = { name: 'pregnancy', since: '2025-01-01', until: '2025-10-08' } as const

describe('cycles', () => {
  const told = (nth: number, from: string, until: string) =>
    cyclesBetween(someone(nth), from, until).map(
      ({ begins, days, ovulation }) => `${begins} ${days} ${ovulation}`,
    )

  it('of a woman are always the same, in any window', () => {
    expect(told(2, '2026-01-01', '2026-06-30')).toEqual([
      '2026-01-05 32 2026-01-24',
      '2026-02-06 34 2026-02-28',
      '2026-03-12 37 2026-04-06',
      '2026-04-18 35 2026-05-09',
      '2026-05-23 29 2026-06-07',
      '2026-06-21 35 2026-07-10',
    ])
    expect(told(2, '2026-03-01', '2026-04-30')).toEqual(
      told(2, '2026-01-01', '2026-06-30').filter((cycle) => cycle >= '2026-03-01' && cycle < '2026-05-01'),
    )
    for (const { begins, days } of cyclesBetween(someone(2), '2026-01-01', '2026-06-30')) {
      expect(cycleOn(someone(2), begins)?.begins).toBe(begins)
      expect(cycleOn(someone(2), daysLater(begins, days - 1))?.begins).toBe(begins)
    }
  })

  it('have no place in men, girls, old women and pregnancies', () => {
    const woman = makePerson(createRandom('one life'), 'user-2', { birthDate: '1990-01-01' })
    const days = [
      '2001-12-31',
      '2002-01-01',
      '2020-01-01',
      daysLater(woman.menopause ?? '', -1),
      woman.menopause ?? '',
    ]
    expect(days.map((date) => hasPeriods(woman, date))).toEqual([false, true, true, true, false])
    expect(hasPeriods(someone(6), '2026-01-01')).toBe(false)
    expect(cycleOn(someone(6), '2026-01-01')).toBeUndefined()
  })

  it('begin with the first period, on the twelfth birthday at the earliest, and end with the menopause', () => {
    const told = (woman: ReturnType<typeof someone>, from: string, until: string) =>
      cyclesBetween(woman, from, until).map(({ begins, days, ovulation }) => `${begins} ${days} ${ovulation}`)
    const girl = makePerson(createRandom('one life'), 'user-2', { birthDate: '2013-05-05' })
    expect(told(girl, '2025-03-01', '2025-06-30')).toEqual([
      '2025-05-05 8 null',
      '2025-05-13 33 2025-06-03',
      '2025-06-15 33 2025-07-06',
    ])
    expect(someone(2).menopause).toBe('2038-12-13')
    expect(told(someone(2), '2038-09-05', '2039-03-01')).toEqual([
      '2038-10-02 39 2038-10-28',
      '2038-11-10 32 2038-11-28',
      '2038-12-12 1 null',
    ])
  })

  it('are in a window if they begin in it, on its first and last day too', () => {
    const begun = (from: string, until: string) =>
      cyclesBetween(someone(2), from, until).map(({ begins }) => begins)
    expect(begun('2038-10-02', '2038-11-10')).toEqual(['2038-10-02', '2038-11-10'])
    expect(begun('2038-10-03', '2038-11-09')).toEqual([])
  })

  it('of a pill that is not stopped have 28 days each, from its first day', () => {
    const pill = { name: 'contraceptive_pill', since: '2026-01-10', until: null } as const
    const course = { traits: {}, conditions: [], episodes: [], treatments: [pill] }
    const woman = makePerson(createRandom('one life'), 'user-2', { course })
    expect(cyclesBetween(woman, '2026-01-10', '2026-03-10')).toEqual([
      { begins: '2026-01-10', days: 28, ovulation: null },
      { begins: '2026-02-07', days: 28, ovulation: null },
      { begins: '2026-03-07', days: 28, ovulation: null },
    ])
    expect(cycleOn(woman, '2026-02-20')?.begins).toBe('2026-02-07')
  })

  it('are made shorter on both sides by a pregnancy or a pill', () => {
    const course = {
      ...{ traits: {}, conditions: [{ ...pregnancy, degree: 1, isDiagnosed: true }], episodes: [] },
      treatments: [{ name: 'contraceptive_pill', since: '2026-06-10', until: '2026-08-20' } as const],
    }
    const woman = makePerson(createRandom('one life'), 'user-2', { course })
    const shown = cyclesBetween(woman, '2024-11-01', '2026-10-31')
    expect(shown.map(({ begins, days, ovulation }) => `${begins} ${days} ${ovulation}`)).toEqual([
      '2024-11-23 33 2024-12-11',
      '2024-12-26 6 null',
      '2025-11-19 11 null',
      '2025-11-30 36 2025-12-25',
      '2026-01-05 32 2026-01-24',
      '2026-02-06 34 2026-02-28',
      '2026-03-12 37 2026-04-06',
      '2026-04-18 35 2026-05-09',
      '2026-05-23 18 2026-06-07',
      '2026-06-10 28 null',
      '2026-07-08 28 null',
      '2026-08-05 15 null',
      '2026-08-20 9 null',
      '2026-08-29 35 2026-09-18',
      '2026-10-03 35 2026-10-26',
    ])
  })
})

describe('training', () => {
  it('is planned for each day, in the sports of a person', () => {
    const week = Array.from({ length: 7 }, (_, nth) => daysLater('2026-01-05', nth))
    const planned = (workouts: number) =>
      week.flatMap((date) =>
        plannedTraining(someone(3), date, workouts).map(
          ({ sport, minute, minutes, intensity }) =>
            `${date} ${sport.slug} ${minute} ${minutes} ${round(intensity, 3)}`,
        ),
      )
    expect(planned(7)).toEqual([
      '2026-01-05 strength_training 495 65 1.002',
      '2026-01-08 running 447 28 0.95',
      '2026-01-09 running 431 24 0.967',
      '2026-01-11 walking 687 37 0.979',
    ])
    expect(planned(0)).toEqual([])
  })

  it('tires a body by what was hard the day before, and in four weeks compared with its usual', () => {
    const load = (nth: number, date: string, workouts: number) => {
      const { yesterday, fourWeeks } = trainingLoadOn(someone(nth), date, workouts)
      return [round(yesterday, 3), round(fourWeeks, 3)]
    }
    expect([
      load(3, '2026-01-10', 5),
      load(3, '2026-01-12', 2),
      load(6, '2026-01-06', 4),
      load(3, '2026-01-10', 0),
    ]).toEqual([
      [0.4, -0.106],
      [0, 0],
      [1.5, -0.262],
      [0, 0],
    ])
  })
})

it('a body of a day is always the same, and so is what it is compared with', () => {
  const shown = (body: object) => Object.values(body).map((value) => round(value as number, 2))
  expect(shown(bodyOfDay(someone(2), '2026-01-17'))).toEqual([
    166.6, 24.52, 59.32, 52.06, 10.78, 3177.14, 2.85, 8.85, 90.21, 4.53, 140.15, 0.4, 32.91, 124.28, 76.61,
    4.28, 1.43, 3.76, 0.19, 96.6, 0, 33.19, 2.19,
  ])
  expect(shown(baselineOf(someone(2), '2026-01-17'))).toEqual([29.73, 63.08, 0.22, 7.65])
  expect(lateEveningsBetween(someone(2), '2025-10-01', '2025-12-31')).toEqual([
    '2025-10-18',
    '2025-11-08',
    '2025-11-09',
    '2025-11-27',
    '2025-12-06',
    '2025-12-27',
    '2025-12-31',
  ])
})
