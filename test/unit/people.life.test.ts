import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { cycleOn, cyclesBetween } from '../../src/people/cycles.ts'
import { bodyOfDay } from '../../src/people/daily.ts'
import { daysBetween, daysLater } from '../../src/people/dates.ts'
import { lifeOn } from '../../src/people/life.ts'
import { bodyOn, type Course, type Known, makePerson } from '../../src/people/person.ts'
import { traitValue } from '../../src/people/traits.ts'

const random = createRandom('life')
const BEGINS = '2025-02-01'
const BIRTH = daysLater(BEGINS, 280)

const noCourse: Course = { traits: {}, conditions: [], treatments: [], episodes: [] }
const woman = (nth: number, course: Partial<Course>, known: Known = {}) =>
  makePerson(random, `woman-${nth}`, {
    sex: 'female',
    birthDate: '1994-05-05',
    course: { ...noCourse, ...course },
    ...known,
  })
const pregnancy = { name: 'pregnancy', since: BEGINS, until: BIRTH, degree: 1, isDiagnosed: true } as const
const pregnant = (nth: number) => woman(nth, { conditions: [pregnancy] })
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const women = Array.from({ length: 40 }, (_, nth) => pregnant(nth))

describe('pregnancies by chance', () => {
  const population = Array.from({ length: 900 }, (_, nth) =>
    makePerson(random, `anybody-${nth}`, { sex: 'female', birthDate: `${1981 + (nth % 30)}-06-15` }),
  )

  it('are as frequent as births of women of 15 to 44: 56.3 a year for 1,000', () => {
    const dates = ['2024-07-01', '2026-07-01'].flatMap((date) =>
      population.map((each) => lifeOn(each, date).pregnantWeeks),
    )
    const share = dates.filter((weeks) => weeks !== undefined).length / dates.length
    expect(share).toBeGreaterThan(0.03)
    expect(share).toBeLessThan(0.055)
  })

  it('end with a birth after 33 to 42 weeks, never meet, and are those of women', () => {
    let early = 0
    let all = 0
    for (const { conditions } of population) {
      const own = conditions.filter(({ name }) => name === 'pregnancy')
      for (const [nth, { since, until }] of own.entries()) {
        const weeks = daysBetween(since, until ?? since) / 7
        expect(weeks).toBeGreaterThanOrEqual(33)
        expect(weeks).toBeLessThanOrEqual(42)
        all++
        if (weeks < 37) early++
        const next = own[nth + 1]
        if (next) expect(daysBetween(until ?? since, next.since)).toBeGreaterThan(60)
      }
    }
    expect(early / all).toBeGreaterThan(0.05)
    expect(early / all).toBeLessThan(0.16)
    const men = Array.from({ length: 50 }, (_, nth) => makePerson(random, `man-${nth}`, { sex: 'male' }))
    expect(men.flatMap(({ conditions }) => conditions).filter(({ name }) => name === 'pregnancy')).toEqual([])
  })
})

describe('a pregnancy', () => {
  it('is counted in weeks, and ends with the birth', () => {
    const person = pregnant(1)
    expect(lifeOn(person, daysLater(BEGINS, -1)).pregnantWeeks).toBeUndefined()
    expect(lifeOn(person, BEGINS).pregnantWeeks).toBe(0)
    expect(lifeOn(person, daysLater(BEGINS, 70)).pregnantWeeks).toBe(10)
    expect(lifeOn(person, BIRTH)).toMatchObject({
      pregnantWeeks: undefined,
      weeksAfterBirth: 0,
    })
    expect(lifeOn(person, daysLater(BIRTH, 70)).weeksAfterBirth).toBe(10)
    expect(lifeOn(person, daysLater(BIRTH, 400)).weeksAfterBirth).toBeUndefined()
  })

  it('ends after forty weeks if nothing else is told', () => {
    const person = woman(1, { conditions: [{ ...pregnancy, until: null }] })
    expect(lifeOn(person, daysLater(BEGINS, 279)).pregnantWeeks).toBeGreaterThan(39)
    expect(lifeOn(person, daysLater(BEGINS, 281)).weeksAfterBirth).toBeCloseTo(1 / 7)
  })
})

describe('the pill', () => {
  const pill = { name: 'contraceptive_pill', since: BEGINS, until: '2025-12-01' } as const
  it('gives periods every 28 days without ovulation or a warmer second half, and those of before return after it', () => {
    for (let nth = 0; nth < 10; nth++) {
      const person = woman(nth, { treatments: [pill] })
      const during = cyclesBetween(person, BEGINS, '2025-11-20')
      expect(new Set(during.slice(0, -1).map(({ days }) => days))).toEqual(new Set([28]))
      expect(during.every(({ ovulation }) => ovulation === null)).toBe(true)
      const all = cyclesBetween(person, '2024-06-01', '2026-06-01')
      for (const [at, { begins, days }] of all.entries()) {
        const next = all[at + 1]
        if (next) expect(next.begins).toBe(daysLater(begins, days))
      }
      expect(
        all.filter(({ begins }) => begins > '2025-12-01').some(({ ovulation }) => ovulation !== null),
      ).toBe(true)
    }
  })

  it('is taken by as many women as published, until they are fifty', { tags: 'slow' }, () => {
    const share = (age: number) =>
      meanOf(
        Array.from({ length: 300 }, (_, nth) => {
          const person = makePerson(random, `taker-${nth}`, {
            sex: 'female',
            birthDate: `${2025 - age}-01-01`,
          })
          return Number(lifeOn(person, '2025-01-01').isOnPill)
        }),
      )
    expect(share(25)).toBeGreaterThan(0.16)
    expect(share(25)).toBeLessThan(0.27)
    expect(share(45)).toBeGreaterThan(0.03)
    expect(share(45)).toBeLessThan(0.12)
    expect(share(55)).toBe(0)
  })
})

it('luteal phases last twelve days and differ from cycle to cycle', () => {
  const days = women.flatMap((person) =>
    cyclesBetween(person, '2023-01-01', '2024-06-01').flatMap(({ begins, days, ovulation }) =>
      ovulation ? [daysBetween(ovulation, daysLater(begins, days))] : [],
    ),
  )
  expect(days.length).toBeGreaterThan(500)
  expect(meanOf(days)).toBeGreaterThan(11.9)
  expect(meanOf(days)).toBeLessThan(12.9)
  const sd = Math.sqrt(meanOf(days.map((one) => (one - meanOf(days)) ** 2)))
  expect(sd).toBeGreaterThan(1.8)
  expect(sd).toBeLessThan(2.8)
})

it('a life is the same in every window and at every second look', () => {
  const dates = Array.from({ length: 60 }, (_, nth) => daysLater(BEGINS, nth * 11))
  const lives = dates.map((date) => [lifeOn(pregnant(3), date), cycleOn(pregnant(3), date)])
  const backwards = dates.toReversed().map((date) => [lifeOn(pregnant(3), date), cycleOn(pregnant(3), date)])
  expect(backwards.toReversed()).toEqual(lives)
})

describe('growing up', () => {
  it('takes height, puberty and periods along with age', () => {
    const girl = makePerson(random, 'girl', { sex: 'female', birthDate: '2013-03-03' })
    const at = (date: string) => ({ ...lifeOn(girl, date), height: bodyOn(girl, date).heightCm })
    const [child, teen, adult] = [at('2021-03-03'), at('2026-03-03'), at('2035-03-03')]
    expect(child.maturity).toBe(0)
    expect(teen.maturity).toBeGreaterThan(0.2)
    expect(teen.maturity).toBeLessThan(0.9)
    expect(adult.maturity).toBe(1)
    expect(child.height).toBeLessThan(0.85 * adult.height)
    expect(teen.height).toBeLessThan(0.99 * adult.height)
    expect(cycleOn(girl, '2021-03-03')).toBeUndefined()
    expect(cycleOn(girl, '2030-03-03')).toBeDefined()
  })

  it('does not change adults', () => {
    const usual = traitValue('heightCm', { sex: 'male', age: 40 }, 0)
    expect(traitValue('heightCm', { sex: 'male', age: 20 }, 0)).toBe(usual)
    expect(traitValue('heightCm', { sex: 'male', age: 13 }, 0)).toBeLessThan(0.92 * usual)
    expect(bodyOfDay(pregnant(1), '2024-01-01').restingHeart).toBeGreaterThan(35)
  })
})
