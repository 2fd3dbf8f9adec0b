import { describe, expect, it } from 'vitest'
import { MINUTE_MS, SECOND_MS } from '../../src/kernel/instant.ts'
import { createRandom } from '../../src/kernel/random.ts'
import type { Day } from '../../src/people/day.ts'
import { noiseOf } from '../../src/people/noise.ts'
import { field } from '../support/field.ts'
import { at, MIDNIGHT } from '../support/made-day.ts'
import { briefly, drawing, drawn, lasting, madeDay, rising } from '../support/made-samples.ts'

/** A day whose amounts rise by as much in each minute. */
const active = (each: number, setting = {}) =>
  madeDay(({ minutes }) => ({ minutes: { ...minutes, sums: rising(each) } }), setting)

describe('a sum', () => {
  it.each([
    ['steps', 'apple_health_kit', 60, 24],
    ['steps', 'fitbit', 15, 96],
    ['steps', 'garmin', 15, 96],
    ['distance', 'withings', 15, 96],
    ['calories_active', 'fitbit', 15, 96],
    ['calories_basal', 'fitbit', 60, 24],
    ['floors_climbed', 'fitbit', 60, 24],
    ['stand_duration', 'apple_health_kit', 5, 288],
    ['daylight_exposure', 'apple_health_kit', 15, 96],
  ])('of %s at %s is of %i minutes', (slug, provider, minutes, count) => {
    const samples = drawn(slug, active(1), { provider })
    expect(new Set(lasting(samples))).toEqual(new Set([minutes]))
    expect(samples).toHaveLength(count)
    expect(new Set(samples.map(field('value')))).toEqual(new Set([minutes]))
    expect(samples[0]).toEqual({
      start: MIDNIGHT,
      end: MIDNIGHT + minutes * MINUTE_MS,
      offsetSeconds: 0,
      value: minutes,
      type: null,
    })
  })

  it.each([
    ['steps', 4],
    ['distance', 3.7],
    ['calories_active', 3.7],
  ])('of %s is rounded so that a day adds up', (slug, first) => {
    const samples = drawn(slug, active(0.2469), { provider: 'fitbit' })
    expect(samples[0]?.value).toBe(first)
    const sum = samples.reduce((total, { value }) => total + Number(value), 0)
    expect(Math.abs(sum - 0.2469 * 1440)).toBeLessThan(0.51)
  })

  it('is left out where it is nothing', () => {
    const walked = Float64Array.from({ length: 1441 }, (_, minute) => Math.min(Math.max(0, minute - 610), 10))
    const day = madeDay(({ minutes }) => ({ minutes: { ...minutes, sums: () => walked } }))
    expect(briefly(drawn('steps', day, { provider: 'apple_health_kit' }))).toEqual([['10:00:00', 10]])
  })

  it('has grown until now, and a bucket that has not begun is not there', () => {
    const until = (instant: number) =>
      briefly(drawn('steps', active(1), { provider: 'apple_health_kit', until: instant }))
    expect(until(at(1, 30))).toEqual([
      ['00:00:00', 60],
      ['01:00:00', 30],
    ])
    expect(until(at(1))).toEqual([['00:00:00', 60]])
    expect(until(MIDNIGHT)).toEqual([])
  })

  it('differs by device, by eight percent at most', () => {
    const counted = (chance: number) => {
      const day = active(100)
      return drawn('steps', { ...day, person: { ...day.person, random: drawing(chance) } })[0]?.value
    }
    expect([counted(0), counted(0.5), counted(1)]).toEqual([1380, 1500, 1620])
  })

  it('has the offset of its zone, and ends with a longer day', () => {
    const autumn = active(1, { date: '2026-10-25', timeZone: 'Europe/Berlin' })
    const samples = drawn('steps', autumn, { provider: 'apple_health_kit' })
    expect(samples).toHaveLength(25)
    expect(samples.map(field('offsetSeconds'))).toEqual([...Array(3).fill(7200), ...Array(22).fill(3600)])
  })

  it('is cut at the end of a day that is shorter than a whole number of buckets', () => {
    const day = active(1)
    const samples = drawn('steps', { ...day, end: at(1, 20) }, { provider: 'apple_health_kit' })
    expect(lasting(samples)).toEqual([60, 20])
    expect(samples.map(field('value'))).toEqual([60, 20])
  })
})

/** The second of the minute at which most devices measure on this day. */
const SECOND = 28 * SECOND_MS

/** A day on which the heart beats 60 times a minute, with sleep until 1:00 and a workout from 2:00 to 2:10. */
const calm = (more: Partial<Day> = {}) =>
  madeDay(({ minutes }) => ({
    minutes: {
      ...minutes,
      heart: () => new Float32Array(1440).fill(60),
      stage: Uint8Array.from({ length: 1440 }, (_, minute) => (minute < 60 ? 2 : 0)),
      workout: Uint8Array.from({ length: 1440 }, (_, minute) => (minute >= 120 && minute < 130 ? 1 : 0)),
    },
    ...more,
  }))

describe('a measurement', () => {
  it.each([
    ['heartrate', 'oura', 300],
    ['heartrate', 'fitbit', 60],
    ['heartrate', 'garmin', 15],
    ['heartrate', 'google_health', 60],
    ['heartrate', 'polar', 60],
    ['stress_level', 'garmin', 180],
    ['glucose', 'dexcom', 300],
    ['glucose', 'dexcom_v3', 300],
    ['glucose', 'tandem_source', 300],
    ['glucose', 'eversense', 900],
  ])('of %s at %s comes every %i seconds', (slug, provider, seconds) => {
    const samples = drawn(slug, calm(), { provider, from: at(3), until: at(4) - 1 })
    expect(samples.length).toBeGreaterThan(0)
    const apart = samples
      .slice(1)
      .map(({ start }, before) => (start - (samples[before]?.start ?? 0)) / SECOND_MS)
    expect(Math.min(...apart)).toBe(seconds)
    expect(samples[0]).toMatchObject({ end: samples[0]?.start, offsetSeconds: 0, type: null })
  })

  it('comes more often in a workout where the device does so', () => {
    const during = (provider: string) =>
      drawn('heartrate', calm(), { provider, from: at(2), until: at(2, 10) - 1 })
    expect(during('apple_health_kit').length).toBeGreaterThan(100)
    expect(during('oura')).toHaveLength(2)
    // And as often as before afterwards.
    const later = drawn('heartrate', calm(), {
      provider: 'apple_health_kit',
      from: at(2, 10),
      until: at(3) - 1,
    })
    expect(later.length).toBeLessThanOrEqual(10)
  })

  it('is made at any second by a phone, with gaps, in the order of time', () => {
    const noise = noiseOf(createRandom('1'), 'spacing')
    const day = calm({ noise: () => noise })
    const starts = drawn('heartrate', day, { provider: 'apple_health_kit', from: at(3) }).map(
      ({ start }) => start,
    )
    expect(starts).toEqual([...starts].sort((a, b) => a - b))
    expect(starts.length).toBeGreaterThan(200)
    expect(starts.length).toBeLessThan(250)
    expect(starts.filter((start) => start % MINUTE_MS === 0).length).toBeLessThan(20)
  })

  it.each([
    ['fitbit', 'heartrate', [0]],
    ['oura', 'heartrate', [28]],
    ['oura', 'hrv', [28]],
    ['garmin', 'stress_level', [28]],
    ['garmin', 'heartrate', [7, 22, 37, 52]],
  ])('of %s is made at the second of the minute that its user has: %s', (provider, slug, seconds) => {
    const starts = drawn(slug, calm(), { provider }).map(field('start'))
    expect([...new Set(starts.map((start) => (start % MINUTE_MS) / SECOND_MS))]).toEqual(seconds)
  })

  it('is made as many seconds after the full five minutes as the sensor of the user began', () => {
    const starts = drawn('glucose', calm(), { provider: 'dexcom_v3', from: at(3) }).map(field('start'))
    const phases = new Set(starts.map((start) => start % (5 * MINUTE_MS)))
    expect([...phases]).toEqual([142 * SECOND_MS])
  })

  it('of a mattress is made in sleep alone', () => {
    const beats = drawn('heartrate', calm(), { provider: 'eight_sleep' })
    expect(beats).toHaveLength(12)
    expect(beats.at(-1)?.start).toBeLessThan(at(1))
  })

  it('includes both ends of the time', () => {
    const times = briefly(
      drawn('heartrate', calm(), { provider: 'oura', from: at(3) + SECOND, until: at(3, 10) + SECOND }),
    )
    expect(times).toEqual([
      ['03:00:28', 60],
      ['03:05:28', 60],
      ['03:10:28', 60],
    ])
  })

  it.each([
    ['hrv', 5, 12],
    ['respiratory_rate', 5, 12],
    ['blood_oxygen', 15, 4],
  ])('of %s is made in sleep alone, every %i minutes', (slug, minutes, count) => {
    const samples = drawn(slug, calm(), { provider: 'oura' })
    expect(samples).toHaveLength(count)
    expect(samples.at(-1)?.start).toBe(at(1) - minutes * MINUTE_MS + SECOND)
  })

  it('is rounded: beats to whole ones, breaths to tenths', () => {
    const day = calm({ noise: () => () => 0.63 })
    expect(drawn('heartrate', day, { provider: 'oura' })[0]?.value).toBe(60)
    const [breath] = drawn('respiratory_rate', day, { provider: 'oura' })
    expect(Number(breath?.value) * 10).toBeCloseTo(Math.round(Number(breath?.value) * 10), 6)
    expect(Number.isInteger(breath?.value)).toBe(false)
  })

  const libre = (chance: number, window = {}) =>
    drawn('glucose', calm({ noise: () => () => chance }), { provider: 'freestyle_libre', ...window })

  it('of a Libre is irregular and automatic', () => {
    const [first, second] = libre(0.5).filter(({ start }) => start >= at(8))
    // Three minutes after the quarter: half of seven, rounded down.
    expect(first).toMatchObject({ start: at(8, 3), type: 'automatic' })
    expect(second?.start).toBe(at(8, 18))
    expect(libre(0.81)).toEqual([])
    expect(libre(0.8).length).toBeGreaterThan(50)
    expect(libre(0.8)[0]?.start).toBe(at(0, 5))
  })

  it('of a Libre belongs to its day', () => {
    const end = at(0, 17)
    const day = { ...calm({ noise: () => () => 0.5 }), end }
    const starts = (of: Day) =>
      briefly(drawn('glucose', of, { provider: 'freestyle_libre' })).map(([time]) => time)
    expect(starts(day)).toEqual(['00:03:00'])
    expect(starts({ ...day, end: at(0, 19) })).toEqual(['00:03:00', '00:18:00'])
    expect(starts({ ...day, end: at(0, 18) })).toEqual(['00:03:00'])
  })

  it.each([
    ['dexcom_v3', 2.2, 22.3],
    ['freestyle_libre_ble', 2.2, 22.2],
    ['freestyle_libre', 2.2, 22.2],
    ['abbott_libreview', 2.2, 27.8],
  ])('of %s ends at the limits of its sensor', (provider, low, high) => {
    const values = (fastingGlucose: number) => {
      const day = calm()
      const samples = drawn('glucose', { ...day, body: { ...day.body, fastingGlucose } }, { provider })
      return samples.filter(({ start }) => start >= at(10) && start < at(14)).map(field('value'))
    }
    expect(new Set(values(-40))).toEqual(new Set([low]))
    expect(new Set(values(90))).toEqual(new Set([high]))
  })

  it('is missing while a sensor has no signal', () => {
    const of = (chance: number) => {
      const day = calm()
      const person = { ...day.person, random: drawing(chance) }
      return drawn('glucose', { ...day, person }, { provider: 'dexcom_v3' }).length
    }
    // By chance a day is whole, or lacks readings.
    const counts = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6].map(of)
    expect(Math.max(...counts)).toBe(288)
    expect(Math.min(...counts)).toBeLessThan(288)
  })
})
