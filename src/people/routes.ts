import { clamp } from '../kernel/compare.ts'
import { SECOND_MS } from '../kernel/instant.ts'
import { kept } from '../kernel/kept.ts'
import { type Day, metresOf } from './day.ts'
import { between, courseAt, noiseOf } from './noise.ts'
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

/** The steps of the way out. */
const STEPS_OUT = 120
/** Each person has this many ways from home. */
const ROUTES = 3

/** One of the person's usual ways from home and back, as long as the workout; null indoors. */
export const routeOf = kept(8, (day: Day, workout: Workout): Route | null => {
  if (!workout.sport.isOutdoors) return null
  const { random, drawKey } = day
  const nth = Math.floor(day.noise('route')(workout.index) ** 1.5 * ROUTES)
  const noise = noiseOf(random, `route/${drawKey}/${nth}`)
  const metres = metresOf(day, workout)
  const path = pathOf(noise)
  const scale = metres / (2 * STEPS_OUT) / 111_320
  const [latitude, longitude] = day.person.home
  const hills = hillsOf(noise)
  const heights = Array.from({ length: 2 * STEPS_OUT + 1 }, (_, at) => hills(at / 2 / STEPS_OUT))
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
      const [x, y] = path(share)
      return [latitude + y * scale, longitude + (x * scale) / Math.cos((latitude * Math.PI) / 180)]
    },
  }
})

/** A winding way out and back, in steps of a length of 1. */
function pathOf(noise: (ordinal: number) => number): (share: number) => readonly [x: number, y: number] {
  const winding = wavesOf([1, 2, 3, 5], (times) => ({
    height: between(noise(10 + times), 0.2, 1.4) / Math.sqrt(times),
    phase: noise(20 + times),
  }))
  const line: [x: number, y: number][] = [[0, 0]]
  for (let step = 1; step <= STEPS_OUT; step++) {
    const heading = winding(step / STEPS_OUT) + 2 * Math.PI * noise(3)
    const [x, y] = line[step - 1] ?? [0, 0]
    line.push([x + Math.cos(heading), y + Math.sin(heading)])
  }
  return (share) => {
    const passed = STEPS_OUT * outwards(share)
    const before = Math.min(STEPS_OUT - 1, Math.floor(passed))
    const [[x, y], [nextX, nextY]] = [line[before] ?? [0, 0], line[before + 1] ?? [0, 0]]
    return [x + (nextX - x) * (passed - before), y + (nextY - y) * (passed - before)]
  }
}

/** How far out one is after a share of the whole way. */
const outwards = (share: number) => 1 - Math.abs(1 - 2 * clamp(share, 0, 1))

/** Heights on the way out, and back. */
function hillsOf(noise: (ordinal: number) => number): (share: number) => number {
  const waves = wavesOf([1, 2, 3, 4], (times) => ({
    height: noise(30 + times) / times,
    phase: noise(40 + times),
  }))
  return (share) => waves(outwards(share) / 2)
}

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

/** The share of half minutes outdoors in which somebody stands still, at a light or a crossing; assumed. */
const PAUSED = 0.06

/** Whether a workout is paused at a point of its stream. */
function pausesOf(day: Day, { index, sport }: Workout): (point: number) => boolean {
  const noise = day.noise(`pause/${index}`)
  return (point) => sport.isOutdoors && point > 0 && noise(Math.floor(point / 6)) < PAUSED
}

/** The seconds of a workout without its pauses. */
export function movingSeconds(day: Day, workout: Workout): number {
  const isPaused = pausesOf(day, workout)
  const points = Array.from({ length: pointsOf(workout) }, (_, point) => point)
  return (workout.end - workout.start) / SECOND_MS - STREAM_SECONDS * points.filter(isPaused).length
}

/** The share of a workout's length at each point of its stream: slower uphill, and never quite even. */
export const progressOf = kept(8, (day: Day, workout: Workout): Float64Array => {
  const route = routeOf(day, workout)
  const noise = day.noise(`speed/${workout.index}`)
  const isPaused = pausesOf(day, workout)
  const count = pointsOf(workout)
  const metres = metresOf(day, workout)
  const progress = new Float64Array(count)
  for (let point = 1; point < count; point++) {
    const share = point / count
    const rise = route ? ((route.heightAt(share + 0.005) - route.heightAt(share)) / metres) * 200 : 0
    const speed = 1 + 0.1 * courseAt(noise, point / 20) - 3 * clamp(rise, -0.06, 0.12)
    progress[point] = (progress[point - 1] as number) + (isPaused(point) ? 0 : Math.max(0.35, speed))
  }
  const whole = progress[count - 1] || 1
  return progress.map((passed) => passed / whole)
})
