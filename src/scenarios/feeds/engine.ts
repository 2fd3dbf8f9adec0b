import type { FeedEffects, FeedOf, FeedScenarios } from '../../api/scenarios.ts'
import type { Job } from '../../scheduler/job.ts'
import type { World } from '../../world/world.ts'
import type { Scenarios } from '../repository.ts'
import { createWorldScenarios, type WorldScenarios } from '../world-scenarios.ts'
import { ACT, BEGIN, dropActs, scheduleActs, takeAct } from './acts.ts'
import { feedEffects } from './effects.ts'
import type { FeedScenario } from './steps.ts'
import {
  type ConnectionFeed,
  connectionFeeds,
  type DefaultFeed,
  defaultFeeds,
  feedId,
  uploadedFeeds,
  WORLD,
} from './table.ts'

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
  /** Job handlers by kind. */
  readonly jobs: Readonly<Record<string, (world: World, job: Job) => void | Promise<void>>>
}

interface BeginData {
  readonly feed: FeedOf
  readonly scenario: string
  readonly began: number
  readonly isFirst: boolean
}

export function createFeedScenarioEngine(repository: Scenarios<FeedScenario>): FeedScenarioEngine {
  const scenarios = createWorldScenarios(repository, uploadedFeeds, 'feed scenario')
  const defaultScenario = (world: World, userId: string | null) =>
    world.db.find(defaultFeeds, userId ?? WORLD)?.scenario ?? null
  const choose: FeedScenarios['choose'] = (world, userId, requested) => {
    const scenario = requested ?? defaultScenario(world, userId) ?? defaultScenario(world, null) ?? STEADY
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
      const reading = repository.ready()
      if (!reading) return beginNow(world, data)
      reading.catch(() => undefined)
      world.agenda.schedule({
        due: world.clock.now(),
        kind: BEGIN,
        subject: feedId(user_id, provider),
        data: { ...data },
      })
    },
    effectsOf: rememberedEffects(),
    forget(world, { user_id, provider }) {
      const row = world.db.find(connectionFeeds, feedId(user_id, provider))
      if (row) dropActs(world, row)
      world.db.delete(connectionFeeds, feedId(user_id, provider))
      world.db.delete(defaultFeeds, user_id)
    },
    setDefaultScenario(world, user_id, scenario) {
      const row: DefaultFeed | null = scenario === null ? null : { user_id, scenario }
      if (row) world.db.put(defaultFeeds, row)
      else world.db.delete(defaultFeeds, user_id ?? WORLD)
    },
    upload: (world, { name, source }) => void world.db.put(uploadedFeeds, { name, source }),
    remove: (world, name) => world.db.delete(uploadedFeeds, name),
    jobs: {
      [ACT]: takeAct,
      [BEGIN](world, { data }) {
        const begin = () => beginNow(world, data as BeginData)
        return repository.ready()?.then(begin) ?? begin()
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
  const known = new WeakMap<ConnectionFeed, Map<string, FeedEffects | undefined>>()
  return (world, { user_id, provider, time_zone }) => {
    if (world.db.count(connectionFeeds) === 0) return undefined
    const row = world.db.find(connectionFeeds, feedId(user_id, provider))
    if (!row) return undefined
    const byHome = known.get(row) ?? new Map<string, FeedEffects | undefined>()
    known.set(row, byHome)
    if (!byHome.has(time_zone)) byHome.set(time_zone, feedEffects(row, time_zone, world.random))
    return byHome.get(time_zone)
  }
}
