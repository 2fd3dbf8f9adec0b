import { SECOND_MS, toWire } from '../../kernel/instant.ts'
import {
  highestHeart,
  metresOf,
  round,
  samplesWithin,
  sessionId,
  type Workout,
} from '../timeseries/service.ts'
import { type Item, isKnown, type Make, type Making, sourceFor, stampsOf, typeOf } from './make.ts'
import { beatsOf, elevationOf, polylineOf, routeOf, STREAM_SECONDS, wattsOf } from './stream.ts'

/** The finished workouts of a day. */
export const workoutsOf: Make = (making) =>
  making.day.workouts.filter(({ end }) => isKnown(making, end)).map((workout) => toItem(making, workout))

export const workoutIdOf = ({ world, connection }: Making, { date, index }: Workout): string =>
  sessionId(world.random, { kind: 'workout', ordinal: connection.ordinal, date, index })

export const sportOf = ({ sport: { id, name, slug } }: Workout) => ({ id, name, slug })

/** The provider's id of a workout. */
export const providerIdOf = (making: Making, workout: Workout): string =>
  making.world.random.letters(`workout/provider/${workoutIdOf(making, workout)}`, '0123456789', 11)

function toItem(making: Making, workout: Workout): Item {
  const { connection, day, world, asOf } = making
  const { start, end, sport, intensity: vigour } = workout
  const seconds = (end - start) / 1000
  const span = { from: start, until: end }
  const beats = samplesWithin(world, 'heartrate', connection, span, asOf)
  const metres = metresOf(day, workout)
  const minute = (instant: number) => Math.round((instant - day.start) / 60_000)
  const during = (sum: Float64Array) => (sum[minute(end)] ?? 0) - (sum[minute(start)] ?? 0)
  const isMoving = metres > 0
  const elevation = elevationOf(day, workout)
  const watts = wattsOf(workout)
  const type = typeOf(making)
  return {
    id: workoutIdOf(making, workout),
    user_id: connection.user_id,
    title: sport.name,
    timezone_offset: day.offsetAt(start),
    ...heartOf(beats.length > 0 ? beatsOf(day, workout) : [], workout, highestHeart(day.person, day.date)),
    distance: isMoving ? round(metres, 1) : null,
    calendar_date: day.date,
    time_start: toWire(start),
    time_end: toWire(end),
    calories: round(during(day.minutes.sums('active')) + during(day.minutes.sums('basal')), 1),
    sport: sportOf(workout),
    moving_time: isMoving ? seconds : null,
    ...elevation,
    average_speed: isMoving ? round(metres / seconds, 2) : null,
    max_speed: isMoving ? round((metres / seconds) * 1.25 * vigour, 2) : null,
    average_watts: watts && round(watts, 0),
    device_watts: watts && round(watts, 0),
    max_watts: watts && round(watts * 1.8, 0),
    weighted_average_watts: watts && round(watts * 1.05, 0),
    steps: sport.cadence > 0 ? during(day.minutes.sums('steps')) : null,
    map: sport.isOutdoors ? mapOf(making, workout) : null,
    provider_id: providerIdOf(making, workout),
    source: sourceFor(making, type),
    ...stampsOf(making, end),
  }
}

function mapOf({ day }: Making, workout: Workout) {
  return {
    polyline: polylineOf(routeOf(day, workout, 60)),
    summary_polyline: polylineOf(routeOf(day, workout, 12)),
  }
}

/** The upper ends of all zones except the last, as shares of the maximum heart rate. Source: contract/wearables.md §7.4. */
const zoneEnds = [0.5, 0.6, 0.7, 0.8, 0.9]

/** Mean and maximum heart rate of the stream, and the seconds in each of six zones. A point counts until the next. */
function heartOf(beats: readonly number[], { start, end }: Workout, highest: number) {
  if (beats.length === 0) return { average_hr: null, max_hr: null, hr_zones: null }
  const hr_zones = [0, 0, 0, 0, 0, 0]
  let sum = 0
  const seconds = (end - start) / SECOND_MS
  for (const [at, rate] of beats.entries()) {
    const lasts = Math.min(STREAM_SECONDS, seconds - at * STREAM_SECONDS)
    sum += rate * lasts
    const zone = zoneEnds.filter((share) => rate >= share * highest).length
    hr_zones[zone] = (hr_zones[zone] ?? 0) + lasts
  }
  return { average_hr: Math.round(sum / seconds), max_hr: Math.max(...beats), hr_zones }
}

/** Source: contract/webhooks.md §4.3. */
const shallow = (workoutId: string) =>
  `Due to payload size limits, to access the workout stream, please use the /v2/timeseries/workouts/${workoutId}/stream endpoint.`

/** A stream notice for each finished workout. */
export const workoutStreamsOf: Make = (making) =>
  making.day.workouts
    .filter(({ end }) => isKnown(making, end))
    .map((workout) => ({
      user_id: making.connection.user_id,
      workout_id: workoutIdOf(making, workout),
      provider_id: providerIdOf(making, workout),
      message: shallow(workoutIdOf(making, workout)),
      source: sourceFor(making, typeOf(making)),
      sport: sportOf(workout),
    }))
