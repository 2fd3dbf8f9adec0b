import { toIso } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import { connectionId, connections, isConnected } from '../../resources/connections/table.ts'
import { getUser } from '../../resources/users/service.ts'
import { type FeedMark, feedMarks } from '../../scenarios/feeds/effects.ts'
import { type FeedScenarioEngine, STEADY } from '../../scenarios/feeds/engine.ts'
import { type FeedScenario, inWords } from '../../scenarios/feeds/steps.ts'
import { connectionFeeds, defaultFeeds, feedId } from '../../scenarios/feeds/table.ts'
import type { World } from '../../world/world.ts'
import { toRefusal } from '../scenarios/check.ts'
import { toEntry } from '../scenarios/upload.ts'

export const summarise = (world: World, engine: FeedScenarioEngine, { name, summary }: FeedScenario) => ({
  name,
  summary,
  uploaded: engine.isUploaded(world, name),
})

export const view = (world: World, engine: FeedScenarioEngine, scenario: FeedScenario) => ({
  ...summarise(world, engine, scenario),
  steps: scenario.steps.map((step) => ({ at_ms: step.atMs, does: inWords(step) })),
  source: scenario.source,
})

/** What a scenario would do, or why it is refused. */
export async function checkFeed(engine: FeedScenarioEngine, source: string) {
  const { ScenarioError } = await import('../../scenarios/read.ts')
  try {
    const { name, summary, steps } = engine.read(source, 'scenario')
    const does = steps.map((step) => ({ at_ms: step.atMs, does: inWords(step) }))
    return { valid: true, name, summary, steps: does, refusals: [] }
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    return { valid: false, name: null, summary: null, steps: [], refusals: error.issues.map(toRefusal) }
  }
}

/** The feed scenario of a connection, in wire format. */
export function describeFeed(world: World, userId: string, provider: string) {
  getConnection(world, userId, provider)
  const feed = world.db.find(connectionFeeds, feedId(userId, provider))
  const chapters = feed?.chapters ?? []
  const last = chapters.at(-1)
  const now = world.clock.now()
  const next = last?.steps.find(({ atMs }) => last.began + atMs > now)
  return {
    user_id: userId,
    provider,
    scenario: last?.scenario ?? STEADY,
    began_at: last ? toIso(last.began) : null,
    next: next ? inWords(next) : null,
    next_at: last && next ? toIso(last.began + next.atMs) : null,
    marks: feed
      ? feedMarks(feed)
          .filter(({ from }) => from <= now)
          .map(describeMark)
      : [],
    before: chapters.slice(0, -1).map(({ scenario, began, ended }) => ({
      ...{ scenario, began_at: toIso(began) },
      ended_at: toIso(ended ?? began),
    })),
  }
}

const describeMark = ({ does, series, from, until, settledAt }: FeedMark) => ({
  ...{ does, series: series && [...series] },
  ...{ from: isoOrNull(from), until: isoOrNull(until), settled_at: isoOrNull(settledAt) },
})

const isoOrNull = (at: number | null) => (at !== null && Number.isFinite(at) ? toIso(at) : null)

/** Starts a feed scenario for a connection. */
export function armFeed(
  world: World,
  engine: FeedScenarioEngine,
  {
    userId,
    provider,
    scenario,
  }: { readonly userId: string; readonly provider: string; readonly scenario: string },
): void {
  const connection = getConnection(world, userId, provider)
  engine.begin(world, connection, engine.get(world, scenario).name, false)
}

function getConnection(world: World, userId: string, provider: string) {
  getUser(world, userId)
  const connection = world.db.find(connections, connectionId(userId, provider))
  if (connection && isConnected(world, connection)) return connection
  throw new Problem('not_found', `The user is not connected to ${provider}`)
}

/** Removes an uploaded feed scenario; connections that follow it continue. */
export function removeFeed(world: World, engine: FeedScenarioEngine, name: string): void {
  engine.assertUploaded(world, name)
  if (!engine.names().includes(name)) assertNotInUse(world, name)
  engine.remove(world, name)
}

function assertNotInUse(world: World, name: string): void {
  for (const { user_id, scenario } of world.db.all(defaultFeeds)) {
    if (scenario !== name) continue
    const whose = user_id === null ? 'this world' : `user ${user_id}`
    throw new Problem('conflict', `New connections of ${whose} follow "${name}"; choose another first.`)
  }
}

/** Validates a scenario and stores it in a world. */
export async function uploadFeed(
  world: World,
  engine: FeedScenarioEngine,
  name: string,
  source: string,
): Promise<FeedScenario> {
  if (world.parts.scenarios.names(world).includes(name))
    throw new Problem(
      'conflict',
      `"${name}" is the name of an order scenario; give this feed scenario another name.`,
    )
  const { assertScenarioName, ScenarioError } = await import('../../scenarios/read.ts')
  try {
    const scenario = engine.read(source, name)
    assertScenarioName(scenario, name, name)
    engine.upload(world, scenario)
    return scenario
  } catch (error) {
    if (error instanceof ScenarioError) throw new Problem('invalid', error.issues.map(toEntry))
    throw error
  }
}
