import type { Parsed } from '../../api/schema.ts'
import { JsonText } from '../../kernel/json.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { type Connection, connections } from '../connections/table.ts'
import { traitsOf } from '../providers/service.ts'
import {
  connectionSamples,
  dayOfConnection,
  getSeries,
  readSessionId,
  sampleWriter,
} from '../timeseries/service.ts'
import { getUser } from '../users/service.ts'
import { getSummary } from './catalogue.ts'
import { isKnown, makingOf } from './making.ts'
import { type SleepStream, WorkoutStream } from './schema.ts'
import { sleepsOn } from './sleep.ts'
import { storedSummaries } from './table.ts'
import { hasPowerMeter, streamOf } from './workouts.ts'

/** The points of a workout; `ownerId` is the user to whose data the caller is limited. */
export function getWorkoutStream(world: World, id: string, ownerId?: string): Parsed<typeof WorkoutStream> {
  const isOpen = (userId: string) => ownerId === undefined || ownerId === userId
  const stored = world.db.find(storedSummaries, id)
  if (stored?.item === null) throw notFound()
  if (stored && isOpen(stored.user_id)) return noStream()
  const { connection, date, index } = findSession(world, 'workout', id)
  if (!isOpen(connection.user_id)) throw notFound()
  const making = makingOf(world, getSummary('workout_stream'), connection, date, world.clock.now())
  const workout = making.day.workouts[index]
  if (!workout || !isKnown(making, workout.end)) throw notFound()
  const { nulls, power } = traitsOf(world, connection)
  const lacks = [...(nulls.workouts ?? []), ...(hasPowerMeter(making) ? [] : ['average_watts'])]
  return streamOf(making.day, workout, lacks, power)
}

/** The stream of a night or a nap. */
export function getSleepStream(world: World, id: string): JsonText<Parsed<typeof SleepStream>> {
  const slugs = ['hrv', 'heartrate', 'hypnogram', 'respiratory_rate'] as const
  const rows = (samplesOf: (slug: string) => readonly string[]) =>
    new JsonText<Parsed<typeof SleepStream>>(
      `{${slugs.map((slug) => `"${slug}":[${samplesOf(slug).join(',')}]`).join(',')}}`,
    )
  const stored = world.db.find(storedSummaries, id)
  if (stored?.item === null) throw notFound()
  if (stored) return rows(() => [])
  const { connection, date, index } = findSession(world, 'sleep', id)
  const night = sleepsOn(dayOfConnection(world, connection, date))[index]
  if (
    !night ||
    !isKnown(makingOf(world, getSummary('sleep'), connection, date, world.clock.now()), night.end)
  )
    throw notFound()
  const span = { from: night.start, until: night.end - 1 }
  return rows((slug) =>
    [...connectionSamples(world, getSeries(slug), connection, span)].map(sampleWriter(getSeries(slug))),
  )
}

function findSession(world: World, kind: 'workout' | 'sleep', id: string) {
  const key = readSessionId(world.ids, kind, id)
  const connection: Connection | undefined =
    key && world.db.by(connections, 'ordinal', String(key.ordinal))[0]
  if (!key || !connection) throw notFound()
  getUser(world, connection.user_id)
  return { connection, date: key.date, index: key.index }
}

/** The stream of a stored session, which has no points. */
const noStream = () =>
  WorkoutStream().parse(Object.fromEntries(Object.keys(WorkoutStream().shape).map((column) => [column, []])))

const notFound = () => new Problem('not_found', 'Not found')
