import { describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../src/kernel/instant.ts'
import type { Day } from '../../src/people/day.ts'
import { fatPercentOf } from '../../src/people/person.ts'
import { field } from '../support/field.ts'
import { at, DATE, evenly } from '../support/made-day.ts'
import { briefly, drawing, drawn, lasting, lunch, madeDay } from '../support/made-samples.ts'

const by = (chance: number) => madeDay(() => ({ noise: evenly(chance) }))

describe('a scale', () => {
  it('is stepped on twelve minutes after getting up', () => {
    const [weight, ...more] = drawn('body_weight', by(0.5))
    expect(more).toEqual([])
    expect(weight).toEqual({ start: at(7, 12), end: at(7, 13), offsetSeconds: 0, value: 100, type: null })
    expect(drawn('body_weight', by(0))[0]?.value).toBe(99.7)
  })

  it.each([
    [0, 0.2],
    [0.5, 0.575],
    [1, 0.95],
  ])('is stepped on on a share of days of the person’s own: by a draw of %s on %s', (own, share) => {
    const weighs = (chance: number) =>
      drawn(
        'body_weight',
        madeDay(() => ({ random: drawing(own), noise: evenly(chance) })),
      ).length
    expect([weighs(share - 0.001), weighs(share + 0.001)]).toEqual([1, 0])
  })

  it('tells fat, the mass index and the lean mass of the same weighing', () => {
    const of = (slug: string, chance: number) => Number(drawn(slug, by(chance))[0]?.value)
    for (const chance of [0, 0.1, 0.5]) {
      const weight = of('body_weight', chance)
      expect(Math.abs(of('body_mass_index', chance) - weight / 4)).toBeLessThan(0.08)
      expect(of('lean_body_mass', chance)).toBeCloseTo(weight * (1 - of('body_fat', chance) / 100), 0)
    }
    const day = by(0.5)
    expect(of('body_fat', 0.5)).toBeCloseTo(fatPercentOf(day.person, day.body, DATE), 1)
  })

  it('is not stepped on on a date that the local calendar skips', () => {
    expect(
      drawn(
        'body_weight',
        madeDay(({ start }) => ({ end: start })),
      ),
    ).toEqual([])
  })
})

describe('a waist', () => {
  it('is measured on the first of a month', () => {
    const of = (date: string) =>
      drawn(
        'waist_circumference',
        madeDay(() => ({}), { date }),
      )
    const [waist, ...more] = of('2026-02-01')
    expect(more).toEqual([])
    expect(new Date(waist?.start ?? 0).toISOString()).toBe('2026-02-01T07:45:00.000Z')
    // Of two metres and a mass index of 25.
    expect(waist?.value).toBe(86.5)
    expect(of('2026-02-02')).toEqual([])
    expect(of('2026-02-11')).toEqual([])
  })
})

describe('what drifts over weeks', () => {
  it.each([
    [0, 39.8],
    [0.5, 39.9],
  ])('does so by draws, as %s: the uptake of oxygen', (chance, oxygen) => {
    const change = ({ body }: Day) => ({ random: drawing(chance), body: { ...body, vo2Max: 40 } })
    expect(drawn('vo2_max', madeDay(change, { date: '2026-02-01' }))[0]?.value).toBe(oxygen)
  })
})

describe('breath', () => {
  it.each([
    ['forced_vital_capacity', 3.97],
    ['forced_expiratory_volume_1', 3.21],
  ])('%s is measured on a third of days', (slug, value) => {
    expect(briefly(drawn(slug, by(0.3)))).toEqual([['08:06:00', value]])
    expect(drawn(slug, by(0.34))).toHaveLength(1)
    expect(drawn(slug, by(0.35))).toEqual([])
  })

  it('flows fastest in the morning and in the evening', () => {
    expect(briefly(drawn('peak_expiratory_flow_rate', by(0.4)))).toEqual([
      ['07:43:00', 418],
      ['20:53:00', 418],
    ])
    expect(drawn('peak_expiratory_flow_rate', by(0.5))).toEqual([])
    const once = madeDay(() => ({
      noise: () => (ordinal) => ({ 0: 0.6, 1: 0.4, 101: 0, 201: 0 })[ordinal] ?? 0.9,
    }))
    expect(briefly(drawn('peak_expiratory_flow_rate', once))).toEqual([['20:45:00', 412]])
  })
})

describe('glucose', () => {
  it.each(['onetouch_ble', 'accuchek_ble', 'contour_ble', 'ihealth', 'manual'])(
    'at %s is pricked after getting up and an hour and a half after meals',
    (provider) => {
      const samples = drawn(
        'glucose',
        madeDay(() => ({ meals: () => [lunch] })),
        { provider },
      )
      expect(samples.map(field('start'))).toEqual([at(7, 10), lunch.at + 90 * MINUTE_MS])
      for (const { value, end, start } of samples) {
        expect(Number(value)).toBeGreaterThan(2)
        expect(end).toBe(start)
      }
    },
  )
})

describe('the sun', () => {
  const indexes = (date: string, chance = 0.5) =>
    drawn(
      'uv_exposure',
      madeDay(() => ({ noise: evenly(chance) }), { date }),
    ).map(field('value'))

  it('shines from eight to seven, brightest around one, and more in summer', () => {
    expect(drawn('uv_exposure', by(0.5)).map(field('start'))).toEqual(
      Array.from({ length: 11 }, (_, hour) => at(8 + hour)),
    )
    expect(new Set(lasting(drawn('uv_exposure', by(0.5))))).toEqual(new Set([60]))
    expect(indexes('2026-01-04')).toEqual([0.5, 0.8, 1.1, 1.3, 1.4, 1.4, 1.3, 1.1, 0.8, 0.5, 0.2])
    expect(indexes('2026-07-04')).toEqual([2.4, 3.8, 5, 5.8, 6.2, 6.2, 5.8, 5, 3.8, 2.4, 0.8])
    expect(indexes('2026-07-04', 0)[4]).toBe(5.1)
    expect(indexes('2026-07-04', 1)[4]).toBe(7.3)
  })
})

describe('temperature', () => {
  const feverish = madeDay(({ body, baseline }) => ({
    body: { ...body, temperature: 0.5 },
    baseline: () => ({ ...baseline(), temperature: 0.2 }),
  }))

  it('is measured in the morning and in the evening, on some days', () => {
    const of = (chance: number, provider?: string) =>
      drawn('body_temperature', by(chance), { ...(provider && { provider }) })
    expect(of(0.4).map(({ start, end }) => [start, end])).toEqual([
      [at(7, 50), at(7, 50)],
      [at(20, 50), at(20, 50)],
    ])
    expect(of(0.41)).toEqual([])
    expect(of(0.1, 'apple_health_kit')[0]?.more).toEqual({ sensor_location: 'mouth' })
    expect(of(0.1, 'withings')[0]?.more).toEqual({ sensor_location: 'forehead' })
    for (const { value } of of(0.2)) expect(Math.abs(Number(value) - 36.8)).toBeLessThan(1)
  })

  it.each([
    ['oura', 'finger'],
    ['ultrahuman', 'finger'],
    ['fitbit', 'wrist'],
  ])('of the skin at %s is told of the night, as a difference at the %s', (provider, sensor_location) => {
    expect(drawn('body_temperature_delta', feverish, { provider })).toEqual([
      { start: at(0), end: at(7), offsetSeconds: 0, value: 0.3, type: null, more: { sensor_location } },
    ])
  })

  it('of the skin varies by a tenth of a degree, and needs a night', () => {
    const { noise: _, ...rest } = feverish
    const of = (chance: number) =>
      drawn('body_temperature_delta', { ...rest, noise: evenly(chance) })[0]?.value
    expect([of(0), of(1)]).toEqual([0.2, 0.4])
    const [night, next] = feverish.nights
    expect(drawn('body_temperature_delta', { ...feverish, end: feverish.start })).toEqual([])
    const after = { ...feverish, nights: [{ ...night, start: feverish.end }, next] as const }
    expect(drawn('body_temperature_delta', after)).toEqual([])
    const before = { ...feverish, nights: [{ ...night, start: at(-8), end: at(-1) }, next] as const }
    expect(drawn('body_temperature_delta', before)[0]?.end).toBe(at(0))
  })

  it('at waking is that of the body', () => {
    expect(drawn('basal_body_temperature', feverish)).toMatchObject([
      { start: at(7), end: at(7, 1), value: 36.8 },
    ])
  })
})

describe('standing', () => {
  it('is told hour by hour: a minute is enough', () => {
    const stood = Float64Array.from(
      { length: 1441 },
      (_, minute) => (minute > 480 ? 1 : 0) + (minute > 610 ? 0.9 : 0),
    )
    const day = madeDay(({ minutes }) => ({ minutes: { ...minutes, sums: () => stood } }))
    const samples = drawn('stand_hour', day)
    expect(samples.map(({ start, type }) => [start, type])).toEqual(
      Array.from({ length: 15 }, (_, nth) => [at(7 + nth), nth === 1 ? 'stood' : 'idle']),
    )
    expect(new Set(lasting(samples))).toEqual(new Set([60]))
    expect(new Set(samples.map(field('value')))).toEqual(new Set([1]))
  })
})
