import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { conditionNames } from '../../src/people/conditions.ts'
import type { ConditionState } from '../../src/people/person.ts'
import { makePerson } from '../../src/people/person.ts'
import type { AnalyteSeed } from '../../src/resources/catalogue/schema.ts'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import type { OrderRow } from '../../src/resources/orders/table.ts'
import type { Expected } from '../../src/resources/results/expected.ts'
import { chooseFirst } from '../../src/resources/results/goals.ts'
import { type LineSource, linesOf } from '../../src/resources/results/lines.ts'
import { criticalOf, type Patient, rangeFor } from '../../src/resources/results/ranges.ts'
import { patientOf } from '../../src/resources/results/report-header.ts'
import { familyValues, type Goal, signsOf, withConditions } from '../../src/resources/results/values.ts'

const patient: Patient = { sex: 'female', age: 45 }
const analytes = createCatalogue().analytes()
const analyteOf = (slug: string) => analytes.get(slug) as AnalyteSeed
const personOf = (id: string) =>
  makePerson(createRandom('seed'), id, { sex: 'female', birthDate: '1980-06-01' })

function expectedOf(slug: string): Expected {
  const names = { name: slug, slug, provider_id: '1' }
  const marker = { id: 1, ...names, lab: { name: 'A laboratory' } }
  return { result: { ...names, analyte: analyteOf(slug) }, markers: [marker] } as unknown as Expected
}

describe('a condition', () => {
  const sample = {
    person: personOf('somebody'),
    key: 'one',
    date: '2026-01-05',
    patient,
    analytes,
    isNatural: false,
    effects: new Map<string, number>(),
  }
  const effectsOf = (...states: Partial<ConditionState>[]) =>
    withConditions(
      sample,
      states.map((state) => ({ degree: 0.6, control: 0, ...state }) as ConditionState),
    ).effects
  const finding = (side: Goal['side'], mild: number): Partial<ConditionState> => ({
    name: 'other_finding',
    sign: { slug: 'potassium', side, mild, severe: mild },
  })

  it('beside another one that changes the same result the same way counts where it is the greater one', () => {
    const [mild, great] = [finding('above', 1.05), finding('above', 1.15)]
    const [alone, less] = [effectsOf(great).get('potassium'), effectsOf(mild).get('potassium')]
    expect(alone).toBeGreaterThan(Number(less))
    expect(effectsOf(mild, great).get('potassium')).toBe(alone)
    expect(effectsOf(great, mild).get('potassium')).toBe(alone)
    const [low, lower] = [finding('below', 0.95), finding('below', 0.8)]
    expect(effectsOf(low, lower).get('potassium')).toBe(effectsOf(lower).get('potassium'))
  })

  it('beside another one that changes it the other way is met half way', () => {
    const [up, down] = [finding('above', 1.15), finding('below', 0.8)]
    const both = effectsOf(up, down).get('potassium')
    expect(both).toBe(Number(effectsOf(up).get('potassium')) * Number(effectsOf(down).get('potassium')))
  })

  it('leads no calculated value beyond what occurs', () => {
    const { possible } = analyteOf('mchc')
    const sign = { slug: 'mchc', side: 'above', mild: 1.05, severe: 1.6 } as const
    for (let nth = 0; nth < 60; nth++) {
      const changed = withConditions({ ...sample, person: personOf(`person ${nth}`) }, [
        { name: 'other_finding', degree: 1, control: 0, sign },
      ])
      const value = Number(familyValues(changed, 'mchc').get('mchc'))
      expect(value).toBeGreaterThan(rangeFor(analyteOf('mchc'), patient)?.high ?? 0)
      expect(value).toBeLessThanOrEqual(possible?.high ?? 0)
    }
  })

  it('of which more is controlled changes less', () => {
    const name = 'type_2_diabetes'
    const of = (control: number) => Number(effectsOf({ name, control }).get('hemoglobin-a1c'))
    expect(of(0)).toBeGreaterThan(of(0.5))
    expect(of(0.5)).toBeGreaterThan(of(1))
    expect(of(1)).toBe(1)
  })
})

describe('the patient of a report', () => {
  const of = (gender: string, dob: string) =>
    patientOf({ patient_details: { gender, dob } } as unknown as OrderRow, {
      reportedAt: '2026-01-05T09:00:00+00:00',
    })

  it('has the sex and the age that the order says, on the day of the report', () => {
    expect(of('Male', '1980-01-05')).toEqual({ sex: 'male', age: 46 })
    expect(of('female', '1980-01-06')).toEqual({ sex: 'female', age: 45 })
    expect(of('other', '2026-02-01')).toEqual({ sex: 'unknown', age: 0 })
  })
})

describe('a result that is to be out of range', () => {
  const goalOf = (id: string, slug: string, level: Goal['level'] = 'abnormal') =>
    chooseFirst([[], [expectedOf(slug)]], level, { person: personOf(id), date: '2026-01-05', patient })
  const people = Array.from({ length: 40 }, (_, nth) => `person ${nth}`)

  it('is above or below where both occur, and has a cause that shows itself so', () => {
    const goals = people.flatMap((id) => goalOf(id, 'tsh') ?? [])
    expect(goals).toHaveLength(people.length)
    expect(new Set(goals.map(({ side }) => side))).toEqual(new Set(['above', 'below']))
    for (const { cause, side } of goals)
      expect(signsOf(cause as ConditionState)).toContainEqual(expect.objectContaining({ slug: 'tsh', side }))
  })

  it('is above or below without such a condition, too', () => {
    const shown = new Set(conditionNames.flatMap((name) => signsOf({ name }).map(({ slug }) => slug)))
    const slug = [...analytes.values()].find((analyte) => {
      const { low, high } = rangeFor(analyte, patient) ?? {}
      return analyte.kind === 'numeric' && !shown.has(analyte.slug) && (low ?? 0) > 0 && (high ?? 0) > 0
    })?.slug
    const goals = people.flatMap((id) => goalOf(id, slug ?? '') ?? [])
    expect(new Set(goals.map(({ side }) => side))).toEqual(new Set(['above', 'below']))
    for (const { cause, side } of goals) expect(cause?.sign).toMatchObject({ slug, side })
  })

  it('is on the only side that a range has', () => {
    expect(rangeFor(analyteOf('triglycerides'), patient)?.low ?? 0).toBe(0)
    for (const id of people) expect(goalOf(id, 'triglycerides')?.side).toBe('above')
    expect(goalOf('person 1', 'abo-grouping')).toBeUndefined()
  })

  it('is on a side where laboratories phone, if it is to be critical', () => {
    const sides = new Set(people.map((id) => goalOf(id, 'hemoglobin', 'critical')?.side))
    const { low, high } = criticalOf(analyteOf('hemoglobin'))
    expect(sides.has('below')).toBe(low !== null)
    expect(sides.has('above')).toBe(high !== null && sides.has('above'))
    for (const id of people)
      expect(goalOf(id, 'hemoglobin', 'critical')?.cause?.degree).toBeGreaterThanOrEqual(0.7)
  })
})

describe('a line', () => {
  const lineOf = (slug: string, value: number, type: LineSource['type']) =>
    linesOf(expectedOf(slug), {
      random: createRandom('seed'),
      drawKey: 'somebody',
      key: 'one',
      patient,
      goal: undefined,
      isUnknown: false,
      at: '2026-01-05T09:00:00+00:00',
      sampleId: null,
      isMeasured: false,
      of: () => undefined,
      type,
      value,
      note: undefined,
      origins: [],
    })[0]

  const potassium = analyteOf('potassium')
  const limits = criticalOf(potassium) as { low: number; high: number }
  const range = rangeFor(potassium, patient) as { low: number; high: number }
  const digits = (value: number) => value.toFixed(potassium.decimals ?? 0)

  it.each([
    ['beyond the lower limit', limits.low / 2, `<${digits(limits.low)}`, 'critical', 'LL'],
    ['below the range', (limits.low + range.low) / 2, `<${digits(range.low)}`, 'abnormal', 'L'],
    ['above the range', (limits.high + range.high) / 2, `>${digits(range.high)}`, 'abnormal', 'H'],
    ['beyond the upper limit', limits.high * 2, `>${digits(limits.high)}`, 'critical', 'HH'],
  ])('as an interval names the bound that the value is %s of', (_, value, result, interpretation, flag) => {
    expect(lineOf('potassium', value, 'range')).toMatchObject({
      result,
      interpretation,
      source_interpretation: flag,
      type: 'range',
    })
  })

  it.each([
    ['Critically low', limits.low / 2],
    ['Below reference range', (limits.low + range.low) / 2],
    ['Within reference range', (range.low + range.high) / 2],
    ['Above reference range', (limits.high + range.high) / 2],
    ['Critically high', limits.high * 2],
  ])('in words says %s', (words, value) => {
    expect(lineOf('potassium', value, 'comment')).toMatchObject({ result: words, notes: words, value: -1 })
  })
})
