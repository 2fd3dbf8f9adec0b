import { describe, expect, it } from 'vitest'
import { cycleOn, cyclesBetween, hasPeriods } from '../../src/people/cycles.ts'
import { daysLater } from '../../src/people/dates.ts'
import type { Person } from '../../src/people/person.ts'
import { nothing, someone } from '../support/lives.ts'

// What varies by month in women of the seed `one life`.

const pregnancy = { name: 'pregnancy', since: '2025-01-01', until: '2025-10-08' } as const

describe('cycles', () => {
  const told = (woman: Person, from: string, until: string) =>
    cyclesBetween(woman, from, until).map(({ begins, days, ovulation }) => `${begins} ${days} ${ovulation}`)

  it('of a woman are always the same, in any window', () => {
    const year = told(someone(2), '2026-01-01', '2026-06-30')
    expect(year).toEqual([
      '2026-01-05 32 2026-01-25',
      '2026-02-06 34 2026-03-02',
      '2026-03-12 37 2026-04-08',
      '2026-04-18 35 2026-05-10',
      '2026-05-23 29 2026-06-08',
      '2026-06-21 35 2026-07-10',
    ])
    expect(told(someone(2), '2026-03-01', '2026-04-30')).toEqual(year.slice(2, 4))
    for (const { begins, days } of cyclesBetween(someone(2), '2026-01-01', '2026-06-30')) {
      expect(cycleOn(someone(2), begins)?.begins).toBe(begins)
      expect(cycleOn(someone(2), daysLater(begins, days - 1))?.begins).toBe(begins)
    }
  })

  it('have no place in men, girls, old women and pregnancies', () => {
    const woman = someone(2, { birthDate: '1990-01-01' })
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
    const girl = someone(2, { birthDate: '2013-05-05' })
    expect(told(girl, '2025-03-01', '2025-06-30')).toEqual([
      '2025-05-05 8 null',
      '2025-05-13 33 2025-06-05',
      '2025-06-15 33 2025-07-07',
    ])
    expect(someone(2).menopause).toBe('2038-12-13')
    expect(told(someone(2), '2038-09-05', '2039-03-01')).toEqual([
      '2038-10-02 39 2038-10-29',
      '2038-11-10 32 2038-11-29',
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
    const course = { ...nothing, treatments: [pill] }
    const woman = someone(2, { course })
    expect(cyclesBetween(woman, '2026-01-10', '2026-03-10')).toEqual([
      { begins: '2026-01-10', days: 28, ovulation: null },
      { begins: '2026-02-07', days: 28, ovulation: null },
      { begins: '2026-03-07', days: 28, ovulation: null },
    ])
    expect(cycleOn(woman, '2026-02-20')?.begins).toBe('2026-02-07')
  })

  it('are made shorter on both sides by a pregnancy or a pill', () => {
    const course = {
      traits: {},
      conditions: [{ ...pregnancy, degree: 1, isDiagnosed: true }],
      episodes: [],
      treatments: [{ name: 'contraceptive_pill', since: '2026-06-10', until: '2026-08-20' } as const],
    }
    const woman = someone(2, { course })
    const shown = cyclesBetween(woman, '2024-11-01', '2026-10-31')
    const before = shown.filter(({ begins }) => begins < pregnancy.since).at(-1)
    expect(before && daysLater(before.begins, before.days)).toBe(pregnancy.since)
    expect(before?.ovulation).toBeNull()
    expect(shown.filter(({ begins }) => begins >= pregnancy.since && begins < '2025-12-01')).toEqual([])
    // A packet has 28 days, and the last one ends with the pill.
    const packets = shown.filter(({ begins }) => begins >= '2026-06-10' && begins < '2026-08-20')
    expect(packets.map(({ begins, days }) => [begins, days])).toEqual([
      ['2026-06-10', 28],
      ['2026-07-08', 28],
      ['2026-08-05', 15],
    ])
    for (const [at, { begins, days }] of shown.slice(3, -1).entries())
      expect(daysLater(begins, days)).toBe(shown[at + 4]?.begins)
  })
})
