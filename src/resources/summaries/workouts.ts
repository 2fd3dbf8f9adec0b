import { SECOND_MS, toWire } from '../../kernel/instant.ts'
import { largest, smallest } from '../../kernel/list.ts'
import { heartRate } from '../../people/curves.ts'
import { type Day, metresOf } from '../../people/day.ts'
import { deviceFactor } from '../../people/devices.ts'
import { hasHabit } from '../../people/habits.ts'
import type { Amount } from '../../people/minutes.ts'
import { round } from '../../people/noise.ts'
import { type Coordinates, highestHeart } from '../../people/person.ts'
import { movingSeconds, pointsOf, progressOf, routeOf, STREAM_SECONDS } from '../../people/routes.ts'
import type { Workout } from '../../people/workouts.ts'
import type { ProviderTraits } from '../catalogue/schema.ts'
import { traitsOf } from '../providers/service.ts'
import { offsetSent, samplesWithin, sessionId } from '../timeseries/service.ts'
import { type Item, isKnown, type Make, type Making, sourceFor, stampsOf } from './making.ts'

/** The finished workouts of a day. */
export const workoutsOf: Make = (making) => finished(making).map((workout) => toItem(making, workout))

export const workoutOutline: Make = (making) =>
  finished(making).map((workout) => ({ id: workoutIdOf(making, workout), time_start: toWire(workout.start) }))

function finished(making: Making): Workout[] {
  const { sports } = traitsOf(making.world, making.connection)
  return making.day.workouts.filter(
    ({ end, sport }) => (sports.length === 0 || sports.includes(sport.slug)) && isKnown(making, end),
  )
}

const workoutIdOf = ({ world, connection }: Making, { date, index }: Workout): string =>
  sessionId(world.ids, { kind: 'workout', ordinal: connection.ordinal, date, index })

const sportOf = ({ sport: { id, name, slug } }: Workout) => ({ id, name, slug })

/** The last hours of the parts of a day. */
const parts = [
  ['Morning', 11],
  ['Lunch', 13],
  ['Afternoon', 17],
  ['Evening', 24],
] as const

function titleOf({ world, connection, day }: Making, { sport, start }: Workout): string {
  const [part = ''] = parts.find(([, last]) => day.hourAt(start) <= last) ?? []
  return (traitsOf(world, connection).titles[sport.slug] ?? sport.name).replace('{part}', part)
}

/** The provider's id of a workout. */
const providerIdOf = (making: Making, workout: Workout): string =>
  making.world.ids.letters(`workout/provider/${workoutIdOf(making, workout)}`, '0123456789', 11)

function toItem(making: Making, workout: Workout): Item {
  const { connection, day, world, asOf } = making
  const { start, end, sport } = workout
  const seconds = movingSeconds(day, workout)
  const beats = samplesWithin(world, 'heartrate', connection, { from: start, until: end, asOf })
  const metres = metresOf(day, workout)
  const minute = (instant: number) => Math.round((instant - day.start) / 60_000)
  const during = (sum: Float64Array) => (sum[minute(end)] ?? 0) - (sum[minute(start)] ?? 0)
  const counted = (amount: Amount) =>
    during(day.minutes.sums(amount)) * deviceFactor(day.person, day.device, amount)
  const isMoving = metres > 0
  const elevation = elevationOf(day, workout)
  const watts = hasPowerMeter(making) ? wattsOf(workout) : null
  return {
    id: workoutIdOf(making, workout),
    user_id: connection.user_id,
    title: titleOf(making, workout),
    timezone_offset: offsetSent(
      world,
      connection,
      traitsOf(world, connection).session_offset,
      day.offsetAt(start),
    ),
    ...heartOf(beats.length > 0 ? beatsOf(day, workout) : [], workout, highestHeart(day.person, day.date)),
    distance: isMoving ? round(metres, 1) : null,
    calendar_date: day.date,
    time_start: toWire(start),
    time_end: toWire(end),
    calories: round(counted('active') + counted('basal'), 1),
    sport: sportOf(workout),
    moving_time: isMoving ? seconds : null,
    ...elevation,
    average_speed: isMoving ? round(metres / seconds, 2) : null,
    max_speed: isMoving ? round(metres * fastestOf(progressOf(day, workout)), 2) : null,
    average_watts: watts && round(watts, 0),
    device_watts: watts && round(watts, 0),
    max_watts: watts && round(watts * 1.8, 0),
    weighted_average_watts: watts && round(watts * 1.05, 0),
    steps: sport.cadence > 0 ? Math.round(counted('steps')) : null,
    map: mapOf(making, workout),
    provider_id: providerIdOf(making, workout),
    user_key: connection.user_id,
    source: sourceFor(making),
    ...stampsOf(making, end),
  }
}

function mapOf(making: Making, workout: Workout) {
  const route = routeOf(making.day, workout)
  const line = (points: number) =>
    polylineOf(Array.from({ length: points + 1 }, (_, at) => route?.placeAt(at / points) ?? [0, 0]))
  return route && { id: workoutIdOf(making, workout), polyline: line(60), summary_polyline: line(12) }
}

/** The upper ends of all zones except the last, as shares of the maximum heart rate. Source: docs/contract/health-data.md#summaries. */
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
  return { average_hr: Math.round(sum / seconds), max_hr: largest(beats), hr_zones }
}

/** A stream notice for each finished workout. Source: docs/contract/webhooks.md#events. */
export const workoutStreamsOf: Make = (making) =>
  finished(making).map((workout) => ({
    user_id: making.connection.user_id,
    workout_id: workoutIdOf(making, workout),
    provider_id: providerIdOf(making, workout),
    message: `Due to payload size limits, to access the workout stream, please use the /v2/timeseries/workouts/${workoutIdOf(making, workout)}/stream endpoint.`,
    source: sourceFor(making),
    sport: sportOf(workout),
  }))

/** Whether a user's rides have power: where the provider measures it, and of those with a power meter. */
export const hasPowerMeter = ({ world, connection, day }: Making): boolean =>
  hasHabit(day.person, day.date, 'power', traitsOf(world, connection).power.of === 'all')

/** The power of cycling in watts; null for other sports. */
const wattsOf = ({ sport, intensity: vigour }: Workout): number | null =>
  sport.slug === 'road_biking' ? 165 * vigour : null

function elevationOf(day: Day, workout: Workout) {
  const route = routeOf(day, workout)
  if (!route) return { total_elevation_gain: null, elev_high: null, elev_low: null }
  const heights = Array.from({ length: 101 }, (_, at) => route.heightAt(at / 100))
  return {
    total_elevation_gain: Math.round(route.gain),
    elev_high: round(largest(heights), 1),
    elev_low: round(smallest(heights), 1),
  }
}

const fastestOf = (progress: Float64Array): number =>
  progress.reduce((most, _, point) => Math.max(most, speedAt(progress, point)), 0)

/** Google's encoded polyline: differences of 1e-5 degrees, five bits a letter. */
function polylineOf(route: readonly Coordinates[]): string {
  let text = ''
  let last: Coordinates = [0, 0]
  for (const [latitude, longitude] of route) {
    const place: Coordinates = [Math.round(latitude * 1e5), Math.round(longitude * 1e5)]
    text += lettersOf(place[0] - last[0]) + lettersOf(place[1] - last[1])
    last = place
  }
  return text
}

function lettersOf(difference: number): string {
  let bits = difference < 0 ? ~(difference << 1) : difference << 1
  let text = ''
  for (; bits >= 0x20; bits >>= 5) text += String.fromCharCode((0x20 | (bits & 0x1f)) + 63)
  return text + String.fromCharCode(bits + 63)
}

/** Beats a minute at each point of a workout. */
export function beatsOf(day: Day, workout: Workout): number[] {
  const noise = day.noise(`stream/${workout.index}`)
  return Array.from({ length: pointsOf(workout) }, (_, point) =>
    Math.round(heartRate(day, workout.start + point * STREAM_SECONDS * SECOND_MS, noise(point))),
  )
}

/**
 * The stream of a workout: columns of equal length, or empty if the sport has no such data, or the provider lacks what
 * they belong to. Source: docs/contract/health-data.md#summaries.
 */
export function streamOf(
  day: Day,
  workout: Workout,
  lacks: readonly string[] = [],
  { gaps, resistance }: Partial<ProviderTraits['power']> = {},
) {
  const { start, sport, intensity } = workout
  const route = lacks.includes('map') ? null : routeOf(day, workout)
  const progress = progressOf(day, workout)
  const metres = metresOf(day, workout)
  const watts = lacks.includes('average_watts') ? null : wattsOf(workout)
  const noise = day.noise(`stream/${workout.index}`)
  const points = <Value>(isThere: boolean, at: (point: number, share: number) => Value): Value[] =>
    isThere ? Array.from(progress, (share, point) => at(point, share)) : []
  // Satellites are off by less than a metre.
  const places = points(route !== null, (point, share) =>
    (route?.placeAt(share) ?? [0, 0]).map((degrees, axis) =>
      round(degrees + 8e-6 * (noise(4000 + 2 * point + axis) - 0.5), 6),
    ),
  )
  return {
    cadence: points(sport.cadence > 0, (point) =>
      Math.round(sport.cadence * intensity * (0.97 + 0.06 * noise(point))),
    ),
    time: points(true, (point) => start / SECOND_MS + point * STREAM_SECONDS),
    altitude: points(route !== null, (_, share) => round(route?.heightAt(share) ?? 0, 1)),
    velocity_smooth: points(metres > 0, (point) => round(speedAt(progress, point) * metres, 2)),
    heartrate: beatsOf(day, workout),
    lat: places.map(([latitude = 0]) => latitude),
    lng: places.map(([, longitude = 0]) => longitude),
    distance: points(metres > 0, (_, share) => round(metres * share, 1)),
    power: points(watts !== null, (point) =>
      gaps && noise(point + 8000) < GAPS ? null : Math.round((watts ?? 0) * (0.8 + 0.4 * noise(point))),
    ),
    resistance: points(watts !== null && resistance === true, (point) => Math.round(35 + 20 * noise(point))),
    temperature: points(route !== null, () => round(8 + 14 * day.random.noise(`weather/${day.date}`), 0)),
  }
}

/** The share of points at which a power meter that has gaps sends nothing; assumed. */
const GAPS = 0.03

/** The share of the length in a second. */
const speedAt = (progress: Float64Array, point: number): number =>
  ((progress[Math.max(1, point)] ?? 0) - (progress[Math.max(0, point - 1)] ?? 0)) / STREAM_SECONDS
