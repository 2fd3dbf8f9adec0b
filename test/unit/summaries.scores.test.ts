import { describe, expect, it } from 'vitest'
import { type Parts, sleepsAt } from '../support/made-day.ts'

describe('the scores of a sleep', () => {
  const none = {
    score: null,
    recovery_readiness_score: null,
    temperature_delta: null,
    skin_temperature: null,
    hr_dip: null,
  }
  it.each([
    ['withings', { ...none, score: 82 }],
    ['oura', { ...none, score: 82, recovery_readiness_score: 77, temperature_delta: 0, hr_resting: null }],
    ['whoop', { ...none, score: 82, recovery_readiness_score: 77, skin_temperature: 34.2 }],
    ['whoop_v2', { ...none, score: 82, recovery_readiness_score: 77 }],
    ['garmin', { ...none, score: 82, hr_dip: 13 }],
    ['ultrahuman', { ...none, recovery_readiness_score: 77 }],
    ['fitbit', none],
  ])('of %s has the scores that its devices record, and a nap has none of them', async (provider, scores) => {
    const naps: Parts[] = [[['light', 90]]]
    const [night, nap] = await sleepsAt(provider, { naps })
    expect(night).toMatchObject(scores)
    expect(night.hr_resting === null).toBe('hr_resting' in scores)
    expect(nap).toMatchObject({ ...none, hr_resting: null })
  })

  it.each<[string, number, Parts]>([
    [
      'loses nine points with each hour below seven and a half',
      82 - 9,
      [
        ['awake', 58],
        ['light', 234],
        ['deep', 80],
        ['rem', 76],
      ],
    ],
    [
      'gains nothing by a longer night',
      82,
      [
        ['awake', 76],
        ['light', 306],
        ['deep', 104],
        ['rem', 100],
      ],
    ],
    [
      'gains 60 points by the share of deep and REM sleep',
      82 + 6,
      [
        ['awake', 67],
        ['light', 225],
        ['deep', 125],
        ['rem', 100],
      ],
    ],
    [
      'loses 0.7 points with each percent of efficiency',
      82 - 7,
      [
        ['awake', 134],
        ['light', 270],
        ['deep', 100],
        ['rem', 80],
      ],
    ],
    [
      'is at least 1',
      1,
      [
        ['awake', 200],
        ['light', 10],
      ],
    ],
    [
      'is at most 100',
      100,
      [
        ['deep', 300],
        ['rem', 200],
      ],
    ],
  ])('has a score that %s', async (_, score, night) => {
    const [sleep] = await sleepsAt('oura', { night })
    expect(sleep.score).toBe(score)
  })

  it.each([
    ['rises with heart rate variability', 83, { hrv: 50 }],
    ['falls with heart rate variability', 59, { hrv: 20 }],
    ['falls with the resting heart rate', 66, { restingHeart: 70 }],
    ['does not mind a temperature of 0.3 degrees above the usual', 77, { temperature: 0.5 }],
    ['falls with a fever', 61, { temperature: 1.5 }],
  ])('has a readiness that %s', async (_, readiness, body) => {
    const [sleep] = await sleepsAt('oura', { body })
    expect(sleep.recovery_readiness_score).toBe(readiness)
  })

  it.each([
    ['an hour less', 390, 77 - 4 + 1],
    ['an hour and a half more', 540, 77 + 5],
    ['no more by three hours more', 630, 77 + 5],
  ])('has a readiness that follows its length: %s', async (_, light, readiness) => {
    const [sleep] = await sleepsAt('oura', { night: [['light', light]] })
    expect(sleep.recovery_readiness_score).toBe(readiness)
  })

  it('tells how the temperature differs from the usual one', async () => {
    expect((await sleepsAt('oura', { body: { temperature: 0.656 } }))[0].temperature_delta).toBe(0.46)
    expect((await sleepsAt('whoop', { body: { temperature: 0.656 } }))[0].skin_temperature).toBe(34.7)
  })

  it.each([
    ['fitbit', 179, 'short_sleep'],
    ['fitbit', 180, 'long_sleep'],
    ['oura', 180, 'acknowledged_nap'],
    ['whoop', 30, 'acknowledged_nap'],
    ['whoop_v2', 30, 'acknowledged_nap'],
    ['garmin', 30, 'short_sleep'],
  ])('by day at %s, of %i minutes, is a %s', async (provider, minutes, type) => {
    const [, nap] = await sleepsAt(provider, { naps: [[['light', minutes]]] })
    expect(nap.type).toBe(type)
  })

  it.each([
    [0, 33.9, 9],
    [1, 34.5, 17],
  ])(
    'varies by chance: at %s the skin has %s degrees and the heart dips by %s',
    async (chance, skin, dip) => {
      expect((await sleepsAt('whoop', { chance }))[0].skin_temperature).toBe(skin)
      expect((await sleepsAt('garmin', { chance }))[0].hr_dip).toBe(dip)
    },
  )
})
