import { describe, expect, it } from 'vitest'
import { clamp } from '../../src/kernel/compare.ts'
import { createRandom } from '../../src/kernel/random.ts'
import { daysBetween, isWeekend, seasonOf, yearsBetweenDates } from '../../src/people/dates.ts'
import { courseAt, noiseOf, round, wholeBetween } from '../../src/people/noise.ts'
import { valueAt } from '../../src/people/points.ts'
import { type Ancestry, ancestryOf } from '../../src/people/race.ts'
import {
  factorsGiven,
  factorsOf,
  loaded,
  loadsOf,
  type Sex,
  type Trait,
  traitBounds,
  traitDeviation,
  traitNames,
  traitValue,
  wireTrait,
} from '../../src/people/traits.ts'

const aged = (sex: Sex, age: number) => ({ sex, age })

describe('the usual value of a trait', () => {
  // biome-ignore format: a table is read by its columns.
  it.each<[Trait, woman30: number, man30: number, woman70: number, boy12: number]>([
    ['heightCm', 161.3, 175.4, 161.3, 148.2],
    ['bodyMassIndex', 28.7, 28.7, 28.7, 21.58],
    ['restingHeart', 63.8, 61.2, 63.8, 70.3],
    ['hrv', 49.8, 49.8, 25.2, 67.62],
    ['breathsPerMinute', 14.6, 14.6, 14.6, 14.6],
    ['usualSteps', 5700, 5700, 4840, 5700],
    ['workoutsPerWeek', 2.4, 2.4, 2.4, 2.4],
    ['sleepHours', 7.1, 6.9, 7.1, 6.9],
    ['sleepEfficiency', 89.8, 89.8, 86.6, 91.24],
    ['napsPerWeek', 1.1, 1.1, 1.1, 1.1],
    ['midSleepMinute', 212, 212, 184, 224.6],
    ['vo2Max', 36, 44, 22.8, 49.94],
    ['systolic', 113.5, 117.5, 123.5, 113],
    ['diastolic', 71.1, 71.1, 71.9, 64.3],
    ['fastingGlucose', 4.84, 4.84, 5.08, 4.732],
    ['glucoseSwing', 1, 1, 1, 1],
    ['lowsPerWeek', 0, 0, 0, 0],
    ['nightLowsPerWeek', 0, 0, 0, 0],
    ['vitalCapacityL', 3.94, 5.24, 2.98, 5.672],
    ['temperature', 0, 0, 0, 0],
    ['oxygen', 97.32, 97.32, 96.84, 97.536],
    ['fibrillationBurden', 0, 0, 0, 0],
    ['cycleDays', 29.3, 29.3, 25.7, 30.92],
    ['cycleDeviationDays', 2.4, 2.4, 2.4, 2.4],
  ])('%s is that of the sex and age', (trait, ...usual) => {
    const bearers = [aged('female', 30), aged('male', 30), aged('female', 70), aged('male', 12)]
    expect(bearers.map((bearer) => round(traitValue(trait, bearer, 0), 3))).toEqual(usual)
  })

  it.each<[Trait, Sex, before: number, after: number, larger: 'before' | 'after' | 'neither']>([
    ['bodyMassIndex', 'male', 29.9, 30, 'after'],
    ['bodyMassIndex', 'male', 75, 75.1, 'before'],
    ['systolic', 'male', 64.9, 65, 'before'],
    ['systolic', 'female', 65, 65, 'neither'],
    ['usualSteps', 'female', 40, 55, 'neither'],
    ['restingHeart', 'female', 19, 40, 'neither'],
  ])('%s of a %s changes between %s and %s years: larger %s', (trait, sex, before, after, larger) => {
    const step = traitValue(trait, aged(sex, after), 0) - traitValue(trait, aged(sex, before), 0)
    const found = step > 0 ? 'after' : 'before'
    expect(Math.abs(step) < 1e-9 ? 'neither' : found).toBe(larger)
  })
})

describe('a value of a trait', () => {
  const woman = aged('female', 30)

  it('is so many deviations above the mean, of the logarithm for those that are skewed', () => {
    expect(traitValue('restingHeart', woman, 1)).toBeCloseTo(63.8 + 6.7)
    expect(traitValue('restingHeart', woman, -2)).toBeCloseTo(63.8 - 13.4)
    expect(traitValue('hrv', woman, 1)).toBeCloseTo(traitValue('hrv', woman, 0) * Math.exp(0.38))
  })

  it('never leaves the bounds of the trait', () => {
    for (const trait of traitNames) {
      const { low, high } = traitBounds(trait)
      if (traitDeviation(trait, woman, low) === undefined) continue
      expect([traitValue(trait, woman, -40), traitValue(trait, woman, 40)]).toEqual([low, high])
    }
  })

  it('has a deviation that leads back to it, except where people do not differ', () => {
    for (const trait of ['restingHeart', 'hrv'] as const)
      expect(traitValue(trait, woman, traitDeviation(trait, woman, 55) ?? 0)).toBeCloseTo(55)
    expect(traitDeviation('restingHeart', woman, 63.8)).toBe(0)
    expect(traitDeviation('fibrillationBurden', woman, 5)).toBeUndefined()
  })

  it('is written with underscores in files and replies', () => {
    expect(['hrv', 'vo2Max', 'cycleDeviationDays'].map((trait) => wireTrait(trait as Trait))).toEqual([
      'hrv',
      'vo2_max',
      'cycle_deviation_days',
    ])
  })
})

describe('hidden factors', () => {
  const factors = factorsOf(createRandom('one life'), 'person/x')

  it('are drawn from the seed, each with those above it', () => {
    const shown = Object.entries(factors).map(([name, value]) => [name, round(value, 3)])
    expect(Object.fromEntries(shown)).toEqual({
      activity: 0.494,
      adiposity: 0.688,
      fitness: -1.066,
      insulinResistance: 1.087,
      inflammation: 0.788,
      liverFat: 0.508,
      lipoproteins: 0.818,
      remnants: 1.784,
      iron: -1.248,
      cobalamin: -0.512,
      bindingGlobulin: 0.183,
      thyroid: -0.852,
      kidney: -1.074,
      sunlight: -0.87,
      stress: -0.296,
      eveningness: 0.409,
    })
  })

  it('explain a part of a trait, and leave the rest to the person', () => {
    const { fitness } = factors
    expect(loaded(factors, { fitness: 0.6 }, 1)).toBeCloseTo(0.6 * fitness + 0.8)
    expect(loaded(factors, { fitness: 1 }, 1)).toBeCloseTo(fitness)
    // Two factors that go together explain more than each alone: 0.5² + 0.5² + 2 · 0.5² · 0.5.
    expect(loaded({ ...factors, activity: 0, fitness: 0 }, { activity: 0.5, fitness: 0.5 }, 1)).toBeCloseTo(
      Math.sqrt(1 - 0.5 - 0.5 * (0.5 + 0.3 * 0.35)),
    )
    expect(loadsOf('temperature')).toEqual({})
  })

  it('move with a value that is known: what goes with it, and no more', () => {
    const given = factorsGiven(factors, { fitness: 0.6 }, 0, 3)
    expect(loaded(given, { fitness: 0.6 }, 0.8 * (3 - 0.6 * factors.fitness))).toBeCloseTo(3, 9)
    const surprise = 3 - 0.6 * factors.fitness
    expect(given.fitness - factors.fitness).toBeCloseTo(0.6 * surprise)
    expect(given.stress - factors.stress).toBeCloseTo(-0.15 * 0.6 * surprise)
    expect(given.iron).toBe(factors.iron)
  })
})

describe('race and ethnicity', () => {
  it.each<[chance: number, ...string[]]>([
    [0, 'white_caucasian', 'non_hispanic'],
    [0.562, 'white_caucasian', 'non_hispanic'],
    [0.564, 'white_caucasian', 'ashkenazi_jewish'],
    [0.58, 'african_american_or_black', 'non_hispanic'],
    [0.7, 'asian', 'non_hispanic'],
    [0.76, 'indigenous_native_american_alaska_native', 'non_hispanic'],
    [0.765, 'pacific_islander_or_hawaiian', 'non_hispanic'],
    [0.77, 'other', 'non_hispanic'],
    [0.9, 'other', 'hispanic'],
    [0.999, 'asian', 'hispanic'],
  ])('at %s of the population are %s and %s', (chance, race, ethnicity) => {
    expect(ancestryOf(chance, {})).toEqual({ race, ethnicity })
  })

  it.each<[Partial<Ancestry>, chance: number, Ancestry]>([
    [{ race: 'asian' }, 0.9, { race: 'asian', ethnicity: 'non_hispanic' }],
    [{ race: 'asian' }, 0.99, { race: 'asian', ethnicity: 'hispanic' }],
    [{ ethnicity: 'hispanic' }, 0, { race: 'other', ethnicity: 'hispanic' }],
    [{ ethnicity: 'hispanic' }, 0.8, { race: 'white_caucasian', ethnicity: 'hispanic' }],
    // Nobody in the figures is both: the other draw is that of everybody.
    [{ race: 'asian', ethnicity: 'ashkenazi_jewish' }, 0.5, { race: 'asian', ethnicity: 'ashkenazi_jewish' }],
    [{ ethnicity: 'other' }, 0.58, { race: 'african_american_or_black', ethnicity: 'other' }],
  ])('known as %o, are drawn among those who share it', (known, chance, drawn) => {
    expect(ancestryOf(chance, known)).toEqual(drawn)
  })
})

describe('dates and draws', () => {
  it('know weekends, years and the season', () => {
    const days = Array.from({ length: 7 }, (_, nth) =>
      isWeekend(daysBetween('1970-01-01', '2026-01-05') + nth),
    )
    expect(days).toEqual([false, false, false, false, false, true, true])
    expect(yearsBetweenDates('2000-01-01', '2004-01-01')).toBe(4)
    expect(seasonOf('2026-01-15')).toBe(1)
    expect(seasonOf('2026-07-16')).toBeCloseTo(-1, 3)
    expect(seasonOf('2026-04-15')).toBeCloseTo(0, 1)
  })

  it('are in a range, both ends included', () => {
    expect([0, 0.333, 0.334, 0.999].map((chance) => wholeBetween(chance, 3, 5))).toEqual([3, 3, 4, 5])
    expect([clamp(1, 2, 4), clamp(3, 2, 4), clamp(5, 2, 4)]).toEqual([2, 3, 4])
    expect([round(1.2345, 2), round(1250, -2)]).toEqual([1.23, 1300])
  })

  it('follow from the seed, the key and the ordinal', () => {
    const noise = noiseOf(createRandom('one life'), 'anything')
    expect([0, 1, 2, -1].map((ordinal) => round(noise(ordinal), 6))).toEqual([
      0.496714, 0.185302, 0.642156, 0.713497,
    ])
  })

  it('become a course that passes through each of them', () => {
    const noise = (at: number) => [0.2, 0.8, 0.5][at] ?? 0
    const course = [0, 0.25, 0.5, 1, 1.5, 2].map((position) => round(courseAt(noise, position), 3))
    expect(course).toEqual([-0.6, -0.424, 0, 0.6, 0.3, 0])
  })

  it('of a curve are on straight lines between its points, and level beyond them', () => {
    const curve = [
      [0, 10],
      [10, 20],
      [20, 0],
    ] as const
    expect([-5, 0, 5, 10, 15, 20, 25].map((x) => valueAt(curve, x))).toEqual([10, 10, 15, 20, 10, 0, 0])
    expect(valueAt([], 3)).toBe(0)
  })
})
