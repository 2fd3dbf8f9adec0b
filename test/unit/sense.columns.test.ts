import { describe, expect, it } from 'vitest'
import {
  type Column,
  type columnsOf,
  type Item,
  macroColumns,
  namesOf,
} from '../../src/resources/sense/columns.ts'
import { findColumn } from '../../src/resources/sense/plan.ts'

/** Local time is five hours and a half ahead. */
const local = {
  timeZone: 'Asia/Kolkata',
  local: (instant: unknown) =>
    typeof instant === 'string'
      ? new Date(Date.parse(instant) + 19_800_000).toISOString().slice(0, 19)
      : null,
}
const read = (column: Column | undefined, item: object) => column?.read(item as Item, local)
const cell = (table: keyof typeof columnsOf, name: string, item: object) =>
  read(findColumn(table, name), item)

describe('a column', () => {
  it.each([
    ['activity', 'steps', { steps: 5 }, 5],
    ['activity', 'steps', { steps: 0 }, 0],
    ['activity', 'steps', { steps: '5' }, null],
    ['activity', 'steps', { steps: null }, null],
    ['activity', 'steps', {}, null],
    ['activity', 'heart_rate_mean', { heart_rate: { avg_bpm: 61 } }, 61],
    ['activity', 'heart_rate_mean', { heart_rate: null }, null],
    ['activity', 'heart_rate_mean', { heart_rate: 61 }, null],
    ['activity', 'heart_rate_mean', {}, null],
    ['activity', 'wheelchair_use', { wheelchair_use: false }, false],
    ['activity', 'wheelchair_use', { wheelchair_use: 'no' }, null],
    ['activity', 'source_type', { source: { type: 'watch' } }, 'watch'],
    ['activity', 'source_type', { source: { type: 5 } }, null],
    ['activity', 'time_zone', {}, 'Asia/Kolkata'],
    ['activity', 'intensity_low_second', { low: 2 }, 120],
    ['activity', 'intensity_low_second', { low: null }, null],
    ['activity', 'intensity_sedentary_second', { sedentary: 5 }, null],
    ['activity', 'duration_active_second', { low: 1, medium: 2, high: 3 }, 360],
    ['activity', 'duration_active_second', { low: 1, medium: null }, 60],
    ['activity', 'duration_active_second', { high: 0 }, 0],
    ['activity', 'duration_active_second', { low: null }, null],
    ['sleep', 'session_start', { bedtime_start: '2026-01-04T20:00:00+00:00' }, '2026-01-05T01:30:00'],
    ['sleep', 'session_start', { bedtime_start: null }, null],
    ['sleep', 'heart_rate_maximum', { hr_highest: 5 }, null],
    ['workout', 'heart_rate_zone_1', { hr_zones: [10, 20, 30, 40, 50, 60] }, 10],
    ['workout', 'heart_rate_zone_6', { hr_zones: [10, 20, 30, 40, 50, 60] }, 60],
    ['workout', 'sport_slug', { sport: { slug: 'running' } }, 'running'],
    ['body', 'measured_at', { calendar_date: '2026-01-04' }, '2026-01-04T00:00:00'],
    ['meal', 'saturated_fat_gram', { macros: { fats: { saturated: 3 } } }, 3],
    ['meal', 'iron_milligram', { micros: { minerals: { iron: 4 } } }, 4],
    ['meal', 'vitamin_d_microgram', { micros: { vitamins: { vitamin_d: 5 } } }, 5],
    ['menstrual_cycle', 'menstrual_flow', { menstrual_flow: [{}] }, null],
    ['derived_readiness', 'recovery_zone', { recovery_readiness_score: 67 }, 'green'],
    ['derived_readiness', 'recovery_zone', { recovery_readiness_score: 66 }, 'yellow'],
    ['derived_readiness', 'recovery_zone', { recovery_readiness_score: 34 }, 'yellow'],
    ['derived_readiness', 'recovery_zone', { recovery_readiness_score: 33 }, 'red'],
    ['derived_readiness', 'recovery_zone', { recovery_readiness_score: null }, null],
    ['derived_readiness', 'strain_zone', {}, null],
  ] as const)('%s.%s of %j is %j', (table, name, item, value) => {
    expect(namesOf(table)).toContain(name)
    expect(cell(table, name, item)).toBe(value)
  })

  it('is that of its table, or a macro of the nights', () => {
    expect(findColumn('sleep', 'awakenings')).toBe(macroColumns.awakenings)
    expect(findColumn('activity', 'awakenings')).toBeUndefined()
    for (const name of ['toString', 'mood', 'constructor']) {
      expect(findColumn('sleep', name)).toBeUndefined()
      expect(findColumn('activity', name)).toBeUndefined()
    }
  })
})

describe('a macro', () => {
  const night = { bedtime_start: '2026-01-04T18:00:00Z', bedtime_stop: '2026-01-05T02:00:00Z' }

  it.each([
    ['sleep_score', { score: 71, total: 28_800, efficiency: 90 }, 71],
    ['sleep_score', { score: 0 }, 0],
    ['sleep_score', { score: null, total: 28_800, efficiency: 90 }, 96],
    ['sleep_score', { score: null, total: 36_000, efficiency: 100 }, 100],
    ['sleep_score', { score: null, total: 14_400, efficiency: 50 }, 50],
    ['sleep_score', { total: 14_400 }, null],
    ['sleep_score', { efficiency: 50 }, null],
    ['asleep_at', { ...night, latency: 600 }, '2026-01-04T23:40:00'],
    ['asleep_at', { ...night, latency: null }, '2026-01-04T23:30:00'],
    ['asleep_at', { latency: 600 }, null],
    ['awake_at', night, '2026-01-05T07:30:00'],
    ['awake_at', {}, null],
    // Its middle is at half past three.
    ['chronotype', night, 'intermediate'],
    ['chronotype', { ...night, bedtime_stop: '2026-01-05T05:00:00Z' }, 'evening'],
    ['chronotype', { ...night, bedtime_stop: '2026-01-05T00:00:00Z' }, 'morning'],
    ['chronotype', { ...night, bedtime_start: null }, null],
    ['chronotype', { ...night, bedtime_stop: null }, null],
    ['awakenings', { stage_type: [4, 4, 2, 1, 4, 4, 3, 4, 2, 4] }, 2],
    ['awakenings', { stage_type: [2, 4, 2] }, 1],
    ['awakenings', { stage_type: [-1, 4, 2, 4, -1] }, 0],
    ['awakenings', { stage_type: [2, 4, -1, 4, 2] }, 2],
    ['awakenings', { stage_type: [4, 4] }, 0],
    ['awakenings', { stage_type: [] }, 0],
    ['awakenings', { stage_type: null }, null],
    ['awakenings', {}, null],
  ])('%s of %j is %j', (name, item, value) => {
    expect(read(macroColumns[name], item)).toBe(value)
  })

  it('of times is unknown where the clock of the night is', () => {
    const unclear = { ...local, local: () => null }
    expect(macroColumns.chronotype?.read(night, unclear)).toBeNull()
    expect(macroColumns.asleep_at?.read(night, unclear)).toBeNull()
  })
})
