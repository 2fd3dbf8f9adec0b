import { describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import type { Day } from '../../src/people/day.ts'
import { sleepsOn } from '../../src/resources/summaries/sleep.ts'
import { field } from '../support/field.ts'
import { at, connection, DATE, made, type Parts, sleepOf, sleepsAt, usualNight } from '../support/made-day.ts'
import { startTestWorld } from '../support/petri.ts'

describe('a sleep', () => {
  it('counts the seconds of its stages, its share of the time in bed, and the time until it begins', async () => {
    const [night] = await sleepsAt('oura')
    expect(night).toMatchObject({
      date: `${DATE}T00:00:00+00:00`,
      calendar_date: DATE,
      bedtime_start: '2026-01-03T23:00:00+00:00',
      bedtime_stop: '2026-01-04T07:37:00+00:00',
      type: 'long_sleep',
      timezone_offset: 0,
      duration: 31_020,
      total: 27_000,
      awake: 4020,
      light: 16_200,
      rem: 4800,
      deep: 6000,
      efficiency: 87,
      latency: 1200,
      stage_asleep_second: 27_000,
      stage_awake_second: 4020,
      stage_light_second: 16_200,
      stage_rem_second: 4800,
      stage_deep_second: 6000,
      sleep_stream: null,
    })
  })

  it('has no latency if it begins at once', async () => {
    const [night] = await sleepsAt('oura', {
      night: [
        ['light', 400],
        ['awake', 20],
      ],
    })
    expect(night.latency).toBe(0)
  })

  it('is there once it is over, and confirmed two hours later', async () => {
    const over = at(7, 37)
    expect(await sleepsAt('oura', { asOf: over - 1 })).toEqual([])
    const stateAt = async (asOf: number) => {
      const [{ state, updated_at }] = (await sleepsAt('garmin', { asOf })) as [
        { state: string; updated_at: string },
      ]
      return { state, updated_at }
    }
    // The history of a connection is made when it begins.
    const updated_at = '2026-01-05T09:00:00+00:00'
    expect(await stateAt(over)).toEqual({ state: 'tentative', updated_at })
    expect(await stateAt(over + 2 * HOUR_MS - 1)).toEqual({ state: 'tentative', updated_at })
    expect(await stateAt(over + 2 * HOUR_MS)).toEqual({ state: 'confirmed', updated_at })
  })

  it('of a later day is updated two hours after getting up', { tags: 'slow' }, async () => {
    const petri = await startTestWorld({ world: { history: '3d' } })
    const own = await connection(petri, 'garmin')
    const date = '2026-01-06'
    await petri.world().agenda.advanceTo(Date.parse(`${date}T20:00:00Z`))
    const [night] = made(petri, 'sleep', own, { date })
    const over = Date.parse(night.bedtime_stop)
    expect(Date.parse(night.created_at)).toBe(over)
    expect(Date.parse(night.updated_at)).toBe(over + 2 * HOUR_MS)
    const [tentative] = made(petri, 'sleep', own, { date, asOf: over + HOUR_MS })
    expect(tentative).toMatchObject({ state: 'tentative', updated_at: night.bedtime_stop })
  })

  it('has ids by its position on the day', async () => {
    const nap: Parts = [['light', 90]]
    const ids = (await sleepsAt('oura', { naps: [nap, nap] })).map(field('id'))
    expect(new Set(ids).size).toBe(3)
  })

  it('is not there on a date that the local calendar skips', async () => {
    const petri = await startTestWorld()
    const own = await connection(petri, 'oura')
    const day = ({ start }: Day) => ({ end: start })
    expect(made(petri, 'sleep', own, { day })).toEqual([])
    expect(made(petri, 'sleep_cycle', own, { day })).toEqual([])
  })

  it('comes before the naps of its day', async () => {
    const petri = await startTestWorld()
    const own = await connection(petri, 'oura')
    const kinds: string[] = []
    made(petri, 'sleep', own, {
      day(real) {
        const nap = sleepOf(real, at(13), [['light', 30]], 'nap')
        kinds.push(...sleepsOn({ ...real, naps: [nap] }).map(field('kind')))
        return {}
      },
    })
    expect(kinds).toEqual(['night', 'nap'])
  })
})

describe('the heart in a sleep', () => {
  it('is measured from its first sample on, lowest in the lowest five minutes', async () => {
    const petri = await startTestWorld()
    const own = await connection(petri, 'fitbit')
    const [night] = made(petri, 'sleep', own)
    const read = async (slug: string) => {
      const until = new Date(Date.parse(night.bedtime_stop) - 1).toISOString()
      const query = `start_date=${night.bedtime_start.replace('+', '%2B')}&end_date=${until}`
      const body = await petri.read(`/v2/timeseries/${own.user_id}/${slug}/grouped?${query}`)
      return body.groups.fitbit[0].data.map(({ timestamp, value }: { timestamp: string; value: number }) => ({
        five: Math.floor(Date.parse(timestamp) / (5 * MINUTE_MS)),
        value,
      })) as { five: number; value: number }[]
    }
    const mean = (all: readonly { value: number }[]) =>
      all.reduce((sum, { value }) => sum + value, 0) / all.length
    const beats = await read('heartrate')
    const fives = [...new Set(beats.map(field('five')))]
    const lowest = Math.min(...fives.map((five) => mean(beats.filter((beat) => beat.five === five))))
    expect(night).toMatchObject({
      hr_average: Math.round(mean(beats)),
      hr_lowest: Math.round(lowest),
      average_hrv: Math.round(mean(await read('hrv')) * 10) / 10,
      respiratory_rate: Math.round(mean(await read('respiratory_rate')) * 10) / 10,
    })
  })

  it('is not known without samples; variability and breath are those of the middle of the night', async () => {
    const petri = await startTestWorld()
    const own = await connection(petri, 'fitbit')
    const asOf = at(20)
    const day = (real: Day) => ({
      nights: [sleepOf(real, at(13) + 1000, [['light', 0]]), real.nights[1]] as const,
    })
    const [night] = made(petri, 'sleep', own, { day, asOf })
    expect(night).toMatchObject({ hr_lowest: null, hr_average: null })
    expect(night.average_hrv).toBeGreaterThan(3)
    expect(night.respiratory_rate).toBeGreaterThan(8)
  })
})

describe('a sleep cycle', () => {
  it('has the stages of its sleep in seconds from the beginning', async () => {
    const petri = await startTestWorld()
    const own = await connection(petri, 'oura')
    const day = (real: Day): Partial<Day> => ({
      nights: [sleepOf(real, at(-1), usualNight), real.nights[1]],
      naps: [
        sleepOf(
          real,
          at(13),
          [
            ['awake', 2],
            ['light', 28],
          ],
          'nap',
        ),
      ],
    })
    const [night, nap] = made(petri, 'sleep', own, { day })
    const cycles = made(petri, 'sleep_cycle', own, { day })
    expect(cycles).toEqual([
      {
        id: expect.any(String),
        sleep_id: night.id,
        session_start: '2026-01-03T23:00:00+00:00',
        session_end: '2026-01-04T07:37:00+00:00',
        stage_start_offset_second: [0, 1200, 13_200, 19_200, 22_020, 26_820],
        stage_end_offset_second: [1200, 13_200, 19_200, 22_020, 26_820, 31_020],
        stage_type: [4, 2, 1, 4, 3, 2],
        time_zone: 'UTC',
        source_provider: 'oura',
        source_type: 'ring',
        source_app_id: null,
        source_device_id: null,
        user_id: own.user_id,
        source: night.source,
        created_at: night.created_at,
        updated_at: night.updated_at,
      },
      expect.objectContaining({ sleep_id: nap.id, stage_start_offset_second: [0, 120], stage_type: [4, 2] }),
    ])
    expect(new Set(cycles.map(field('id'))).size).toBe(2)
  })
})
