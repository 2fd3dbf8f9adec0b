import { HOUR_MS, MINUTE_MS, toWire } from '../../kernel/instant.ts'
import { breathing, heartRateVariability } from '../../people/curves.ts'
import { type Day, restingBeats } from '../../people/day.ts'
import { type Sleep, STAGES, secondsInStages } from '../../people/night.ts'
import { clamp, round } from '../../people/noise.ts'
import { type Sample, samplesWithin, sessionId } from '../timeseries/service.ts'
import {
  flatSource,
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

const scoring = ['withings', 'oura', 'whoop', 'whoop_v2', 'garmin']
const readying = ['oura', 'whoop', 'whoop_v2', 'ultrahuman']

/** The id of the night that ends on a day. */
export const sleepIdOf = ({ world, connection, day }: Making): string =>
  sessionId(world.random, { kind: 'sleep', ordinal: connection.ordinal, date: day.date, index: 0 })

/** Whether the night that ended on a day is over, and the device was worn in it. */
const isRecorded = (making: Making): boolean => {
  const { start, end } = making.day.nights[0]
  return isKnown(making, end) && isKnown(making, (start + end) / 2)
}

/** The night that ended on a day. */
export const sleepsOf: Make = (making) => {
  const { connection, day, asOf } = making
  const night = day.nights[0]
  if (day.end === day.start || !isRecorded(making)) return []
  const { deep, light, rem } = secondsInStages(night)
  const total = deep + light + rem
  const duration = (night.end - night.start) / 1000
  const efficiency = round((100 * total) / duration, 1)
  const is = (providers: readonly string[]) => providers.includes(connection.provider)
  const noise = day.noise('sleep summary')
  const temperatureDelta = day.body.temperature - day.usual().temperature
  const isTentative = asOf - night.end < TENTATIVE_MS
  return [
    {
      id: sleepIdOf(making),
      user_id: connection.user_id,
      date: `${day.date}T00:00:00+00:00`,
      calendar_date: day.date,
      bedtime_start: toWire(night.start),
      bedtime_stop: toWire(night.end),
      type: duration >= 3 * 3600 ? 'long_sleep' : 'short_sleep',
      timezone_offset: day.offsetAt(night.end),
      duration,
      total,
      awake: duration - total,
      light,
      rem,
      deep,
      score: is(scoring) ? sleepScoreOf(night, total, efficiency) : null,
      recovery_readiness_score: is(readying) ? readinessOf(day, total) : null,
      ...heartOf(making, night),
      hr_resting: restingBeats(day),
      efficiency,
      latency: latencyOf(night),
      temperature_delta: is(['oura']) ? round(temperatureDelta, 2) : null,
      skin_temperature: is(['whoop', 'whoop_v2'])
        ? round(34.2 + temperatureDelta + 0.6 * (noise(3) - 0.5), 1)
        : null,
      hr_dip: is(['garmin']) ? round(9 + noise(4) * 8, 1) : null,
      state: isTentative ? 'tentative' : 'confirmed',
      // The names that clients since 3.0 read.
      stage_asleep_second: total,
      stage_awake_second: duration - total,
      stage_light_second: light,
      stage_rem_second: rem,
      stage_deep_second: deep,
      source: sourceFor(making),
      sleep_stream: null,
      ...stampsOf(making, night.end, isTentative ? night.end : night.end + TENTATIVE_MS),
    },
  ]
}

const bounded = (score: number) => Math.round(clamp(score, 1, 100))

/** From its length, its efficiency, and its share of deep and REM sleep. */
function sleepScoreOf(night: Sleep, total: number, efficiency: number): number {
  const { deep, rem } = secondsInStages(night)
  const hours = total / 3600
  const restful = (deep + rem) / total
  return bounded(82 - 9 * Math.abs(Math.min(0, hours - 7.5)) + 0.7 * (efficiency - 87) + 60 * (restful - 0.4))
}

/** How the night compares with what is usual for the person: variability, resting heart rate, temperature and sleep. */
function readinessOf({ body, usual }: Day, total: number): number {
  const baseline = usual()
  const hrv = Math.log(body.hrv / baseline.hrv)
  const beats = body.restingHeart - baseline.restingHeart
  const warmth = Math.max(0, body.temperature - baseline.temperature - 0.3)
  const hours = Math.min(1.5, total / 3600 - baseline.sleepHours)
  return bounded(77 + 26 * hrv - 1.1 * beats - 16 * warmth + 3.5 * hours)
}

const latencyOf = ({ stages: [first] }: Sleep) =>
  first?.stage === STAGES.awake ? (first.end - first.start) / 1000 : 0

const meanOf = (values: readonly number[]) =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

/** Averages of what was measured in the night; the lowest heart rate is that of the lowest five minutes. */
function heartOf({ world, connection, day, asOf }: Making, { start, end }: Sleep) {
  const within = (slug: string): Sample[] =>
    samplesWithin(world, slug, connection, { from: start, until: end }, asOf)
  const beats = within('heartrate')
  const byFive = new Map<number, number[]>()
  for (const { start: at, value } of beats) {
    const five = Math.floor(at / (5 * MINUTE_MS))
    const group = byFive.get(five)
    if (group) group.push(Number(value))
    else byFive.set(five, [Number(value)])
  }
  const lowest = Math.min(...[...byFive.values()].map((values) => meanOf(values) ?? 0))
  const rounded = (value: number | null, decimals: number) => (value === null ? null : round(value, decimals))
  const averageOf = (slug: string) => meanOf(within(slug).map(({ value }) => Number(value)))
  const middle = (start + end) / 2
  return {
    hr_lowest: beats.length > 0 ? Math.round(lowest) : null,
    hr_average: beats.length > 0 ? Math.round(meanOverTime(beats)) : null,
    average_hrv: rounded(averageOf('hrv') ?? heartRateVariability(day, middle, 0.5), 1),
    respiratory_rate: rounded(averageOf('respiratory_rate') ?? breathing(day, middle, 0.5), 1),
  }
}

/** The stages of the night that ended on a day. */
export const sleepCyclesOf: Make = (making) => {
  const { connection, day } = making
  const night = day.nights[0]
  if (day.end === day.start || !isRecorded(making)) return []
  const seconds = (instant: number) => (instant - night.start) / 1000
  return [
    {
      id: idFor(making, 'sleep_cycle', day.date),
      sleep_id: sleepIdOf(making),
      session_start: toWire(night.start),
      session_end: toWire(night.end),
      stage_start_offset_second: night.stages.map(({ start }) => seconds(start)),
      stage_end_offset_second: night.stages.map(({ end }) => seconds(end)),
      stage_type: night.stages.map(({ stage }) => stage),
      time_zone: day.timeZone,
      ...flatSource(making),
      user_id: connection.user_id,
      source: sourceFor(making),
      ...stampsOf(making, night.end),
    },
  ]
}
