import { beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { makePerson } from '../../src/people/person.ts'
import type { AnalyteSeed } from '../../src/resources/catalogue/schema.ts'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import { ckdEpi2021, familyOf, formulas } from '../../src/resources/results/derived.ts'
import { isCritical, type Patient, rangeFor, sideOf } from '../../src/resources/results/ranges.ts'
import { familyValues, type Goal, type Value } from '../../src/resources/results/values.ts'

let analytes: ReadonlyMap<string, AnalyteSeed>
beforeAll(() => {
  analytes = createCatalogue().analytes()
})

const patients: readonly Patient[] = [
  { sex: 'female', age: 36 },
  { sex: 'male', age: 61 },
  { sex: 'unknown', age: 45 },
  { sex: 'male', age: 92 },
]

const numeric = () => [...analytes.values()].filter(({ kind }) => kind === 'numeric')
const draw = (slug: string, patient: Patient, key = 'one', goal?: Goal): Map<string, Value> => {
  const { sex, age } = patient
  const known = { ...(sex !== 'unknown' && { sex }), birthDate: `${2025 - age}-06-01` }
  const person = makePerson(createRandom('seed'), 'somebody', known)
  const sample = { person, key, date: '2026-01-05', patient, analytes, isNatural: false, effects: new Map() }
  return new Map(familyValues(sample, slug, goal && [goal]))
}

const analyteOf = (slug: string) => analytes.get(slug) as AnalyteSeed

describe('made-up values', () => {
  it.each(patients)(
    'of a healthy patient ($sex, $age) lie inside what is usual',
    { tags: 'slow' },
    (patient) => {
      for (const { slug } of numeric()) {
        for (const [member, value] of draw(slug, patient)) {
          const analyte = analyteOf(member)
          // What is not detected is printed in words.
          if (typeof value !== 'number' || (value === 0 && analyte.normal)) continue
          expect(sideOf(value, rangeFor(analyte, patient)), `${member} ${value}`).toBeUndefined()
          expect(value, member).toBe(Number(value.toFixed(analyte.decimals ?? 0)))
        }
      }
    },
  )

  it.each(patients)('that are calculated follow from the others ($sex, $age)', (patient) => {
    for (const slug of Object.keys(formulas)) {
      const values = draw(slug, patient)
      if (typeof values.get(slug) === 'string') continue
      const value = Number(values.get(slug))
      const of = (each: string) => Number(values.get(each))
      const analyte = analytes.get(slug)
      const [least, most] = [0, 1 - Number.EPSILON].map((noise) =>
        Number(formulas[slug]?.compute({ of, patient, noise, analyte }) ?? 0),
      ) as [number, number]
      const step = 10 ** -(analyteOf(slug).decimals ?? 0)
      expect(value, slug).toBeGreaterThanOrEqual(least - step / 2 - 1e-9)
      expect(value, slug).toBeLessThanOrEqual(most + step / 2 + 1e-9)
    }
  })

  it('are the same for the same key, and others for another', () => {
    const patient = { sex: 'female', age: 36 } as const
    expect(draw('ldl-cholesterol-calc', patient)).toEqual(draw('ldl-cholesterol-calc', patient))
    expect(draw('ldl-cholesterol-calc', patient)).not.toEqual(draw('ldl-cholesterol-calc', patient, 'two'))
  })

  it('do not depend on which of the dependent analytes was requested', () => {
    const patient = { sex: 'male', age: 40 } as const
    for (const member of familyOf('creatinine'))
      expect(draw(member, patient)).toEqual(draw('creatinine', patient))
  })

  it('are out of range on the requested side, and critical only if requested', { tags: 'slow' }, () => {
    for (const patient of patients) {
      for (const analyte of numeric()) {
        const range = rangeFor(analyte, patient)
        for (const side of ['above', 'below'] as const) {
          const bound = side === 'above' ? range?.high : range?.low
          if (bound == null || bound === 0) continue
          if (side === 'below' && bound === analyte.possible?.low) continue
          const abnormal = draw(analyte.slug, patient, 'x', { slug: analyte.slug, level: 'abnormal', side })
          const value = Number(abnormal.get(analyte.slug))
          expect(sideOf(value, range), `${analyte.slug} ${value} ${patient.sex}`).toBe(side)
          expect(isCritical(value, analyte), `${analyte.slug} ${value}`).toBe(false)
          if ((side === 'above' ? analyte.critical?.high : analyte.critical?.low) == null) continue
          const critical = draw(analyte.slug, patient, 'x', { slug: analyte.slug, level: 'critical', side })
          expect(isCritical(Number(critical.get(analyte.slug)), analyte), analyte.slug).toBe(true)
        }
      }
    }
  })

  it('are not calculated where the formula does not hold', () => {
    const goal = { slug: 'triglycerides', level: 'critical', side: 'above' } as const
    const lipids = draw('triglycerides', { sex: 'female', age: 50 }, 'x', goal)
    expect(lipids.get('ldl-cholesterol-calc')).toMatch(/^Not calculated: triglycerides/)
    expect(draw('egfr', { sex: 'female', age: 12 }).get('egfr')).toMatch(/^Not calculated/)
  })
})

it('kidney filtration is that of the published equation', () => {
  expect(Math.round(ckdEpi2021(1, { sex: 'male', age: 50 }))).toBe(92)
  expect(Math.round(ckdEpi2021(1, { sex: 'female', age: 50 }))).toBe(69)
  expect(Math.round(ckdEpi2021(0.6, { sex: 'female', age: 25 }))).toBe(128)
})

describe('what is usual', () => {
  it('depends on sex, and on age where it does', () => {
    const hemoglobin = analyteOf('hemoglobin')
    expect(rangeFor(hemoglobin, { sex: 'male', age: 40 })?.text).toBe('13.0-17.7')
    expect(rangeFor(hemoglobin, { sex: 'female', age: 40 })?.text).toBe('11.1-15.9')
    expect(rangeFor(hemoglobin, { sex: 'unknown', age: 40 })?.text).toBe('11.1-17.7')
    const igf = analyteOf('igf-1')
    expect(rangeFor(igf, { sex: 'male', age: 60 })?.text).toBe('60-220')
    expect(rangeFor(analyteOf('psa-total'), { sex: 'female', age: 40 })).toBeUndefined()
  })

  it('leaves the bound of an open range out', () => {
    const a1c = rangeFor(analyteOf('hemoglobin-a1c'), { sex: 'male', age: 40 })
    expect([5.6, 5.7].map((value) => sideOf(value, a1c))).toEqual([undefined, 'above'])
    const hdl = rangeFor(analyteOf('hdl-cholesterol'), { sex: 'male', age: 40 })
    expect([39, 40].map((value) => sideOf(value, hdl))).toEqual(['below', undefined])
  })
})
