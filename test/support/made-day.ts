import { MINUTE_MS } from '../../src/kernel/instant.ts'
import type { Day } from '../../src/people/day.ts'
import { type Sleep, STAGES, type Stage, type StageSpan } from '../../src/people/night.ts'
import type { Workout } from '../../src/people/workouts.ts'
import { connect } from '../../src/resources/connecting/service.ts'
import { type Connection, connectionId, connections } from '../../src/resources/connections/table.ts'
import { itemsOf, type Making, makingOf } from '../../src/resources/summaries/making.ts'
import { getSummary } from '../../src/resources/summaries/service.ts'
import { dayOfConnection } from '../../src/resources/timeseries/service.ts'
import { workoutOf } from './lives.ts'
import { startTestWorld, type TestPetri } from './petri.ts'
import { openData, wearer } from './wearables.ts'

/** A day that is over, and on which every device is worn. */
export const DATE = '2026-01-04'
export const MIDNIGHT = Date.parse(`${DATE}T00:00:00Z`)
/** An instant of that day, in UTC. */
export const at = (hour: number, minute = 0): number => MIDNIGHT + (60 * hour + minute) * MINUTE_MS

/** A user's new connection to any provider. */
export async function connection(petri: TestPetri, provider: string, body: object = {}): Promise<Connection> {
  const userId = await wearer(petri, [], body)
  connect(petri.world(), userId, provider)
  openData(petri, userId)
  return connectionOf(petri, userId, provider)
}

export function connectionOf(petri: TestPetri, userId: string, provider: string): Connection {
  const found = petri.world().db.find(connections, connectionId(userId, provider))
  if (!found) throw new Error(`${userId} is not connected to ${provider}`)
  return found
}

interface Made {
  readonly date?: string
  readonly asOf?: number
  /** What differs on the day. */
  readonly day?: (day: Day) => Partial<Day>
}

/** The summaries of a connection on a day of which parts are made up. */
export function made(
  petri: TestPetri,
  resource: string,
  of: Connection,
  { date = DATE, asOf, day }: Made = {},
  // biome-ignore lint/suspicious/noExplicitAny: tests look into summaries of every shape.
): any[] {
  const world = petri.world()
  const summary = getSummary(resource)
  const making: Making = makingOf(world, summary, of, date, asOf ?? world.clock.now())
  return itemsOf(summary, { ...making, day: { ...making.day, ...day?.(making.day) } })
}

/** Noise that is the same everywhere. */
export const evenly = (chance: number) => (): (() => number) => () => chance

/** A sleep that begins at an instant: pairs of stage and minutes. */
export function sleepOf(
  { nights: [night] }: Day,
  start: number,
  parts: readonly (readonly [stage: keyof typeof STAGES, minutes: number])[],
  kind: Sleep['kind'] = 'night',
): Sleep {
  const stages: StageSpan[] = []
  let from = start
  for (const [stage, minutes] of parts) {
    const end = from + minutes * MINUTE_MS
    stages.push({ start: from, end, stage: STAGES[stage] as Stage })
    from = end
  }
  return { ...night, kind, start, end: from, stages }
}

export type Parts = Parameters<typeof sleepOf>[2]

/** Seven and a half hours of sleep, of which three are deep or REM, in bed from 23:00 until 07:37. */
export const usualNight: Parts = [
  ['awake', 20],
  ['light', 200],
  ['deep', 100],
  ['awake', 47],
  ['rem', 80],
  ['light', 70],
]

/** The night of a day, and its naps, as a provider reports them; the body is as usual unless it is said. */
export async function sleepsAt(
  provider: string,
  { night = usualNight, naps = [] as Parts[], body = {}, asOf = at(20), chance = 0.5 } = {},
) {
  const petri = await startTestWorld()
  const own = await connection(petri, provider)
  const day = (real: Day): Partial<Day> => ({
    noise: evenly(chance),
    body: { ...real.body, hrv: 40, restingHeart: 60, temperature: 0.2, ...body },
    baseline: () => ({ ...real.baseline(), hrv: 40, restingHeart: 60, temperature: 0.2, sleepHours: 7.5 }),
    nights: [sleepOf(real, at(-1), night), real.nights[1]],
    naps: naps.map((parts, nth) => sleepOf(real, at(13 + 2 * nth), parts, 'nap')),
  })
  return made(petri, 'sleep', own, { day, asOf })
}

export const running = {
  id: 40,
  name: 'Running',
  slug: 'running',
  cadence: 160,
  effort: 0.7,
  isOutdoors: true,
}
export const cycling = {
  id: 108,
  name: 'Road Biking',
  slug: 'road_biking',
  speed: 6,
  effort: 0.6,
  isOutdoors: true,
}
export const yoga = { id: 60, name: 'Yoga', slug: 'yoga', effort: 0.2 }

/** From noon for 20 minutes and twelve seconds. */
export const OVER = at(12, 20) + 12_000
export const noon = (sport: object, more: Partial<Workout> = {}) => workoutOf(at(12), OVER, sport, more)

/** A day on which every minute has 100 steps, 80 metres, 5 active and 1 basal kilocalories. */
export const moving =
  (...workouts: Workout[]) =>
  (day: Day): Partial<Day> => {
    const each: Record<string, number> = { steps: 100, metres: 80, active: 5, basal: 1 }
    const sums = (amount: string) =>
      Float64Array.from({ length: 1441 }, (_, minute) => minute * (each[amount] ?? 0))
    return { minutes: { ...day.minutes, sums }, noise: evenly(0.5), workouts }
  }

/** The workouts of a day at a provider, and their notices. */
export async function trained(
  workouts: readonly Workout[],
  { provider = 'garmin', asOf = at(22), body = {} } = {},
) {
  const petri = await startTestWorld()
  const own = await connection(petri, provider, body)
  const day = moving(...workouts)
  const real = dayOfConnection(petri.world(), own, DATE)
  return {
    own,
    day: { ...real, ...day(real) },
    items: made(petri, 'workouts', own, { day, asOf }),
    notices: made(petri, 'workout_stream', own, { day, asOf }),
  }
}
