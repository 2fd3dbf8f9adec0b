import { describe, expect, it } from 'vitest'
import { merged, trimmed } from '../../src/resources/summaries/editing.ts'

/** What both have in the end, of a session of three hours and a later one of one hour. */
const nightRows = [
  ['light', 3600, 1200, 4800],
  ['rem', 1800, 700, 2500],
  ['deep', 900, 400, 1300],
  ['stage_light_second', 3601, 1201, 4802],
  ['stage_rem_second', 1801, 701, 2502],
  ['stage_deep_second', 901, 401, 1302],
  ['hr_lowest', 50, 47, 47],
  ['hr_average', 60, 53, 58],
  ['average_hrv', 40, 52.6, 43.2],
  ['respiratory_rate', 14, 15.4, 14.4],
  ['hr_dip', 10, 20, 10],
] as const
const workoutRows = [
  ['distance', 9000, 2500, 11_500],
  ['calories', 600, 150, 750],
  ['steps', 8000, 1000, 9000],
  ['moving_time', 10_000, 3000, 13_000],
  ['total_elevation_gain', 120, 30, 150],
  ['elev_low', 20, 5, 5],
  ['elev_high', 90, 120, 120],
  ['max_hr', 160, 171, 171],
  ['max_speed', 4, 5, 5],
  ['max_watts', 400, 510, 510],
  ['average_hr', 130, 143, 133],
  ['average_speed', 3, 3.8, 3.2],
  ['average_watts', 200, 231, 208],
  ['sport', 'running', 'cycling', 'running'],
] as const
type Rows = readonly (readonly [field: string, first: unknown, second: unknown, both: unknown])[]
const column = (rows: Rows, at: 1 | 2 | 3) => Object.fromEntries(rows.map((row) => [row[0], row[at]]))

const at = (clock: string) => `2026-01-05T${clock}:00+00:00`
const night = (at_: 1 | 2) => ({
  id: `night ${at_}`,
  ...column(nightRows, at_),
  bedtime_start: at(at_ === 1 ? '01:00' : '04:30'),
  bedtime_stop: at(at_ === 1 ? '04:00' : '05:30'),
  stage_asleep_second: 1,
  stage_awake_second: 1,
})
const workout = (at_: 1 | 2) => ({
  id: `workout ${at_}`,
  ...column(workoutRows, at_),
  time_start: at(at_ === 1 ? '01:00' : '04:30'),
  time_end: at(at_ === 1 ? '04:00' : '05:30'),
})

describe('two sessions as one', () => {
  it('are a night of each field by its rule, awake in between', () => {
    const asleep = 4800 + 2500 + 1300
    const both = {
      id: 'night 1',
      ...column(nightRows, 3),
      ...{ bedtime_start: at('01:00'), bedtime_stop: at('05:30'), duration: 16_200, total: asleep },
      ...{ awake: 16_200 - asleep, efficiency: 53.1 },
      ...{ stage_asleep_second: asleep, stage_awake_second: 16_200 - asleep },
    }
    expect(merged(night(1), night(2))).toEqual(both)
    // Whichever is first, the longer one gives what has no rule.
    expect(merged(night(2), night(1))).toEqual({ ...both, id: 'night 2' })
    const without = { stage_asleep_second: null, stage_awake_second: null }
    expect(merged({ ...night(1), ...without }, night(2))).toMatchObject(without)
  })

  it('are a workout of each field by its rule, and of the longer one where one has no number', () => {
    const both = {
      id: 'workout 1',
      ...column(workoutRows, 3),
      time_start: at('01:00'),
      time_end: at('05:30'),
    }
    expect(merged(workout(1), workout(2))).toEqual(both)
    expect(merged(workout(2), workout(1))).toEqual({ ...both, id: 'workout 2' })
    const lacking = merged({ ...workout(1), max_hr: null }, { ...workout(2), elev_low: null })
    expect(lacking).toEqual({ ...both, max_hr: null, elev_low: 20 })
    expect(merged(workout(1), { ...workout(1), sport: 'cycling' })).toMatchObject({ sport: 'running' })
  })
})

describe('a shorter session', () => {
  it('keeps its share of each amount, and all other fields', () => {
    const half = (rows: Rows, amounts: number) =>
      Object.fromEntries(
        rows.map(([name, first], nth) => [name, nth < amounts ? Math.round(Number(first) / 2) : first]),
      )
    expect(trimmed(night(1), 3_600_000, 1_800_000)).toEqual({
      ...night(1),
      ...half(nightRows, 6),
      ...{ bedtime_start: at('02:00'), bedtime_stop: at('03:30'), duration: 5400, total: 3150 },
      ...{ awake: 2250, efficiency: 58.3, stage_asleep_second: 3150, stage_awake_second: 2250 },
    })
    expect(trimmed(workout(1), 1_800_000, 3_600_000)).toEqual({
      ...workout(1),
      ...half(workoutRows, 5),
      ...{ time_start: at('01:30'), time_end: at('03:00') },
    })
    expect(trimmed(night(1), 0, 400)).toMatchObject({ duration: 10_800 })
    expect(trimmed({ ...workout(1), steps: null }, 0, 1)).toMatchObject({ steps: null })
    expect(() => trimmed(workout(1), 5_400_000, 5_400_000)).toThrow('nothing would be left')
    expect(trimmed(workout(1), 5_400_000, 5_399_999)).toMatchObject({ steps: 0 })
  })
})
