import { beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { makePerson } from '../../src/people/person.ts'
import type { AnalyteSeed } from '../../src/resources/catalogue/schema.ts'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import { formulas } from '../../src/resources/results/derived.ts'
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
const draw = (slug: string, patient: Patient, goal?: Goal): Map<string, Value> => {
  const { sex, age } = patient
  const known = { ...(sex !== 'unknown' && { sex }), birthDate: `${2025 - age}-06-01` }
  const person = makePerson(createRandom('seed'), 'somebody', known)
  const sample = {
    person,
    key: 'one',
    date: '2026-01-05',
    patient,
    analytes,
    isNatural: false,
    effects: new Map(),
  }
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

  it('are out of range on the requested side, and critical only if requested', { tags: 'slow' }, () => {
    for (const patient of patients) {
      for (const analyte of numeric()) {
        const range = rangeFor(analyte, patient)
        for (const side of ['above', 'below'] as const) {
          const bound = side === 'above' ? range?.high : range?.low
          if (bound == null || bound === 0) continue
          if (side === 'below' && bound === analyte.possible?.low) continue
          const abnormal = draw(analyte.slug, patient, { slug: analyte.slug, level: 'abnormal', side })
          const value = Number(abnormal.get(analyte.slug))
          expect(sideOf(value, range), `${analyte.slug} ${value} ${patient.sex}`).toBe(side)
          expect(isCritical(value, analyte), `${analyte.slug} ${value}`).toBe(false)
          if ((side === 'above' ? analyte.critical?.high : analyte.critical?.low) == null) continue
          const critical = draw(analyte.slug, patient, { slug: analyte.slug, level: 'critical', side })
          expect(isCritical(Number(critical.get(analyte.slug)), analyte), analyte.slug).toBe(true)
        }
      }
    }
  })
})
