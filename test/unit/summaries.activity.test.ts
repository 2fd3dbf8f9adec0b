import { describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS, toDate } from '../../src/kernel/instant.ts'
import type { Day } from '../../src/people/day.ts'
import { meanOverTime } from '../../src/resources/summaries/making.ts'
import { workoutOf } from '../support/lives.ts'
import { at, connection, DATE, MIDNIGHT, made } from '../support/made-day.ts'
import { forEachTest, startTestWorld } from '../support/petri.ts'
import { advance } from '../support/wearables.ts'

const petri = forEachTest()

/** A day whose minutes from midnight on are as given, and whose rest is without a step. */
const minutesOf =
  (rows: readonly { steps: number; asleep?: boolean; workout?: number }[]) =>
  (day: Day): Partial<Day> => {
    const stage = new Uint8Array(1440)
    const workout = new Uint8Array(1440)
    const steps = new Float64Array(1441)
    for (let minute = 0; minute < 1440; minute++) {
      const row = rows[minute]
      stage[minute] = row?.asleep ? 2 : 0
      workout[minute] = row?.workout ?? 0
      steps[minute + 1] = (steps[minute] ?? 0) + (row?.steps ?? 0)
    }
    return {
      minutes: { ...day.minutes, stage, workout, sums: () => steps },
      workouts: [workoutOf(at(8), at(9), { effort: 0.55 }), workoutOf(at(10), at(11), { effort: 0.56 })],
    }
  }

describe('a minute', () => {
  it.each([
    ['with four steps, counts for nothing', { steps: 4 }, [0, 0, 0]],
    ['with five steps, is light', { steps: 5 }, [1, 0, 0]],
    ['with five steps asleep, counts for nothing', { steps: 5, asleep: true }, [0, 0, 0]],
    ['with 75 steps, is light', { steps: 75 }, [1, 0, 0]],
    ['with 76 steps, is moderate', { steps: 76 }, [0, 1, 0]],
    ['with 110 steps, is moderate', { steps: 110 }, [0, 1, 0]],
    ['with 111 steps, is vigorous', { steps: 111 }, [0, 0, 1]],
    ['of an easy workout, is moderate', { steps: 0, workout: 1 }, [0, 1, 0]],
    ['of an easy workout with many steps, is moderate', { steps: 150, workout: 1 }, [0, 1, 0]],
    ['of a hard workout, is vigorous', { steps: 0, workout: 2 }, [0, 0, 1]],
  ] as const)('%s', async (_, row, [low, medium, high]) => {
    const own = await connection(petri, 'fitbit')
    // The second minute, so that minutes are told from each other.
    const [activity] = made(petri, 'activity', own, { day: minutesOf([{ steps: 0 }, row]) })
    expect(activity).toMatchObject({ low, medium, high })
  })

  it('counts once it is over', async () => {
    const own = await connection(petri, 'fitbit')
    const walk = Array.from({ length: 720 }, () => ({ steps: 80 }))
    const until = (asOf: number) => made(petri, 'activity', own, { asOf, day: minutesOf(walk) })[0].medium
    expect(until(at(9, 30))).toBe(570)
    expect(until(at(9, 30) - 1)).toBe(569)
    expect(until(at(12))).toBe(720)
    expect(until(at(36))).toBe(720)
  })

  it('counts only while the device was worn, as the heart rate of each minute shows', {
    tags: 'slow',
  }, async () => {
    const walk = minutesOf(Array.from({ length: 1440 }, () => ({ steps: 80 })))
    const worn = new Set<number>()
    const own = await connection(petri, 'fitbit')
    for (let day = 23; day < 32; day++) {
      const date = `2025-12-${day}`
      const query = `start_date=${date}&end_date=${date}`
      const body = await petri.read(`/v2/timeseries/${own.user_id}/heartrate/grouped?${query}`)
      const beats = body.groups.fitbit?.[0].data ?? []
      const [activity] = made(petri, 'activity', own, { date, day: walk })
      if (!activity) continue
      // Fitbit misses 20 to 60 minutes of a day's heart rate.
      const missed = activity.medium - beats.length
      expect(missed, date).toBeGreaterThanOrEqual(activity.medium === 1440 ? 20 : 0)
      expect(missed, date).toBeLessThanOrEqual(60)
      worn.add(activity.medium)
    }
    expect(worn).toContain(1440)
    expect(worn.size).toBeGreaterThan(2)
  })
})

describe('an activity', () => {
  const totals = async (provider: string) => {
    const petri = await startTestWorld()
    const own = await connection(petri, provider, { fallback_time_zone: 'Asia/Kathmandu' })
    const [activity] = made(petri, 'activity', own)
    const sum = async (slug: string) => {
      const window = 'start_date=2026-01-03T18:15:00Z&end_date=2026-01-04T18:14:59Z'
      const body = await petri.read(`/v2/timeseries/${own.user_id}/${slug}/grouped?${window}`)
      const groups = Object.values(body.groups) as { data: { value: number }[] }[][]
      return groups
        .flat()
        .flatMap(({ data }) => data)
        .reduce((total, { value }) => total + value, 0)
    }
    return { petri, own, activity, sum }
  }
  const hundredths = (value: number) => Math.round(value * 100) / 100

  it.each([
    ['apple_health_kit', at(24), 'multiple_sources'],
    ['apple_health_kit', at(-24, 1), 'phone'],
    ['health_connect', at(24), 'phone'],
    ['garmin', at(24), 'watch'],
  ])(
    'of %s comes at %i from %s: from both once the watch has measured, too',
    { tags: 'slow' },
    async (provider, asOf, type) => {
      const day = { date: toDate(asOf - 1), asOf }
      const [{ source, heart_rate }] = made(petri, 'activity', await connection(petri, provider), day)
      expect([source.type, source.device_id, heart_rate === null]).toEqual([type, null, asOf < at(0)])
    },
  )

  it('sums up the day where its person is', async () => {
    const { activity, sum, own } = await totals('apple_health_kit')
    const active = hundredths(await sum('calories_active'))
    expect(activity).toMatchObject({
      user_id: own.user_id,
      date: `${DATE}T00:00:00+00:00`,
      calendar_date: DATE,
      steps: await sum('steps'),
      distance: hundredths(await sum('distance')),
      daily_movement: hundredths(await sum('distance')),
      calories_active: active,
      calories_total: hundredths(active + hundredths(await sum('calories_basal'))),
      floors_climbed: await sum('floors_climbed'),
      time_zone: 'Asia/Kathmandu',
      timezone_offset: 20_700,
      wheelchair_use: null,
      wheelchair_push: null,
    })
    expect(activity.floors_climbed).toBeGreaterThan(0)
  })

  it('has floors, a heart rate and a walking heart rate of devices that measure them', async () => {
    const { activity: apple } = await totals('apple_health_kit')
    expect(apple.heart_rate.avg_walking_bpm).toBe(apple.heart_rate.resting_bpm + 31)
    const { activity: ring } = await totals('oura')
    expect(ring.floors_climbed).toBeNull()
    expect(ring.heart_rate.avg_walking_bpm).toBeNull()
    expect(ring.heart_rate.min_bpm).toBeLessThan(ring.heart_rate.avg_bpm)
    expect(ring.heart_rate.avg_bpm).toBeLessThan(ring.heart_rate.max_bpm)
    const { activity: strap } = await totals('whoop_v2')
    expect(strap).toMatchObject({ steps: null, heart_rate: { avg_walking_bpm: null } })
    const { activity: cuff } = await totals('omron')
    expect(cuff).toMatchObject({ steps: null, distance: null, calories_active: null, heart_rate: null })
    expect(cuff.calories_total).toBeGreaterThan(1000)
  })

  it('is not there before the first step or calorie', async () => {
    const own = await connection(petri, 'fitbit')
    expect(made(petri, 'activity', own, { asOf: MIDNIGHT })).toEqual([])
    const [first] = made(petri, 'activity', own, { asOf: MIDNIGHT + 15 * MINUTE_MS })
    expect(first).toMatchObject({ steps: 0, low: 0, medium: 0, high: 0 })
    expect(first.calories_total).toBeGreaterThan(0)
  })

  it('is created when its day begins, and updated until it ends', { tags: 'slow' }, async () => {
    const own = await connection(petri, 'fitbit')
    await advance(petri, 50 * HOUR_MS)
    const stamps = (date: string, asOf?: number) => {
      const [{ created_at, updated_at }] = made(petri, 'activity', own, { date, ...(asOf && { asOf }) }) as [
        { created_at: string; updated_at: string },
      ]
      return [created_at, updated_at]
    }
    const connected = '2026-01-05T09:00:00+00:00'
    expect(stamps('2026-01-04')).toEqual([connected, connected])
    expect(stamps('2026-01-05')).toEqual([connected, '2026-01-06T00:00:00+00:00'])
    expect(stamps('2026-01-06')).toEqual(['2026-01-06T00:00:00+00:00', '2026-01-07T00:00:00+00:00'])
    expect(stamps('2026-01-06', Date.parse('2026-01-06T10:00:00Z'))).toEqual([
      '2026-01-06T00:00:00+00:00',
      '2026-01-06T10:00:00+00:00',
    ])
  })
})

describe('a mean over time', () => {
  const samples = (...pairs: readonly (readonly [minute: number, value: number])[]) =>
    pairs.map(([minute, value]) => ({
      start: minute * MINUTE_MS,
      end: minute * MINUTE_MS,
      offsetSeconds: 0,
      value,
      type: null,
    }))
  it.each([
    ['one sample is itself', [[0, 60]], 60],
    [
      'two samples weigh the same',
      [
        [0, 60],
        [5, 80],
      ],
      70,
    ],
    [
      'the last sample weighs as much as the one before',
      [
        [0, 60],
        [10, 60],
        [11, 160],
      ],
      68.333,
    ],
    [
      'a sample weighs as long as it is until the next',
      [
        [0, 60],
        [4, 90],
        [5, 90],
      ],
      70,
    ],
    [
      'a sample weighs a quarter of an hour at most',
      [
        [0, 60],
        [120, 90],
        [125, 90],
      ],
      72,
    ],
    [
      'samples of one instant have the value of the first',
      [
        [0, 60],
        [0, 90],
      ],
      60,
    ],
  ] as [string, [number, number][], number][])('of %s', (_, pairs, mean) =>
    expect(meanOverTime(samples(...pairs))).toBeCloseTo(mean, 2),
  )
})
