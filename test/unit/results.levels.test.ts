import { describe, expect, it } from 'vitest'
import { createRandom, type Random } from '../../src/kernel/random.ts'
import { cycleOn } from '../../src/people/cycles.ts'
import { daysLater } from '../../src/people/dates.ts'
import { type Course, makePerson, type Person } from '../../src/people/person.ts'
import type { AnalyteSeed } from '../../src/resources/catalogue/schema.ts'
import { type DrawnSample, drawOf, usualLevel } from '../../src/resources/results/levels.ts'
import { nothing } from '../support/lives.ts'
import { analytes } from '../support/results.ts'

/** The share of people below one standard deviation over the mean. */
const ONE_SD = 0.841345
/** A day on which one of the slow draws of a person weighs everything: 225 times 91 days after 1970. */
const TURN = daysLater('1970-01-01', 225 * 91)

/** A source whose draws are the median, but for those whose key has one of these texts. */
const medianBut = (draws: Readonly<Record<string, number>>): Random => ({
  ...createRandom('seed'),
  noise: (key) => Object.entries(draws).find(([text]) => key.endsWith(text))?.[1] ?? 0.5,
})

interface Wish {
  readonly sex?: Person['sex']
  readonly age?: number
  readonly date?: string
  readonly isNatural?: boolean
  readonly draws?: Readonly<Record<string, number>>
  readonly course?: Partial<Course>
  readonly deviations?: Partial<Person['deviations']>
  readonly effects?: ReadonlyMap<string, number>
  /** The sex that the order says. */
  readonly said?: 'unknown'
  /** An analyte in place of those of the catalogue. */
  readonly analyte?: Pick<AnalyteSeed, 'range' | 'typical' | 'decimals'>
}

/** A sample of a person who is the median of all in everything that is not said. */
function sampleOf(wish: Wish = {}): DrawnSample {
  const { sex = 'female', age = 40, date = '2026-04-15', isNatural = true, draws = {} } = wish
  const { course, deviations, effects = new Map(), said, analyte } = wish
  const birthDate = `${Number(date.slice(0, 4)) - age}${date.slice(4)}`
  const person = makePerson(medianBut(draws), 'median', { sex, birthDate, course: { ...nothing, ...course } })
  return {
    person: { ...person, deviations: { ...person.deviations, ...deviations } },
    key: 'sample',
    patient: { sex: said ?? sex, age },
    analytes: analyte ? new Map([['made-up', { slug: 'made-up', ...analyte } as AnalyteSeed]]) : analytes,
    date,
    isNatural,
    effects,
  }
}

const usual = (slug: string, wish?: Wish) => usualLevel(sampleOf(wish), slug)
const drawn = (slug: string, wish?: Wish, pull = 0) => drawOf(sampleOf(wish), slug)(pull)

/** A woman so many weeks after the last period before a pregnancy. */
const pregnancy = (weeks: number) => ({
  age: 30,
  date: '2026-04-15',
  course: {
    conditions: [
      {
        name: 'pregnancy',
        since: daysLater('2026-04-15', -7 * weeks),
        until: daysLater('2026-04-15', -7 * weeks + 280),
        degree: 1,
        isDiagnosed: true,
      },
    ],
  } as const,
})

describe('the level of the median person', () => {
  it.each([
    ['hemoglobin', 'female', 40, 13.5],
    ['hemoglobin', 'male', 40, 15],
    ['~ldl', 'male', 55, 130],
    ['~ldl', 'male', 37, 112.3],
    ['~ldl', 'male', 91, 102.5],
    ['albumin', 'male', 85, 4.19],
    ['homocysteine', 'male', 65, 10],
    ['hemoglobin-a1c', 'male', 65, 5.5],
    ['~bun', 'male', 65, 14.7],
    ['cystatin-c', 'male', 40, 0.84],
    ['cystatin-c', 'male', 80, 0.947],
    ['tsh', 'male', 80, 1.804],
    ['testosterone-total', 'male', 40, 410],
    ['testosterone-total', 'male', 70, 363.6],
    ['testosterone-total', 'female', 40, 21],
    ['testosterone-total', 'female', 60, 17.19],
    ['shbg', 'male', 40, 31],
    ['shbg', 'male', 80, 52.14],
    ['shbg', 'female', 60, 60],
    ['dhea-sulfate', 'male', 40, 250],
    ['dhea-sulfate', 'female', 60, 102.1],
    ['igf-1', 'male', 60, 129.8],
    ['psa-total', 'male', 60, 1.099],
    ['methylmalonic-acid', 'male', 80, 176],
    ['ferritin', 'male', 60, 140],
    ['ferritin', 'female', 50, 38],
    ['ferritin', 'female', 51, 95],
    ['sed-rate', 'male', 42, 9],
    ['sed-rate', 'female', 42, 11.7],
    ['estradiol', 'male', 40, 25],
    ['progesterone', 'male', 40, 0.2],
    ['fsh', 'male', 40, 5],
    ['lh', 'male', 40, 4.5],
    ['hcg-beta-quantitative', 'male', 40, 0.5],
    ['hcg-beta-quantitative', 'female', 40, 0.5],
    ['estradiol', 'female', 60, 6],
    ['progesterone', 'female', 60, 0.2],
    ['fsh', 'female', 60, 65],
    ['lh', 'female', 60, 30],
  ] as const)('%s (%s, %d years) is %d', (slug, sex, age, level) => {
    expect(usual(slug, { sex, age }) / level).toBeCloseTo(1, 2)
    expect(drawn(slug, { sex, age }) / usual(slug, { sex, age })).toBeCloseTo(1, 1)
  })

  it.each([
    ['ldh', 'female', 40, 172.5],
    ['phosphorus', 'female', 40, 3.65],
    ['folate', 'female', 40, 7.835],
    ['basophils', 'female', 40, 0.3464],
    ['urine-creatinine', 'female', 40, 87.75],
    ['prolactin', 'male', 40, 9.6],
    ['prolactin', 'female', 40, 12.66],
    ['prolactin', 'female', 60, 9.525],
  ] as const)(
    '%s (%s, %d years) is in the middle of its range, of a wide one geometrically: %d',
    (slug, sex, age, level) => {
      expect(usual(slug, { sex, age }) / level).toBeCloseTo(1, 2)
    },
  )

  it('is in the middle of the range of both sexes where the order does not say it', () => {
    expect(usual('phosphorus', { said: 'unknown' })).toBeCloseTo(3.55, 2)
  })

  it.each([
    [{ range: { low: 10, high: null, text: '>=10' } }, 15],
    [{ range: { low: 10, high: null, text: '>10' }, typical: { low: 12, high: 20 } }, 15.5],
    [{ range: { low: null, high: 20, text: '<20' }, typical: { low: 11, high: 18 } }, 15],
    [{ range: { low: null, high: 20, text: '<20.0' }, typical: { low: 11.1, high: 18 }, decimals: 1 }, 15.5],
  ])('in %o, without its open bounds, is %d', (analyte, level) => {
    expect(usual('made-up', { analyte })).toBeCloseTo(level, 1)
  })

  it('is in the middle of the range of a child that has one of its own, and else as in adults', () => {
    expect(usual('hemoglobin', { age: 10 })).toBeCloseTo(13.4, 1)
    expect(usual('hemoglobin', { age: 17 })).toBeCloseTo(13.5, 1)
    expect(usual('albumin', { age: 10 })).toBeCloseTo(4.49, 2)
    expect(usual('creatinine', { age: 17 })).toBeCloseTo(0.64, 2)
    expect(usual('creatinine', { age: 18 })).toBeCloseTo(0.74, 2)
    expect(usual('triglycerides', { age: 18 })).toBeCloseTo(88, 1)
  })

  it('where results are to be in range is in the middle of a range that people usually are not in', () => {
    const healthy = { isNatural: false } as const
    expect(usual('vitamin-d-25-hydroxy', { isNatural: true })).toBeCloseTo(26, 1)
    expect(usual('vitamin-d-25-hydroxy', healthy)).toBeGreaterThan(30)
    expect(usual('hemoglobin', healthy)).toBeCloseTo(13.5, 1)
    // In a pregnancy they are far from the ranges of others.
    const pregnant = { ...pregnancy(20), ...healthy }
    expect(usual('estradiol', pregnant)).toBeCloseTo(Math.sqrt(12.5 * 498), 0)
    expect(usual('fsh', pregnant)).toBeCloseTo(Math.sqrt(1.7 * 21.5), 1)
  })
})

describe('the hormones of a woman', () => {
  const { person } = sampleOf({ age: 30 })
  const ovulation = cycleOn(person, '2026-04-15')?.ovulation ?? ''
  const at = (days: number) => ({ age: 30, date: daysLater(ovulation, days) })

  it.each([
    [-2, 60, 0.5, 6.5, 7],
    [-1, 220, 1.2, 12, 35],
    [0, 220, 1.2, 12, 35],
    [1, 120, 9, 4, 6],
  ])(
    '%d days from the ovulation are those of the phase of her cycle',
    (days, estradiol, progesterone, fsh, lh) => {
      const levels = ['estradiol', 'progesterone', 'fsh', 'lh'].map((slug) => usual(slug, at(days)))
      expect(levels).toEqual([estradiol, progesterone, fsh, lh].map((level) => expect.closeTo(level, 0)))
    },
  )

  it('are those of a pill that she takes', () => {
    const course = { treatments: [{ name: 'contraceptive_pill', since: '2024-01-01', until: null }] } as const
    for (const [slug, level] of [
      ['estradiol', 15],
      ['progesterone', 0.3],
      ['fsh', 2],
      ['lh', 2],
    ] as const)
      expect(usual(slug, { ...at(0), course }), slug).toBeCloseTo(level, 1)
  })

  it('in a pregnancy are those of the placenta, and low after the birth', () => {
    const hormones = (week: number) =>
      ['estradiol', 'progesterone', 'hcg-beta-quantitative'].map((slug) =>
        Math.round(usual(slug, pregnancy(week))),
      )
    expect(hormones(4)).toEqual([164, 3, 160])
    expect(hormones(10)).toEqual([659, 24, 43_081])
    expect(hormones(22)).toEqual([6761, 62, 15_136].map((level) => expect.closeTo(level, -2)))
    expect(hormones(46)).toEqual([15, 0, 1])
  })

  it('are those of a cycle again some weeks after a birth', () => {
    const { course, date } = pregnancy(40 + 13)
    const found = usual('fsh', { age: 30, course, date })
    expect([6.5, 12, 4].some((level) => Math.abs(level - found) < 0.1)).toBe(true)
  })
})

describe('what differs from the median', () => {
  it('is a person, by the standard deviation between people', () => {
    const other = {
      draws: { 'level/platelets': ONE_SD, 'level/hemoglobin': ONE_SD, 'level/wbc': 1 - ONE_SD },
    }
    // What the factors of a person explain is left out: 2 * 0.25² and 0.2².
    expect(usual('hemoglobin', other)).toBeCloseTo(13.5 + Math.sqrt(1 - 0.2 ** 2), 2)
    expect(usual('eosinophils', { draws: { 'level/eosinophils': ONE_SD } })).toBeCloseTo(3.5, 2)
    expect(usual('platelets', other) / 246).toBeGreaterThan(1.2)
    expect(usual('wbc', other) / 6.5).toBeLessThan(0.82)
  })

  it.each([
    ['alt', 'liverFat', 1.217],
    ['triglycerides', 'remnants', 1.342],
    ['hdl-cholesterol', 'remnants', 0.893],
    ['creatinine', 'kidney', 0.903],
    ['insulin', 'insulinResistance', 1.314],
    ['platelets', 'liverFat', 1],
  ])('is a hidden factor, by its weight: %s in those with one deviation of %s: %d', (slug, factor, times) => {
    const found = usual(slug, { draws: { [`factor/${factor}`]: ONE_SD } }) / usual(slug)
    expect(found).toBeCloseTo(times, 3)
  })

  it('is a child, by a quarter of the range of children', () => {
    const tall = usual('hemoglobin', { age: 10, draws: { 'level/hemoglobin': ONE_SD } })
    expect(tall).toBeCloseTo(13.4 + ((15.7 - 11.1) / 4) * Math.sqrt(1 - 0.2 ** 2), 2)
  })

  it('is a person by a trait that devices show, too', () => {
    expect(usual('hemoglobin-a1c', { age: 45, deviations: { fastingGlucose: 1 } })).toBeCloseTo(5.68, 2)
    expect(drawn('hemoglobin-a1c', { age: 45, deviations: { fastingGlucose: -1 } })).toBeCloseTo(5.08, 2)
  })

  it('ends three and a half standard deviations from the mean', () => {
    const share = (noise: number) => usual('zinc', { draws: { 'level/zinc': noise } })
    const low = share(1e-12)
    const middle = share(0.5)
    const high = share(1 - 1e-12)
    expect(high - middle).toBeCloseTo(middle - low, 0)
    const sd = usual('zinc', { draws: { 'level/zinc': ONE_SD } }) - middle
    expect((high - middle) / sd).toBeCloseTo(3.5, 1)
    expect(drawn('zinc', { draws: { 'level/zinc': 1 - 1e-12 } })).toBeCloseTo(high, 0)
  })

  it('ends so in shares where the distribution is log-normal', () => {
    const [low, high] = [1e-12, 1 - 1e-12].map((noise) =>
      usual('crp-high-sensitivity', { draws: { 'level/crp-high-sensitivity': noise } }),
    )
    expect([Math.log((high as number) / 1.3), Math.log(1.3 / (low as number))]).toEqual([
      expect.closeTo(3.5 * 0.95, 2),
      expect.closeTo(3.5 * 0.95, 2),
    ])
  })

  it('is never less than a tenth of the mean', () => {
    const least = (slug: string) => usual(slug, { draws: { [`level/${slug}`]: 1e-12 } })
    expect(least('iron')).toBeCloseTo(8.5, 1)
    expect(drawn('iron', { draws: { 'sample/iron': 1e-12, 'level/iron': 1e-12 } })).toBeCloseTo(0.85, 2)
  })

  it('is a sample, by half of the variance within a person', () => {
    const sample = { draws: { 'sample/hemoglobin': ONE_SD, 'sample/platelets': ONE_SD } }
    expect(drawn('hemoglobin', sample) / 13.5).toBeCloseTo(1 + 0.03 * Math.SQRT1_2, 3)
    expect(drawn('platelets', sample) / 246).toBeCloseTo(Math.exp(0.08 * Math.SQRT1_2), 3)
    expect(usual('hemoglobin', sample)).toBeCloseTo(13.5, 2)
    expect(drawn('hemoglobin', { ...sample, isNatural: false }) / 13.5).toBeCloseTo(
      1 + 0.03 * Math.SQRT1_2,
      2,
    )
  })

  it('is a day, by the other half, which changes within 91 days', () => {
    const draws = { 'drift/hemoglobin/225': ONE_SD }
    const onDay = (days: number) => drawn('hemoglobin', { draws, date: daysLater(TURN, days) }) / 13.5 - 1
    const most = 0.03 * Math.SQRT1_2
    expect(onDay(0)).toBeCloseTo(most, 3)
    expect(onDay(45.5)).toBeCloseTo(most * Math.SQRT1_2, 3)
    expect(onDay(-45.5)).toBeCloseTo(most * Math.SQRT1_2, 3)
    expect([-91, 91].map(onDay)).toEqual([expect.closeTo(0, 3), expect.closeTo(0, 3)])
  })

  it('is the season: vitamin D is low in winter, and LDL cholesterol is high', () => {
    const winter = '2026-01-15'
    const summer = '2026-07-16'
    const of = (slug: string, date: string) => drawn(slug, { date }) / usual(slug, { date })
    expect(of('vitamin-d-25-hydroxy', winter)).toBeCloseTo(Math.exp(-0.12), 2)
    expect(of('vitamin-d-25-hydroxy', summer)).toBeCloseTo(Math.exp(0.12), 2)
    expect(of('~ldl', winter)).toBeCloseTo(Math.exp(0.02), 3)
    expect(of('hemoglobin', winter)).toBeCloseTo(1, 3)
  })

  it('is what a condition or a day multiplies', () => {
    const effects = new Map([['hemoglobin', 0.8]])
    expect(drawn('hemoglobin', { effects }) / drawn('hemoglobin')).toBeCloseTo(0.8, 6)
    expect(usual('hemoglobin', { effects })).toBeCloseTo(13.5, 2)
  })
})

describe('a level that is to lie in its range', () => {
  const healthy = { isNatural: false } as const
  const extreme = { ...healthy, draws: { 'level/hemoglobin': 1 - 1e-9, 'sample/hemoglobin': 1 - 1e-9 } }

  it('does, whatever is drawn', () => {
    expect(drawn('hemoglobin', extreme)).toBeLessThanOrEqual(15.9)
    expect(drawn('hemoglobin', extreme)).toBeGreaterThan(15.5)
    expect(usual('hemoglobin', extreme)).toBeLessThanOrEqual(15.9)
    expect(drawn('~ldl', { ...healthy, draws: { 'level/~ldl': 1 - 1e-9 } })).toBeLessThanOrEqual(98.001)
    expect(drawn('~ldl', { ...healthy, draws: { 'level/~ldl': 1e-9 } })).toBeGreaterThanOrEqual(57.999)
  })

  it('is moved to the middle by its share', () => {
    const high = { ...healthy, draws: { 'level/hemoglobin': 0.9, 'sample/hemoglobin': 0.9 } }
    const [all, half, none] = [0, 0.5, 1].map((pull) => drawn('hemoglobin', high, pull)) as [
      number,
      number,
      number,
    ]
    expect(all - half).toBeGreaterThan(0.2)
    expect(half - none).toBeGreaterThan(0.2)
    expect(none).toBeCloseTo(13.5, 1)
  })
})
