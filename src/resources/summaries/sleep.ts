import { clamp } from '../../kernel/compare.ts'
import { HOUR_MS, MINUTE_MS, toWire } from '../../kernel/instant.ts'
import { groupBy, smallest } from '../../kernel/list.ts'
import { breathing, heartRateVariability } from '../../people/curves.ts'
import { type Day, restingBeats } from '../../people/day.ts'
import { type Sleep, STAGES, secondsInStages } from '../../people/night.ts'
import { round } from '../../people/noise.ts'
import type { ProviderTraits, SleepField } from '../catalogue/schema.ts'
import { traitsOf } from '../providers/service.ts'
import { offsetSent, type Sample, samplesWithin, sessionId } from '../timeseries/service.ts'
import {
  flatSource,
  type Item,
  idFor,
  isKnown,
  type Make,
  type Making,
  meanOverTime,
  sourceFor,
  stampsOf,
} from './making.ts'

/** The time after getting up in which a night may still be corrected. */
const TENTATIVE_MS = 2 * HOUR_MS

/** The night that ended on a day, and its naps; the position of each is part of its id. */
export const sleepsOn = ({ nights, naps }: Day): readonly Sleep[] => [nights[0], ...naps]

const sleepIdOf = ({ world, connection, day }: Making, index: number): string =>
  sessionId(world.ids, { kind: 'sleep', ordinal: connection.ordinal, date: day.date, index })

/** The night that ended on a day and its naps that are over, and in which the device was worn. */
const recordedOf = (making: Making): { sleep: Sleep; id: string }[] => {
  const { day } = making
  if (day.end === day.start) return []
  return sleepsOn(day).flatMap((sleep, index) => {
    const isThere = isKnown(making, sleep.end) && isKnown(making, (sleep.start + sleep.end) / 2)
    return isThere ? [{ sleep, id: sleepIdOf(making, index) }] : []
  })
}

function typeOf({ kind, start, end }: Sleep, { naps_acknowledged }: ProviderTraits) {
  if (kind === 'nap' && naps_acknowledged) return 'acknowledged_nap'
  return end - start >= 3 * HOUR_MS ? 'long_sleep' : 'short_sleep'
}

export const sleepsOf: Make = (making) =>
  recordedOf(making).map(({ sleep, id }) => summaryOf(making, sleep, id))

export const sleepOutline: Make = (making) => recordedOf(making).map(({ id }) => ({ id }))

function summaryOf(making: Making, night: Sleep, id: string): Item {
  const { connection, day, asOf } = making
  const isNight = night.kind === 'night'
  const { deep, light, rem } = secondsInStages(night)
  const total = deep + light + rem
  const duration = (night.end - night.start) / 1000
  const efficiency = round((100 * total) / duration, 1)
  const traits = traitsOf(making.world, connection)
  const has = (field: SleepField) => isNight && traits.sleep_fields.includes(field)
  const noise = day.noise('sleep summary')
  const temperatureDelta = isNight ? day.body.temperature - day.baseline().temperature : 0
  const isTentative = asOf - night.end < TENTATIVE_MS
  return {
    id,
    user_id: connection.user_id,
    date: `${day.date}T00:00:00+00:00`,
    calendar_date: day.date,
    bedtime_start: toWire(night.start),
    bedtime_stop: toWire(night.end),
    type: typeOf(night, traits),
    timezone_offset: offsetSent(making.world, connection, traits.session_offset, day.offsetAt(night.end)),
    duration,
    total,
    awake: duration - total,
    light,
    rem,
    deep,
    score: has('score') ? sleepScoreOf(night, total, efficiency) : null,
    recovery_readiness_score: has('recovery_readiness_score') ? readinessOf(day, total) : null,
    ...heartOf(making, night),
    hr_resting: isNight ? restingBeats(day) : null,
    efficiency,
    latency: latencyOf(night),
    temperature_delta: has('temperature_delta') ? round(temperatureDelta, 2) : null,
    skin_temperature: has('skin_temperature')
      ? round(34.2 + temperatureDelta + 0.6 * (noise(3) - 0.5), 1)
      : null,
    hr_dip: has('hr_dip') ? round(9 + noise(4) * 8, 1) : null,
    state: traits.tentative_sleep ? (isTentative ? 'tentative' : 'confirmed') : null,
    // The names that clients since 3.0 read.
    stage_asleep_second: total,
    stage_awake_second: duration - total,
    stage_light_second: light,
    stage_rem_second: rem,
    stage_deep_second: deep,
    source: sourceFor(making),
    sleep_stream: null,
    ...stampsOf(
      making,
      night.end,
      isTentative || !traits.tentative_sleep ? night.end : night.end + TENTATIVE_MS,
    ),
  }
}

const bounded = (score: number) => Math.round(clamp(score, 1, 100))

/** From its length, its efficiency, and its share of deep and REM sleep. */
function sleepScoreOf(night: Sleep, total: number, efficiency: number): number {
  const { deep, rem } = secondsInStages(night)
  const hours = total / 3600
  const restful = (deep + rem) / total
  return bounded(82 - 9 * Math.abs(Math.min(0, hours - 7.5)) + 0.7 * (efficiency - 87) + 60 * (restful - 0.4))
}

/** How the night compares with the person's days before it: variability, resting heart rate, temperature and sleep. */
function readinessOf(day: Day, total: number): number {
  const { body } = day
  const baseline = day.baseline()
  const hrv = Math.log(body.hrv / baseline.hrv)
  const beats = body.restingHeart - baseline.restingHeart
  const warmth = Math.max(0, body.temperature - baseline.temperature - 0.3)
  const hours = Math.min(1.5, total / 3600 - baseline.sleepHours)
  return bounded(77 + 26 * hrv - 1.1 * beats - 16 * warmth + 3.5 * hours)
}

const latencyOf = ({ stages: [first] }: Sleep) =>
  first?.stage === STAGES.awake ? (first.end - first.start) / 1000 : 0

const valuesOf = (samples: readonly Sample[]) => samples.map(({ value }) => Number(value))

const meanOf = (values: readonly number[]) =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

/** Averages of what was measured in the night; the lowest heart rate is that of the lowest five minutes. */
function heartOf({ world, connection, day, asOf }: Making, { start, end }: Sleep) {
  const within = (slug: string): Sample[] =>
    samplesWithin(world, slug, connection, { from: start, until: end, asOf })
  const beats = within('heartrate')
  const byFive = groupBy(beats, ({ start: at }) => Math.floor(at / (5 * MINUTE_MS)))
  const lowest = smallest([...byFive.values()].map((group) => meanOf(valuesOf(group)) ?? 0))
  const rounded = (value: number | null, decimals: number) => (value === null ? null : round(value, decimals))
  const averageOf = (slug: string) => meanOf(valuesOf(within(slug)))
  const middle = (start + end) / 2
  return {
    hr_lowest: beats.length > 0 ? Math.round(lowest) : null,
    hr_average: beats.length > 0 ? Math.round(meanOverTime(beats)) : null,
    average_hrv: rounded(averageOf('hrv') ?? heartRateVariability(day, middle, 0.5), 1),
    respiratory_rate: rounded(averageOf('respiratory_rate') ?? breathing(day, middle, 0.5), 1),
  }
}

/** The stages of the night that ended on a day, and of its naps. */
export const sleepCyclesOf: Make = (making) => {
  const { connection, day } = making
  return recordedOf(making).map(({ sleep: { kind, start, end, stages }, id }) => {
    const seconds = (instant: number) => (instant - start) / 1000
    return {
      id: idFor(making, 'sleep_cycle', kind === 'night' ? day.date : `${day.date}/nap`),
      sleep_id: id,
      session_start: toWire(start),
      session_end: toWire(end),
      stage_start_offset_second: stages.map((span) => seconds(span.start)),
      stage_end_offset_second: stages.map((span) => seconds(span.end)),
      stage_type: stages.map(({ stage }) => stage),
      time_zone: day.timeZone,
      ...flatSource(making),
      user_id: connection.user_id,
      source: sourceFor(making),
      ...stampsOf(making, end),
    }
  })
}
