import * as z from 'zod'
import { oneOf, text, uuid } from '../api/fields.ts'
import { operation } from '../api/operation.ts'
import { nullableText, type Parsed, schema, texts, unnamed } from '../api/schema.ts'
import { isoOrNull, toIso } from '../kernel/instant.ts'
import { conflict } from '../kernel/problem.ts'
import { getConnected } from '../resources/connecting/service.ts'
import type { Connection } from '../resources/connections/table.ts'
import { providerSlugs } from '../resources/providers/schema.ts'
import { findProvider } from '../resources/providers/service.ts'
import { hasSeries } from '../resources/timeseries/feeds.ts'
import { findSeries } from '../resources/timeseries/service.ts'
import { getUser } from '../resources/users/service.ts'
import { type FeedScenarioEngine, STEADY } from '../scenarios/feed-engine.ts'
import { type FeedMark, feedMarks } from '../scenarios/feeds/effects.ts'
import { type FeedStep, inWords, resourcesOf } from '../scenarios/feeds/steps.ts'
import { connectionFeeds, defaultFeeds, feedId } from '../scenarios/feeds/table.ts'
import type { World } from '../world/world.ts'

const FeedInput = schema('FeedInput', () => z.strictObject({ scenario: text().nullable() }))
const ConnectionFeedInput = schema('ConnectionFeedInput', () => z.strictObject({ scenario: text() }))

const UsualFeed = schema('UsualFeed', () => ({ scenario: nullableText() }))
const UserFeed = schema('UserFeed', () => ({ user_id: z.guid(), scenario: nullableText() }))

const ConnectionPath = unnamed(() => ({ user_id: uuid(), provider: oneOf(providerSlugs) }))

const FeedMarkView = schema('FeedMark', () => ({
  does: z.enum(['held_back', 'changed', 'doubled']),
  /** Null for all series. */
  series: texts().nullable(),
  /** Null where it has no beginning, or no end. */
  from: nullableText(),
  until: nullableText(),
  /** When the data come, or become right; null for never. */
  settled_at: nullableText(),
}))

export const ConnectionFeedView = schema('ConnectionFeedView', () => ({
  user_id: z.guid(),
  provider: z.string(),
  scenario: z.string(),
  began_at: nullableText(),
  /** The next step and its time. */
  next: nullableText(),
  next_at: nullableText(),
  /** Its steps that change nothing, because the provider does not have these data. */
  without_effect: texts(),
  /** The periods so far in which its scenarios held back, changed or doubled data. */
  marks: z.array(FeedMarkView()),
  /** The previous scenarios, oldest first. */
  before: z.array(z.object({ scenario: z.string(), began_at: z.string(), ended_at: z.string() })),
}))

/** Which feed scenario connections follow. */
export const assignedFeedOperations = (engine: FeedScenarioEngine) => [
  operation({
    id: 'petri_world_feed_get',
    route: 'GET /_petri/world/feed',
    summary: "Show the default feed scenario of this world's new connections",
    returns: UsualFeed,
    run: (world) => ({ scenario: engine.defaultScenario(world, null) }),
  }),
  operation({
    id: 'petri_world_feed_put',
    route: 'PUT /_petri/world/feed',
    summary: "Set the default feed scenario of this world's new connections",
    body: FeedInput,
    returns: UsualFeed,
    run: (world, { body }) => ({ scenario: setDefaultScenario(engine, world, null, body.scenario) }),
  }),
  operation({
    id: 'petri_users_feed_get',
    route: 'GET /_petri/users/{user_id}/feed',
    summary: "Show the feed scenario of a user's new connections; null for the world's",
    returns: UserFeed,
    run(world, { params }) {
      const { user_id } = getUser(world, params.user_id)
      return { user_id, scenario: engine.defaultScenario(world, user_id) }
    },
  }),
  operation({
    id: 'petri_users_feed_put',
    route: 'PUT /_petri/users/{user_id}/feed',
    summary: "Set the feed scenario of a user's new connections; null for the world's",
    body: FeedInput,
    returns: UserFeed,
    run(world, { params, body }) {
      const { user_id } = getUser(world, params.user_id)
      return { user_id, scenario: setDefaultScenario(engine, world, user_id, body.scenario) }
    },
  }),
  operation({
    id: 'petri_connections_feed_get',
    route: 'GET /_petri/users/{user_id}/connections/{provider}/feed',
    summary: 'Show the feed scenario of a connection and its next step',
    params: ConnectionPath,
    returns: ConnectionFeedView,
    run: (world, { params }) => describeConnection(world, getConnection(world, params)),
  }),
  operation({
    id: 'petri_connections_feed_put',
    route: 'PUT /_petri/users/{user_id}/connections/{provider}/feed',
    summary: 'Assign another feed scenario to a connection; the rest of the previous one is dropped',
    params: ConnectionPath,
    body: ConnectionFeedInput,
    returns: ConnectionFeedView,
    needs: 'feedScenarios',
    run(world, { params, body: { scenario } }) {
      const connection = getConnection(world, params)
      engine.begin(world, connection, engine.get(world, scenario).name, false)
      return describeConnection(world, connection)
    },
  }),
]

/** Throws for an unknown scenario before anything is stored. */
function setDefaultScenario(
  engine: FeedScenarioEngine,
  world: Parameters<FeedScenarioEngine['setDefaultScenario']>[0],
  userId: string | null,
  wanted: string | null,
): string | null {
  const scenario = wanted === null ? null : engine.choose(world, userId ?? '', wanted)
  engine.setDefaultScenario(world, userId, scenario)
  return scenario
}

/** The feed scenario of a connection, in wire format. */
function describeConnection(world: World, { user_id, provider }: Connection) {
  const feed = world.db.find(connectionFeeds, feedId(user_id, provider))
  const chapters = feed?.chapters ?? []
  const last = chapters.at(-1)
  const now = world.clock.now()
  const next = last?.steps.find(({ atMs }) => last.began + atMs > now)
  return {
    user_id,
    provider,
    scenario: last?.scenario ?? STEADY,
    began_at: isoOrNull(last?.began),
    next: next ? inWords(next) : null,
    next_at: isoOrNull(last && next && last.began + next.atMs),
    without_effect: (last?.steps ?? []).filter((step) => !concerns(step, provider)).map(inWords),
    marks: (feed ? feedMarks(feed) : []).filter(({ from }) => from <= now).map(describeMark),
    before: chapters.slice(0, -1).map(({ scenario, began, ended }) => ({
      scenario,
      began_at: toIso(began),
      ended_at: toIso(ended ?? began),
    })),
  }
}

function concerns(step: FeedStep, provider: string): boolean {
  const about = resourcesOf(step)
  if (about.length === 0) return true
  return about.some((name) => {
    const series = findSeries(name)
    return series ? hasSeries(provider, series) : findProvider(provider)?.resources.includes(name)
  })
}

const describeMark = ({ does, series, from, until, settledAt }: FeedMark) => ({
  does,
  series: series && [...series],
  from: isoOrNull(from),
  until: isoOrNull(until),
  settled_at: isoOrNull(settledAt),
})

const getConnection = (world: World, { user_id, provider }: Parsed<typeof ConnectionPath>) =>
  getConnected(world, getUser(world, user_id).user_id, provider)

/** Throws if new connections follow a feed scenario. */
export function assertFeedNotInUse(world: World, name: string): void {
  for (const { user_id, scenario } of world.db.all(defaultFeeds)) {
    if (scenario !== name) continue
    const whose = user_id === null ? 'this world' : `user ${user_id}`
    throw conflict(`New connections of ${whose} follow "${name}"; choose another first.`)
  }
}
