import { toWire } from '../../kernel/instant.ts'
import { offsetSeconds } from '../../kernel/local-day.ts'
import { runAtOnce } from '../../kernel/slices.ts'
import { connect, failConnection, fetchNow, putDevice } from '../../resources/connections/service.ts'
import {
  type Connection,
  type ConnectionTrouble,
  connectionId,
  connections,
  isConnected,
  isLive,
} from '../../resources/connections/table.ts'
import { getSeries, isFloating, storeSamples } from '../../resources/timeseries/service.ts'
import type { Job } from '../../scheduler/job.ts'
import type { World } from '../../world/world.ts'
import { type Act, isAct, type SampleStep } from './steps.ts'
import { type ConnectionFeed, connectionFeeds, feedId } from './table.ts'

/** A job that runs an act of a feed scenario. */
export const ACT = 'feeds.act'
/** A job that starts a feed scenario once the repository is ready. */
export const BEGIN = 'feeds.begin'

interface ActData {
  readonly feed: string
  readonly chapter: number
  readonly step: number
}

const subjectOf = ({ feed, chapter, step }: ActData) => `${feed}/${chapter}/${step}`

/** Schedules the acts of a connection's last chapter. */
export function scheduleActs(world: World, feed: ConnectionFeed): void {
  for (const { data, due } of actsOf(feed))
    world.agenda.schedule({ due, kind: ACT, subject: subjectOf(data), data: { ...data } })
}

/** Cancels the pending acts of the last chapter. */
export function dropActs(world: World, feed: ConnectionFeed): void {
  for (const { data } of actsOf(feed)) world.agenda.cancel(ACT, subjectOf(data))
}

function actsOf({ user_id, provider, chapters }: ConnectionFeed) {
  const chapter = chapters.length - 1
  const { began = 0, steps = [] } = chapters[chapter] ?? {}
  return steps.flatMap((step, at) =>
    isAct(step)
      ? [{ due: began + step.atMs, data: { feed: feedId(user_id, provider), chapter, step: at } }]
      : [],
  )
}

/** Runs an act if the connection still exists and follows the same chapter. */
export function takeAct(world: World, { data }: Job): void {
  const { feed, chapter, step: at } = data as ActData
  const row = world.db.find(connectionFeeds, feed)
  const step = row?.chapters[chapter]?.steps[at]
  const connection = row && world.db.find(connections, connectionId(row.user_id, row.provider))
  if (!step || !connection || !isConnected(world, connection) || !isAct(step)) return
  acts[step.verb](world, connection, step as never)
}

const acts: {
  readonly [Verb in Act['verb']]: (world: World, of: Connection, step: Extract<Act, { verb: Verb }>) => void
} = {
  error(world, connection, { errorType, message }) {
    const { user_id, provider } = connection
    // Data that arrived before the error is delivered first.
    fetchNow(world, connection)
    failConnection(world, user_id, provider, {
      errorType: errorType as ConnectionTrouble['error_type'],
      message,
    })
  },
  reconnect(world, { user_id, provider, demo, error }) {
    if (error) connect(world, user_id, provider, { demo })
  },
  device(world, { user_id, provider }, { sourceType, change }) {
    putDevice(world, user_id, provider, sourceType ?? undefined, change)
  },
  sample(world, connection, step) {
    if (isLive(world, connection)) putSample(world, connection, step)
  },
}

function putSample(world: World, connection: Connection, { series, value, type, lastsMs }: SampleStep): void {
  const { user_id, provider } = connection
  const now = world.clock.now()
  const start = now - lastsMs
  const effects = world.parts.feedScenarios.effectsOf(world, connection)
  const zone = effects?.zoneOn(effects.dateAt(start)) ?? connection.time_zone
  const sample = {
    timestamp: toWire(start),
    end: toWire(now),
    timezone_offset: isFloating(provider) ? null : offsetSeconds(zone, start),
    value,
    type,
  }
  runAtOnce(storeSamples(world, { userId: user_id, series: getSeries(series), provider, samples: [sample] }))
}
