import { describe, expect, it } from 'vitest'
import { daysLater } from '../../src/people/dates.ts'
import { round } from '../../src/people/noise.ts'
import {
  bodyOn,
  type Condition,
  type Course,
  conditionsOn,
  episodesBetween,
  fatPercentOf,
  highestHeart,
  type Known,
  strideOf,
  treatmentsOn,
  usualBodyOn,
  weightOf,
} from '../../src/people/person.ts'
import { courseOf, type Persona, whyNotPersona } from '../../src/people/persona.ts'
import { nothing, someone } from '../support/lives.ts'

/** A man of 40 with a course of his own. */
const told = (course: Partial<Course>, known: Known = {}) =>
  someone(0, { sex: 'male', birthDate: '1985-01-01', course: { ...nothing, ...course }, ...known })
const condition = (more: Partial<Condition>): Condition => ({
  name: 'liver',
  since: '2025-01-01',
  until: null,
  degree: 0.8,
  isDiagnosed: true,
  ...more,
})

describe('a person of a seed', () => {
  // biome-ignore format: a table is read by its columns.
  it('is whoever is known: sex and birthday are those told, and all else is drawn', () => {
    const drawn = someone(6)
    const known = someone(6, { sex: 'female', birthDate: '1990-02-03' })
    expect([known.sex, known.birthDate]).toEqual(['female', '1990-02-03'])
    expect(known.deviations).toEqual(drawn.deviations)
    expect([drawn.menopause, known.menopause]).toEqual([null, '2038-10-05'])
  })

  it('has what a persona says instead of what is drawn, and what laboratories found beside it', () => {
    const found = condition({ name: 'inflammation', since: '2025-06-01', until: '2025-09-01' })
    const own = condition({})
    const person = told({ conditions: [own, condition({ name: 'pregnancy' })] }, { findings: [found] })
    expect(person.conditions).toEqual([own, found])
    expect(person.treatments).toEqual([])
    const drawn = someone(6, { findings: [found] })
    expect(drawn.conditions).toEqual([...someone(6).conditions, found])
  })
})

describe('a condition', () => {
  const degreesOn = (own: Partial<Condition>, dates: readonly string[]) => {
    const person = told({ conditions: [condition(own)] })
    return dates.map((date) => conditionsOn(person, date).map(({ degree }) => round(degree, 3))[0])
  }

  it('is there from its first day to the day before its last', () => {
    const days = ['2024-12-31', '2025-01-01', '2025-03-31', '2025-04-01']
    const own = { name: 'hypertension', until: '2025-04-01' } as const
    expect(degreesOn(own, days)).toEqual([undefined, 0.8, 0.8, undefined])
  })

  it('that grows begins with half of its degree', () => {
    expect(degreesOn({}, ['2025-01-01', '2030-01-01', '2065-01-01'])).toEqual([0.4, 0.653, 0.8])
  })

  it('is lessened by a treatment for it, and by no other', () => {
    const controlOn = (name: 'levothyroxine' | 'metformin', date: string) => {
      const person = told({
        conditions: [condition({ name: 'hypothyroidism' })],
        treatments: [{ name, since: '2025-01-01', until: null }],
      })
      return round(conditionsOn(person, date)[0]?.control ?? -1, 3)
    }
    expect(controlOn('levothyroxine', '2025-01-01')).toBe(0)
    expect(controlOn('levothyroxine', '2025-02-26')).toBe(0.855)
    expect(controlOn('metformin', '2026-01-01')).toBe(0)
  })
})

it('a treatment works by and by, and fades as it came', () => {
  const person = told({ treatments: [{ name: 'statin', since: '2025-01-01', until: '2025-07-01' }] })
  const shares = [
    '2024-12-31',
    '2025-01-01',
    '2025-02-19',
    '2025-06-30',
    '2025-07-01',
    '2025-08-01',
    '2025-09-20',
  ].map((date) => treatmentsOn(person, date).map(({ share }) => round(share, 3))[0])
  // Seven weeks take it to 95 %. Below one percent nothing is left.
  expect(shares).toEqual([undefined, 0, 0.95, 1, 1, 0.15, undefined])
})

describe('episodes', () => {
  const person = someone(6)
  const shown = (from: string, until: string) =>
    episodesBetween(person, from, until).map(
      ({ name, since, until: ends, degree }) => `${name} ${since} ${ends} ${round(degree, 3)}`,
    )

  it('of a person and a year are always the same, the oldest first', () => {
    expect(shown('2025-01-01', '2025-12-31')).toEqual([
      'illness 2025-03-12 2025-03-21 0.424',
      'bad_week 2025-04-05 2025-04-12 0.923',
      'bad_week 2025-09-21 2025-09-26 0.614',
      'travel 2025-10-17 2025-10-23 0.252',
      'illness 2025-12-29 2026-01-06 0.894',
    ])
  })

  it('touch a window from their first day to the day before their last', () => {
    const [first = ''] = shown('2025-01-01', '2025-12-31')
    const [, since = '', until = ''] = first.split(' ')
    expect(shown(since, since)).toContain(first)
    expect(shown(daysLater(since, -1), daysLater(since, -1))).not.toContain(first)
    expect(shown(daysLater(until, -1), until)).toContain(first)
    expect(shown(until, until)).not.toContain(first)
  })

  it('swell and fade', () => {
    const ill = { name: 'illness', since: '2025-03-01', until: '2025-03-11', degree: 1 } as const
    const patient = told({ episodes: [ill] })
    const beats = [-1, 0, 5, 9, 10].map((passed) => {
      const date = daysLater('2025-03-01', passed)
      return round(bodyOn(patient, date).restingHeart - usualBodyOn(patient, date).restingHeart, 2)
    })
    expect(beats).toEqual([0, 3.47, 8.97, 4.28, 0])
  })
})

// biome-ignore format: a table is read by its columns.
it.each<[nth: number, pregnancies: string[], pill: string[]]>([
  [3, ['2013-02-21 2013-11-28', '2014-10-24 2015-08-11', '2021-04-20 2022-01-15'], []],
  [6, ['2002-08-15 2003-05-23', '2019-05-02 2020-02-01'], ['2000-03-11 2032-06-11']],
  [16, ['2015-03-21 2015-12-21', '2016-09-17 2017-05-26'], ['2009-01-29 2010-11-02']],
  [17, [], []],
])('pregnancies and years with the pill are drawn: those of woman %s', (nth, pregnancies, pill) => {
  const shown = (own: readonly { name: string; since: string; until: string | null }[], wanted: string) =>
    own.filter(({ name }) => name === wanted).map(({ since, until }) => `${since} ${until}`)
  const woman = someone(nth, { sex: 'female', birthDate: '1985-06-15' })
  expect(shown(woman.conditions, 'pregnancy')).toEqual(pregnancies)
  expect(shown(woman.treatments, 'contraceptive_pill')).toEqual(pill)
  const man = someone(nth, { sex: 'male', birthDate: '1985-06-15' })
  expect(shown(man.conditions, 'pregnancy')).toEqual([])
  expect(shown(man.treatments, 'contraceptive_pill')).toEqual([])
})

it.each([
  [1, ['statin 1977-03-12', 'metformin 1993-08-19']],
  [5, ['statin 2008-03-10']],
  [6, []],
])('treatments are drawn, statins by lipoproteins: those of man %s', (nth, expected) => {
  const { treatments } = someone(nth, { sex: 'male', birthDate: '1950-06-15' })
  expect(treatments.map(({ name, since }) => `${name} ${since}`)).toEqual(expected)
})

describe('a body', () => {
  it('has a weight, a stride and fat that follow from its traits', () => {
    const body = { ...usualBodyOn(someone(6), '2026-01-01'), heightCm: 180, bodyMassIndex: 25 }
    expect([weightOf(body), strideOf(body)].map((value) => round(value, 4))).toEqual([81, 0.7704])
    const man = told({})
    const woman = told({}, { sex: 'female' })
    expect([man, woman].map((person) => round(fatPercentOf(person, body, '2025-01-01'), 2))).toEqual([
      23, 33.8,
    ])
  })

  it.each<['female' | 'male', age: number, bodyMassIndex: number, fat: number]>([
    ['male', 25, 13.7, 6],
    ['male', 25, 13.8, 6.16],
    ['male', 25, 46, 44.8],
    ['male', 25, 46.3, 45],
    ['female', 25, 11.3, 14],
    ['female', 25, 11.5, 14.2],
    ['female', 25, 43, 52],
  ])(
    'of a %s of %s with a mass index of %s has %s %% of fat, within what people have',
    (sex, age, bodyMassIndex, fat) => {
      const person = { ...told({}, { sex }), birthDate: `${2025 - age}-01-01` }
      const body = { ...usualBodyOn(someone(6), '2026-01-01'), bodyMassIndex }
      expect(fatPercentOf(person, body, '2025-01-01')).toBeCloseTo(fat, 1)
    },
  )

  it('has a highest heart rate by age, from twenty to ninety', () => {
    const days = ['2000-01-01', '2005-01-01', '2005-12-31', '2006-01-01', '2075-01-01', '2099-01-01']
    expect(days.map((date) => highestHeart(told({}), date))).toEqual([200, 200, 200, 199, 130, 130])
  })

  it('has the traits that a persona says, changed by what its conditions do', () => {
    const well = usualBodyOn(told({ traits: { systolic: 120 } }), '2026-01-01')
    expect(well.systolic).toBe(120)
    const ill = told({
      traits: { systolic: 120 },
      conditions: [condition({ name: 'hypertension', degree: 0.5 })],
    })
    expect(usualBodyOn(ill, '2026-01-01').systolic).toBe(131)
    const treated = told({
      traits: { restingHeart: 60, bodyMassIndex: 40 },
      treatments: [{ name: 'glp1', since: '2000-01-01', until: null }],
    })
    expect(usualBodyOn(treated, '2026-01-01')).toMatchObject({ restingHeart: 63, bodyMassIndex: 34 })
  })
})

describe('a persona', () => {
  const persona: Persona = {
    name: 'mine',
    summary: 'Someone.',
    sex: 'female',
    age: 30,
    traits: { hrv: 50 },
    source: '',
    conditions: [{ name: 'liver', degree: 0.5, isDiagnosed: true, fromDay: -10, untilDay: null }],
    treatments: [{ name: 'statin', fromDay: 5, untilDay: 20 }],
    episodes: [{ name: 'illness', degree: 1, fromDay: 3, untilDay: null }],
  }

  it('has a course that begins on a day', () => {
    expect(courseOf(persona, '2026-01-15')).toEqual({
      traits: { hrv: 50 },
      conditions: [{ name: 'liver', degree: 0.5, isDiagnosed: true, since: '2026-01-05', until: null }],
      treatments: [{ name: 'statin', since: '2026-01-20', until: '2026-02-04' }],
      episodes: [{ name: 'illness', degree: 1, since: '2026-01-18', until: '2026-01-18' }],
    })
  })

  it('suits those of its sex who were born before its conditions', () => {
    const why = (known: Pick<Known, 'sex' | 'birthDate'>, whom = persona) =>
      whyNotPersona(whom, known, '2026-01-15')
    expect(why({})).toBeUndefined()
    expect(why({ sex: 'female', birthDate: '2026-01-05' })).toBeUndefined()
    expect(why({ sex: 'male' })).toBe("The persona mine is female, and the user's demographics say male.")
    expect(why({ sex: 'male' }, { ...persona, sex: undefined })).toBeUndefined()
    expect(why({ birthDate: '2026-01-06' })).toBe(
      "The persona mine has liver since before the user's birth on 2026-01-06.",
    )
  })
})
