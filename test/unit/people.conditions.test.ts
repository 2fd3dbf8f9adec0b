import { describe, expect, it } from 'vitest'
import { round } from '../../src/people/noise.ts'
import { type Course, conditionsOn, episodesBetween, usualBodyOn } from '../../src/people/person.ts'
import { nothing, someone } from '../support/lives.ts'

// Conditions under treatment, and what a persona says of hidden factors. Of the seed `one life`.

const told = (course: Partial<Course>, begins?: string) =>
  someone(6, { sex: 'male', birthDate: '1985-01-01', course: { ...nothing, ...course }, begins })
const since = '2020-01-01'
const hypertension = { name: 'hypertension', since, until: null, degree: 0.5, isDiagnosed: true } as const

describe('a condition under treatment', () => {
  it('does to the body what the treatment leaves of it', () => {
    const date = '2026-01-01'
    const treatments = [{ name: 'antihypertensive', since, until: null }] as const
    const traits = { systolic: 120 }
    const bodyOf = (course: Partial<Course>) => usualBodyOn(told({ traits, ...course }), date).systolic
    const well = bodyOf({})
    const ill = bodyOf({ conditions: [hypertension] })
    const treated = bodyOf({ conditions: [hypertension], treatments })
    const control = conditionsOn(told({ conditions: [hypertension], treatments }), date)[0]?.control ?? 0
    expect(control).toBeGreaterThan(0.1)
    expect(treated - bodyOf({ treatments })).toBeCloseTo((ill - well) * (1 - control), 6)
  })
})

it('episodes are told from the oldest to the latest, those of a persona among those that are drawn', () => {
  const ill = { name: 'illness', since: '2025-08-01', until: '2025-08-11', degree: 1 } as const
  const found = episodesBetween(told({ episodes: [ill] }), '2025-01-01', '2025-12-31')
  expect(found).toContain(ill)
  expect(found.length).toBeGreaterThan(3)
  expect(found.map((episode) => episode.since)).toEqual(found.map((episode) => episode.since).toSorted())
  expect(found.indexOf(ill)).toBeGreaterThan(0)
})

describe('the hidden factors of a persona', () => {
  const factorsOf = (course: Partial<Course>) => {
    const { fitness, liverFat, adiposity } = told(course, '2026-01-01').factors
    return [fitness, liverFat, adiposity].map((factor) => round(factor, 3))
  }
  const liver = (degree: number) =>
    ({ name: 'liver', since, until: null, degree, isDiagnosed: true }) as const

  it.each<[string, Partial<Course>, number[]]>([
    ['no condition', {}, [1.298, -2.068, -1.88]],
    ['a mild one', { conditions: [liver(0)] }, [0.587, 0.055, -0.649]],
    ['one of middling degree', { conditions: [liver(0.5)] }, [0.487, 0.355, -0.475]],
    ['a severe one', { conditions: [liver(1)] }, [0.386, 0.655, -0.301]],
    ['low fitness', { traits: { vo2Max: 5 } }, [-2.249, -0.88, -0.106]],
    ['no more than that', { traits: { vo2Max: 1 } }, [-2.249, -0.88, -0.106]],
    [
      'high fitness and a severe one',
      { traits: { vo2Max: 70 }, conditions: [liver(1)] },
      [1.279, 0.515, -0.673],
    ],
    ['high fitness', { traits: { vo2Max: 90 } }, [2.251, -2.387, -2.356]],
  ])('explain %s', (_, course, expected) => {
    expect(factorsOf(course)).toEqual(expected)
  })

  it('explain nothing before it begins', () => {
    expect(told({ traits: { vo2Max: 90 } }).factors).toEqual(told({}).factors)
  })
})
