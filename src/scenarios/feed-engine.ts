import type { JobKinds } from '../api/resource.ts'
import type { FeedEffects, FeedOf, FeedScenarios } from '../api/scenarios.ts'
import { toWire } from '../kernel/instant.ts'
import { perOwner } from '../kernel/kept.ts'
import { compact } from '../kernel/list.ts'
import { offsetSeconds } from '../kernel/local-day.ts'
import { runAtOnce } from '../kernel/slices.ts'
import {
  connect,
  disconnect,
  failConnection,
  fetchNow,
  pauseConnection,
  putDevice,
  storeSamples,
} from '../resources/connecting/service.ts'
import {
  type Connection,
  type ConnectionTrouble,
  connectionId,
  connections,
  isConnected,
  isLive,
} from '../resources/connections/table.ts'
import { getSeries, isFloating } from '../resources/timeseries/service.ts'
import { nameIn } from '../resources/users/service.ts'
import { users } from '../resources/users/table.ts'
import type { Job } from '../scheduler/job.ts'
import type { World } from '../world/world.ts'
import { edit } from './feeds/edits.ts'
import { feedEffects } from './feeds/effects.ts'
import { type Act, type FeedScenario, isAct, type StepOf } from './feeds/steps.ts'
import {
  type ConnectionFeed,
  connectionFeeds,
  type DefaultFeed,
  defaultFeeds,
  feedId,
  uploadedFeeds,
  WORLD,
} from './feeds/table.ts'
import {
  beginOnceReady,
  createWorldScenarios,
  onceReady,
  type Scenarios,
  type WorldScenarios,
} from './repository.ts'

/** The feed scenario in which nothing goes wrong. */
export const STEADY = 'steady'

/** Chooses and runs the feed scenarios of connections. */
export interface FeedScenarioEngine extends FeedScenarios, WorldScenarios<FeedScenario> {
  /** The default feed scenario of a user's new connections; of the world's for null. */
  defaultScenario(world: World, userId: string | null): string | null
  setDefaultScenario(world: World, userId: string | null, scenario: string | null): void
  /** Stores a feed scenario in a world. Connections that follow one of the same name continue with the old one. */
  upload(world: World, scenario: FeedScenario): void
  remove(world: World, name: string): void
  readonly jobs: JobKinds
}

interface BeginData {
  readonly feed: FeedOf
  readonly scenario: string
  readonly began: number
  readonly isFirst: boolean
}

export function createFeedScenarioEngine(repository: Scenarios<FeedScenario>): FeedScenarioEngine {
  const scenarios = createWorldScenarios(repository, 'feed scenario', uploadedFeeds)
  const defaultScenario = (world: World, userId: string | null) =>
    world.db.find(defaultFeeds, userId ?? WORLD)?.scenario ?? null
  const namedFeed = (world: World, userId: string) => {
    const named = nameIn(world.db.find(users, userId)?.client_user_id ?? '')
    return scenarios.names(world).find((name) => name === named)
  }
  const choose: FeedScenarios['choose'] = (world, userId, requested) => {
    const scenario =
      requested ??
      defaultScenario(world, userId) ??
      namedFeed(world, userId) ??
      defaultScenario(world, null) ??
      STEADY
    scenarios.assertKnown(world, scenario)
    return scenario
  }
  const beginNow = (world: World, { feed, scenario, began, isFirst }: BeginData) =>
    addChapter(world, feed, scenarios.get(world, scenario), { began, whole: isFirst })
  return {
    ...scenarios,
    defaultScenario,
    choose,
    prepare: (world, userId, requested) =>
      choose(world, userId, requested) === STEADY ? undefined : repository.ready(),
    begin(world, { user_id, provider, time_zone }, scenario, isFirst) {
      if (scenario === STEADY && !world.db.has(connectionFeeds, feedId(user_id, provider))) return
      const data: BeginData = {
        feed: { user_id, provider, time_zone },
        scenario,
        began: world.clock.now(),
        isFirst,
      }
      const job = { kind: BEGIN, subject: feedId(user_id, provider), data: { ...data } }
      beginOnceReady(world, repository, () => beginNow(world, data), job)
    },
    effectsOf: rememberedEffects(),
    setDefaultScenario(world, user_id, scenario) {
      const row: DefaultFeed | null = scenario === null ? null : { user_id, scenario }
      if (row) world.db.put(defaultFeeds, row)
      else world.db.delete(defaultFeeds, user_id ?? WORLD)
    },
    upload: (world, { name, source }) => void world.db.put(uploadedFeeds, { name, source }),
    remove: (world, name) => world.db.delete(uploadedFeeds, name),
    jobs: {
      [ACT]: { about: 'user', does: 'the next step of a feed scenario', run: runAct },
      [BEGIN]: {
        about: 'user',
        does: 'a feed scenario begins',
        run(world, { data }) {
          return onceReady(repository, () => beginNow(world, data as BeginData))
        },
      },
    },
  }
}

/** Ends a connection's feed scenario and begins another. */
function addChapter(
  world: World,
  { user_id, provider }: FeedOf,
  { name, steps }: FeedScenario,
  { began, whole }: { readonly began: number; readonly whole: boolean },
): void {
  const known = world.db.find(connectionFeeds, feedId(user_id, provider))
  if (known) dropActs(world, known)
  const before = (known?.chapters ?? []).map((chapter) => ({ ...chapter, ended: chapter.ended ?? began }))
  const row: ConnectionFeed = {
    user_id,
    provider,
    chapters: [...before, { scenario: name, began, ended: null, whole, steps }],
  }
  scheduleActs(world, world.db.put(connectionFeeds, row))
}

/** Caches the effects by row and home time zone. */
function rememberedEffects(): FeedScenarios['effectsOf'] {
  const effectsByHome = perOwner<ConnectionFeed, Map<string, FeedEffects | undefined>>(() => new Map())
  return (world, { user_id, provider, time_zone }) => {
    if (world.db.count(connectionFeeds) === 0) return undefined
    const row = world.db.find(connectionFeeds, feedId(user_id, provider))
    if (!row) return undefined
    const byHome = effectsByHome(row)
    if (!byHome.has(time_zone)) byHome.set(time_zone, feedEffects(row, time_zone, world))
    return byHome.get(time_zone)
  }
}

/** A job that runs an act of a feed scenario. */
const ACT = 'feeds.act'
/** A job that starts a feed scenario once the repository is ready. */
const BEGIN = 'feeds.begin'

interface ActData {
  readonly feed: string
  readonly chapter: number
  readonly step: number
}

const subjectOf = ({ feed, chapter, step }: ActData) => `${feed}/${chapter}/${step}`

/** Schedules the acts of a connection's last chapter. */
function scheduleActs(world: World, feed: ConnectionFeed): void {
  for (const { data, due } of actsOf(feed))
    world.agenda.schedule({ due, kind: ACT, subject: subjectOf(data), data: { ...data } })
}

/** Cancels the pending acts of the last chapter. */
function dropActs(world: World, feed: ConnectionFeed): void {
  for (const { data } of actsOf(feed)) world.agenda.cancel(ACT, subjectOf(data))
}

function actsOf({ user_id, provider, chapters }: ConnectionFeed) {
  const chapter = chapters.length - 1
  const { began = 0, steps = [] } = chapters[chapter] ?? {}
  return compact(
    steps.map(
      (step, at) =>
        isAct(step) && {
          due: began + step.atMs,
          data: { feed: feedId(user_id, provider), chapter, step: at },
        },
    ),
  )
}

/** Runs an act if the connection follows the same chapter and still exists, or was ended by the chapter itself. */
function runAct(world: World, { data }: Job): void {
  const { feed, chapter, step: at } = data as ActData
  const row = world.db.find(connectionFeeds, feed)
  const step = row?.chapters[chapter]?.steps[at]
  const connection = row && world.db.find(connections, connectionId(row.user_id, row.provider))
  const before = row?.chapters[chapter]?.steps.slice(0, at).findLast(isAct)
  const isBack = step?.verb === 'reconnect' && before?.verb === 'disconnect'
  if (!step || !connection || !(isBack || isConnected(world, connection)) || !isAct(step)) return
  applyAct(world, connection, step)
}

function applyAct(world: World, connection: Connection, step: Act): void {
  const { user_id, provider } = connection
  switch (step.verb) {
    case 'error':
      // Data that arrived before the error is delivered first.
      fetchNow(world, connection)
      failConnection(world, user_id, provider, {
        errorType: step.errorType as ConnectionTrouble['error_type'],
        message: step.message,
      })
      return
    case 'disconnect':
      disconnect(world, user_id, provider)
      return
    case 'pause':
      // As before an error.
      fetchNow(world, connection)
      pauseConnection(world, user_id, provider)
      return
    case 'reconnect':
      connect(world, user_id, provider, { demo: connection.demo, scenario: null })
      return
    case 'device':
      putDevice(world, user_id, provider, step.sourceType ?? undefined, step.change)
      return
    case 'correct':
    case 'trim':
    case 'merge':
    case 'delete':
      edit(world, connection, step)
      return
    case 'sample':
      if (isLive(world, connection)) putSample(world, connection, step)
  }
}

function putSample(
  world: World,
  connection: Connection,
  { series, value, type, lastsMs }: StepOf<'sample'>,
): void {
  const { user_id, provider } = connection
  const now = world.clock.now()
  const start = now - lastsMs
  const effects = world.services.feedScenarios.effectsOf(world, connection)
  const zone = effects?.zoneOn(effects.dateAt(start)) ?? connection.time_zone
  const sample = {
    timestamp: toWire(start),
    end: toWire(now),
    timezone_offset: isFloating(world, provider) ? null : offsetSeconds(zone, start),
    value,
    type,
  }
  runAtOnce(storeSamples(world, { userId: user_id, series: getSeries(series), provider, samples: [sample] }))
}
