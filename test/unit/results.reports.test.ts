import { describe, expect, it } from 'vitest'
import { conditionNames } from '../../src/people/conditions.ts'
import type { ConditionState } from '../../src/people/person.ts'
import type { OrderRow } from '../../src/resources/orders/table.ts'
import { rangeFor, sideOf } from '../../src/resources/results/ranges.ts'
import { patientOf } from '../../src/resources/results/report-header.ts'
import { familyValues, type Goal, signsOf, withConditions } from '../../src/resources/results/values.ts'
import { analyteOf, patient, personOf, sampleOf } from '../support/results.ts'

describe('a condition', () => {
  const sample = sampleOf({ isNatural: false })
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
    const mild = finding('above', 1.05)
    const great = finding('above', 1.15)
    const alone = effectsOf(great).get('potassium')
    const less = effectsOf(mild).get('potassium')
    expect(alone).toBeGreaterThan(Number(less))
    expect(effectsOf(mild, great).get('potassium')).toBe(alone)
    expect(effectsOf(great, mild).get('potassium')).toBe(alone)
    const low = finding('below', 0.95)
    const lower = finding('below', 0.8)
    expect(effectsOf(low, lower).get('potassium')).toBe(effectsOf(lower).get('potassium'))
  })

  it('beside another one that changes it the other way is met half way', () => {
    const up = finding('above', 1.15)
    const down = finding('below', 0.8)
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

  it.each(conditionNames)('has signs on their own side of what is usual: %s', (name) => {
    const changed = withConditions(sample, [{ name, degree: 0.9, control: 0 }])
    for (const { slug, side } of signsOf({ name })) {
      const value = familyValues(changed, slug).get(slug)
      const found = sideOf(Number(value), rangeFor(analyteOf(slug), patient))
      expect(found ?? side, `${slug} ${value}`).toBe(side)
    }
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
