import { SECOND_MS } from '../../kernel/instant.ts'
import { type Day, heartRate, metresOf, round, type Workout } from '../timeseries/service.ts'

/** Seconds from one point of a stream to the next. */
export const STREAM_SECONDS = 5

/** The power of cycling in watts; null for other sports. */
export const wattsOf = ({ sport, intensity: vigour }: Workout): number | null =>
  sport.slug === 'road_biking' ? 165 * vigour : null

/** Metres above the sea at a share of the way: two hills. */
const heightAt = (day: Day, share: number) => {
  const base = 40 + 260 * day.random.noise(`height/${day.userId}`)
  return base + 14 * Math.sin(share * 2 * Math.PI) ** 2 + 6 * Math.sin(share * Math.PI)
}

export function elevationOf(day: Day, { sport }: Workout) {
  if (!sport.isOutdoors) return { total_elevation_gain: null, elev_high: null, elev_low: null }
  const heights = Array.from({ length: 101 }, (_, at) => heightAt(day, at / 100))
  const gain = heights.reduce((sum, height, at) => sum + Math.max(0, height - (heights[at - 1] ?? height)), 0)
  return {
    total_elevation_gain: round(gain, 1),
    elev_high: round(Math.max(...heights), 1),
    elev_low: round(Math.min(...heights), 1),
  }
}

type Coordinates = readonly [latitude: number, longitude: number]

/** A round trip from a home in the Great Plains. */
function placeAt(day: Day, radiusMetres: number, share: number): Coordinates {
  const noise = (what: string) => day.random.noise(`home/${what}/${day.userId}`)
  const [latitude, longitude] = [40 + 3 * noise('latitude'), -101 + 3 * noise('longitude')]
  const angle = share * 2 * Math.PI
  const degrees = radiusMetres / 111_320
  return [
    round(latitude + degrees * Math.sin(angle), 6),
    round(longitude + (degrees * (1 - Math.cos(angle))) / Math.cos((latitude * Math.PI) / 180), 6),
  ]
}

export const routeOf = (day: Day, workout: Workout, points: number): Coordinates[] =>
  Array.from({ length: points + 1 }, (_, at) =>
    placeAt(day, metresOf(day, workout) / (2 * Math.PI), at / points),
  )

/** Google's encoded polyline: differences of 1e-5 degrees, five bits a letter. */
export function polylineOf(route: readonly Coordinates[]): string {
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

/** The number of points of a workout's stream. */
const pointsOf = ({ start, end }: Workout) => Math.floor((end - start) / SECOND_MS / STREAM_SECONDS) + 1

/** Beats a minute at each point of a workout. */
export function beatsOf(day: Day, workout: Workout): number[] {
  const noise = day.noise(`stream/${workout.index}`)
  return Array.from({ length: pointsOf(workout) }, (_, point) =>
    Math.round(heartRate(day, workout.start + point * STREAM_SECONDS * SECOND_MS, noise(point))),
  )
}

/** The stream of a workout: columns of equal length, or empty if the sport has no such data. Source: contract/wearables.md §7.13. */
export function streamOf(day: Day, workout: Workout) {
  const { start, end, sport, intensity: vigour } = workout
  const count = pointsOf(workout)
  const metres = metresOf(day, workout)
  const watts = wattsOf(workout)
  const noise = day.noise(`stream/${workout.index}`)
  const points = <Value>(isThere: boolean, at: (point: number, share: number) => Value): Value[] =>
    isThere ? Array.from({ length: count }, (_, point) => at(point, point / Math.max(1, count - 1))) : []
  const radius = metres / (2 * Math.PI)
  const speed = metres / ((end - start) / SECOND_MS)
  return {
    cadence: points(sport.cadence > 0, (point) =>
      Math.round(sport.cadence * vigour * (0.97 + 0.06 * noise(point))),
    ),
    time: points(true, (point) => start / SECOND_MS + point * STREAM_SECONDS),
    altitude: points(sport.isOutdoors, (_, share) => round(heightAt(day, share), 1)),
    velocity_smooth: points(metres > 0, (point) => round(speed * (0.92 + 0.16 * noise(point)), 2)),
    heartrate: beatsOf(day, workout),
    lat: points(sport.isOutdoors, (_, share) => placeAt(day, radius, share)[0]),
    lng: points(sport.isOutdoors, (_, share) => placeAt(day, radius, share)[1]),
    distance: points(metres > 0, (_, share) => round(metres * share, 1)),
    power: points(watts !== null, (point) => Math.round((watts ?? 0) * (0.8 + 0.4 * noise(point)))),
    resistance: [] as number[],
    temperature: points(sport.isOutdoors, () => round(8 + 14 * day.random.noise(`weather/${day.date}`), 0)),
  }
}
