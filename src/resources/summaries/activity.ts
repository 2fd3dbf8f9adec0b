import { MINUTE_MS } from '../../kernel/instant.ts'
import { largest, smallest } from '../../kernel/list.ts'
import { restingBeats } from '../../people/day.ts'
import { findProvider, traitsOf } from '../providers/service.ts'
import { hiddenSpans, offsetSent, samplesWithin, sumOfSeries } from '../timeseries/service.ts'
import { hundredths, idFor, type Make, type Making, meanOverTime, sourceFor, stampsOf } from './making.ts'

/** The activity of a local day up to now; none before the first data. */
export const activityOf: Make = (making) => {
  const { world, connection, day, asOf } = making
  const { date, start, end } = day
  const { activity_offset, devices } = traitsOf(world, connection)
  const has = (resource: string) => findProvider(connection.provider)?.resources.includes(resource) ?? false
  const sum = (slug: string) => sumOfSeries(world, slug, connection, { from: start, until: end, asOf })
  if (!hasActivity(making)) return []
  const distance = sum('distance')
  const active = sum('calories_active')
  const heart_rate = heartRateOf(making)
  // Without a heart rate, the watch was off, and the phone alone has counted.
  const counted = heart_rate ? 'multiple_sources' : 'phone'
  return [
    {
      id: idFor(making, 'activity', date),
      user_id: connection.user_id,
      date: `${date}T00:00:00+00:00`,
      calendar_date: date,
      calories_total: hundredths(hundredths(active) + hundredths(sum('calories_basal'))),
      calories_active: hundredths(active),
      steps: sum('steps'),
      daily_movement: hundredths(distance),
      distance: hundredths(distance),
      ...intensities(making),
      source: sourceFor(
        devices.includes('phone') && devices.length > 1 ? { ...making, type: counted } : making,
      ),
      floors_climbed: has('floors_climbed') ? sum('floors_climbed') : null,
      time_zone: day.timeZone,
      timezone_offset: offsetSent(world, connection, activity_offset, day.offsetAt(start)),
      heart_rate,
      wheelchair_use: null,
      wheelchair_push: null,
      ...stampsOf(making, start, Math.min(asOf, end)),
    },
  ]
}

export const activityOutline: Make = (making) =>
  hasActivity(making) ? [{ id: idFor(making, 'activity', making.day.date) }] : []

const hasActivity = ({ world, connection, day: { start, end }, asOf }: Making): boolean =>
  ['calories_basal', 'steps'].some(
    (slug) => sumOfSeries(world, slug, connection, { from: start, until: end, asOf }) > 0,
  )

/** The share of the heart rate reserve above which a workout is hard. */
const HARD = 0.55
/**
 * Steps a minute above which a minute is light, moderate or vigorous: 100 are about 3 MET, 130 about 6 (CADENCE-Adults 2019);
 * devices at the wrist count some as more. Fewer than the least are movements of the hands. Assumed from these.
 */
const CADENCES = { low: 4, medium: 75, high: 110 } as const

/** Minutes by intensity. */
function intensities({ world, connection, type, day, asOf }: Making) {
  const { workout, stage } = day.minutes
  const hidden = hiddenSpans(world, connection, type, { from: day.start, until: day.end, asOf })
  const isHidden = (at: number) => hidden.some(({ from, until }) => from <= at && at < until)
  const walked = day.minutes.sums('steps')
  const minutes = Math.min(workout.length, Math.floor((asOf - day.start) / MINUTE_MS))
  let low = 0
  let medium = 0
  let high = 0
  for (let minute = 0; minute < minutes; minute++) {
    if (isHidden(day.start + minute * MINUTE_MS)) continue
    const effort = day.workouts[(workout[minute] ?? 0) - 1]?.sport.effort
    const steps = (walked[minute + 1] ?? 0) - (walked[minute] ?? 0)
    if (effort !== undefined ? effort > HARD : steps > CADENCES.high) high++
    else if (effort !== undefined || steps > CADENCES.medium) medium++
    else if (steps > CADENCES.low && !stage[minute]) low++
  }
  return { low, medium, high }
}

function heartRateOf({ world, connection, day, asOf }: Making) {
  const samples = samplesWithin(world, 'heartrate', connection, { from: day.start, until: day.end, asOf })
  if (samples.length === 0) return null
  const beats = samples.map(({ value }) => Number(value))
  return {
    avg_bpm: Math.round(meanOverTime(samples)),
    min_bpm: smallest(beats),
    max_bpm: largest(beats),
    resting_bpm: restingBeats(day),
    avg_walking_bpm: traitsOf(world, connection).walking_heart_rate ? restingBeats(day) + 31 : null,
  }
}
