import type { Parsed } from '../../api/schema.ts'
import { DAY_MS, toDate } from '../../kernel/instant.ts'
import { JsonText } from '../../kernel/json.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { type Connection, connections } from '../connections/table.ts'
import type { WindowQuery } from '../timeseries/schema.ts'
import {
  connectionSamples,
  dayOfConnection,
  getSeries,
  readSessionId,
  sampleWriter,
} from '../timeseries/service.ts'
import { getUser } from '../users/service.ts'
import { getSummary, type Summary, summaryTable } from './catalogue.ts'
import { type Dated, listInSteps, listSummaries } from './list.ts'
import { isKnown, makingOf } from './make.ts'
import type { SleepStream, WorkoutStream } from './schema.ts'
import { storedSummaries } from './stored.ts'
import { streamOf } from './stream.ts'

export { eventsOfSummaries } from './announce.ts'
export { findSummary, type Summary } from './catalogue.ts'
export { type Dates, eachSummary, listSummaries } from './list.ts'
export { rawDevices, rawOf, rawProfile } from './raw.ts'
export { storeSummary } from './store.ts'
export { dropStoredSummaries } from './stored.ts'

/** The names of all summaries, as in events. */
export const summaryResources: readonly string[] = summaryTable.map(({ resource }) => resource)

/** The last instant whose date has four digits of a year. */
const LATEST = Date.UTC(9999, 11, 31)

/** A user's summaries between two instants. Workouts are selected by their start, all others by their local date. Yields between days. */
export function* readSummaries(
  world: World,
  summary: Summary,
  userId: string,
  { start_date, end_date, provider }: Parsed<typeof WindowQuery>,
): Generator<void, Dated[]> {
  getUser(world, userId)
  const until = end_date ?? world.clock.now()
  const isByStart = summary.resource === 'workouts'
  // The local date of a workout can be the day before or after its date in UTC.
  const away = isByStart ? DAY_MS : 0
  // Without an end, up to tomorrow, because of time zones ahead of UTC.
  const last = end_date === undefined || end_date === null ? until + DAY_MS : until + away
  const found = yield* listInSteps(
    world,
    summary,
    userId,
    { first: toDate(start_date - away), last: toDate(Math.min(last, LATEST)) },
    provider,
  )
  if (!isByStart) return found
  return found.filter(({ item }) => {
    const at = Date.parse(String(item.time_start))
    return at >= start_date && at <= until
  })
}

/** The profile of a user at the provider that was connected first. */
export function getProfile(world: World, userId: string, provider: string): Dated {
  getUser(world, userId)
  const dates = { first: '0000-01-01', last: '9999-12-31' }
  const [found] = listSummaries(world, getSummary('profile'), userId, dates, provider)
  if (!found) throw new Problem('not_found', 'Not found')
  return found
}

/** The points of a workout. */
export function getWorkoutStream(world: World, id: string): Parsed<typeof WorkoutStream> {
  if (world.db.has(storedSummaries, id)) return noStream
  const { connection, date, index } = findSession(world, 'workout', id)
  const making = makingOf(world, 'workout_stream', connection, date, world.clock.now())
  const workout = making.day.workouts[index]
  if (!workout || !isKnown(making, workout.end)) throw notFound()
  return streamOf(making.day, workout)
}

/** The stream of a stored session, which has no points. */
const noStream: Parsed<typeof WorkoutStream> = {
  ...{ cadence: [], time: [], altitude: [], velocity_smooth: [], heartrate: [], lat: [] },
  ...{ lng: [], distance: [], power: [], resistance: [], temperature: [] },
}

/** The stream of a night. */
export function getSleepStream(world: World, id: string): JsonText<Parsed<typeof SleepStream>> {
  const slugs = ['hrv', 'heartrate', 'hypnogram', 'respiratory_rate'] as const
  const rows = (samplesOf: (slug: string) => readonly string[]) =>
    new JsonText<Parsed<typeof SleepStream>>(
      `{${slugs.map((slug) => `"${slug}":[${samplesOf(slug).join(',')}]`).join(',')}}`,
    )
  if (world.db.has(storedSummaries, id)) return rows(() => [])
  const { connection, date } = findSession(world, 'sleep', id)
  const night = dayOfConnection(world, connection, date).nights[0]
  if (!isKnown(makingOf(world, 'sleep', connection, date, world.clock.now()), night.end)) throw notFound()
  const span = { from: night.start, until: night.end - 1 }
  return rows((slug) =>
    [...connectionSamples(world, getSeries(slug), connection, span)].map(sampleWriter(getSeries(slug))),
  )
}

function findSession(world: World, kind: 'workout' | 'sleep', id: string) {
  const key = readSessionId(world.random, kind, id)
  const connection: Connection | undefined =
    key && world.db.by(connections, 'ordinal', String(key.ordinal))[0]
  if (!key || !connection) throw notFound()
  getUser(world, connection.user_id)
  return { connection, date: key.date, index: key.index }
}

const notFound = () => new Problem('not_found', 'Not found')
