import { SECOND_MS } from '../kernel/instant.ts'
import { kept } from '../kernel/kept.ts'
import { type Day, metresOf } from './day.ts'
import { between, clamp, noiseOf } from './noise.ts'
import type { Coordinates } from './person.ts'
import type { Workout } from './workouts.ts'

/** The route of a workout; shares are of its length. */
interface Route {
  placeAt(share: number): Coordinates
  /** Metres above the sea. */
  heightAt(share: number): number
  /** Metres climbed in all. */
  readonly gain: number
}

/** Points that a route is computed from. */
const POINTS = 240
/** Each person has this many loops from home. */
const ROUTES = 3
const shares = Array.from({ length: POINTS + 1 }, (_, at) => at / POINTS)

/** One of the person's usual loops from home, as long as the workout; null indoors. */
export const routeOf = kept(8, (day: Day, workout: Workout): Route | null => {
  if (!workout.sport.isOutdoors) return null
  const { random, drawKey } = day
  const nth = Math.floor(day.noise('route')(workout.index) ** 1.5 * ROUTES)
  const noise = noiseOf(random, `route/${drawKey}/${nth}`)
  const metres = metresOf(day, workout)
  const path = pathOf(noise)
  const scale = metres / path.length / 111_320
  const [latitude, longitude] = day.person.home
  const hills = hillsOf(noise)
  const heights = shares.map(hills)
  const climb = heights.reduce(
    (sum, height, at) => sum + Math.max(0, height - (heights[at - 1] ?? height)),
    0,
  )
  // Metres of climbing a kilometre.
  const gain = (metres / 1000) * between(noise(1), 2, 16)
  const ground = between(random.noise(`home/height/${drawKey}`), 40, 300)
  return {
    gain,
    heightAt: (share) => ground + ((hills(share) - hills(0)) * gain) / climb,
    placeAt(share) {
      const [x, y] = path.at(share)
      return [latitude + y * scale, longitude + (x * scale) / Math.cos((latitude * Math.PI) / 180)]
    },
  }
})

/** A winding line from the origin, which ends there. */
function pathOf(noise: (ordinal: number) => number) {
  const turns = Math.sign(noise(2) - 0.5) || 1
  const winding = wavesOf([1, 2, 3, 5], (times) => ({
    height: between(noise(10 + times), 0.2, 1.4) / Math.sqrt(times),
    phase: noise(20 + times),
  }))
  const headingAt = (share: number) => winding(share) + 2 * Math.PI * (noise(3) + turns * share)
  const line: [x: number, y: number][] = [[0, 0]]
  for (const share of shares.slice(1)) {
    const [x, y] = line.at(-1) ?? [0, 0]
    line.push([x + Math.cos(headingAt(share)), y + Math.sin(headingAt(share))])
  }
  const [endX, endY] = line.at(-1) ?? [0, 0]
  const points = line.map(([x, y], at) => [x - (endX * at) / POINTS, y - (endY * at) / POINTS] as const)
  const passed = [0]
  for (const [at, [x, y]] of points.entries()) {
    const [beforeX, beforeY] = points[at - 1] ?? [x, y]
    if (at > 0) passed.push((passed.at(-1) ?? 0) + Math.hypot(x - beforeX, y - beforeY))
  }
  const length = passed.at(-1) ?? 1
  return {
    length,
    at(share: number): readonly [x: number, y: number] {
      const wanted = share * length
      const after = clamp(
        passed.findIndex((metres) => metres >= wanted),
        1,
        POINTS,
      )
      const [from, until] = [passed[after - 1] ?? 0, passed[after] ?? length]
      const [[x, y], [nextX, nextY]] = [points[after - 1] ?? [0, 0], points[after] ?? [0, 0]]
      const part = clamp((wanted - from) / (until - from || 1), 0, 1)
      return [x + (nextX - x) * part, y + (nextY - y) * part]
    },
  }
}

/** Heights along a loop. */
const hillsOf = (noise: (ordinal: number) => number) =>
  wavesOf([1, 2, 3, 4], (times) => ({ height: noise(30 + times) / times, phase: noise(40 + times) }))

/** Waves of several lengths, added up. A count says how often its wave fits into a loop. */
function wavesOf(
  counts: readonly number[],
  of: (times: number) => { readonly height: number; readonly phase: number },
): (share: number) => number {
  const waves = counts.map((times) => ({ times, ...of(times) }))
  return (share) =>
    waves.reduce(
      (sum, { times, height, phase }) => sum + height * Math.sin(2 * Math.PI * (times * share + phase)),
      0,
    )
}

/** Seconds from one point of a stream to the next. */
export const STREAM_SECONDS = 5

/** The number of points of a workout's stream. */
export const pointsOf = ({ start, end }: Workout): number =>
  Math.floor((end - start) / SECOND_MS / STREAM_SECONDS) + 1

/** The share of a workout's length at each point of its stream: slower uphill, and never quite even. */
export const progressOf = kept(8, (day: Day, workout: Workout): Float64Array => {
  const route = routeOf(day, workout)
  const noise = day.noise(`speed/${workout.index}`)
  const count = pointsOf(workout)
  const metres = metresOf(day, workout)
  const progress = new Float64Array(count)
  const waveAt = (point: number, length: number, offset: number) => {
    const part = Math.floor(point / length)
    const share = (1 - Math.cos(Math.PI * (point / length - part))) / 2
    return noise(offset + part) * (1 - share) + noise(offset + part + 1) * share - 0.5
  }
  for (let point = 1; point < count; point++) {
    const share = point / count
    const rise = route ? ((route.heightAt(share + 0.005) - route.heightAt(share)) / metres) * 200 : 0
    const speed =
      1 + 0.16 * waveAt(point, 30, 0) + 0.12 * waveAt(point, 7, 5000) - 3 * clamp(rise, -0.06, 0.12)
    progress[point] = (progress[point - 1] as number) + Math.max(0.35, speed)
  }
  const whole = progress[count - 1] || 1
  return progress.map((passed) => passed / whole)
})
