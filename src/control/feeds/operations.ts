import { type AnyOperation, operation } from '../../api/operation.ts'
import { UserPath } from '../../resources/users/schema.ts'
import { getUser } from '../../resources/users/service.ts'
import type { FeedScenarioEngine } from '../../scenarios/feeds/engine.ts'
import { ScenarioUpload } from '../scenarios/schema.ts'
import {
  ConnectionFeedInput,
  ConnectionFeedPath,
  ConnectionFeedView,
  FeedCheck,
  FeedInput,
  FeedList,
  FeedPath,
  FeedView,
  UserFeed,
  UsualFeed,
} from './schema.ts'
import { armFeed, checkFeed, describeFeed, removeFeed, summarise, uploadFeed, view } from './service.ts'

/** Scenarios of connections, and their assignment to connections and users. */
export const feedOperations = (engine: FeedScenarioEngine): AnyOperation[] => [
  ...repositoryOperations(engine),
  checkOperation(engine),
  ...defaultScenarioOperations(engine),
  ...connectionOperations(engine),
]

const repositoryOperations = (engine: FeedScenarioEngine) => [
  operation({
    id: 'petri_feeds_list',
    route: 'GET /_petri/feeds',
    summary: 'List the feed scenarios',
    returns: FeedList,
    needs: 'feedScenarios',
    async run(world) {
      const scenarios = await engine.all(world)
      return { data: scenarios.map((scenario) => summarise(world, engine, scenario)) }
    },
  }),
  operation({
    id: 'petri_feeds_get',
    route: 'GET /_petri/feeds/{name}',
    summary: 'Show one feed scenario: its steps and its source',
    params: FeedPath,
    returns: FeedView,
    needs: 'feedScenarios',
    run: (world, { params }) => view(world, engine, engine.get(world, params.name, 'not_found')),
  }),
  operation({
    id: 'petri_feeds_put',
    route: 'PUT /_petri/feeds/{name}',
    summary: 'Add a feed scenario to this world, as YAML or JSON; it replaces a bundled one of the same name',
    params: FeedPath,
    body: ScenarioUpload,
    keepsBodyText: true,
    maxBodyBytes: 256 * 1024,
    returns: FeedView,
    needs: 'feedScenarios',
    run: async (world, { params, body }) =>
      view(world, engine, await uploadFeed(world, engine, params.name, body)),
  }),
  operation({
    id: 'petri_feeds_delete',
    route: 'DELETE /_petri/feeds/{name}',
    summary: 'Remove an uploaded feed scenario; connections that follow it continue',
    params: FeedPath,
    run: (world, { params }) => removeFeed(world, engine, params.name),
  }),
]

const checkOperation = (engine: FeedScenarioEngine) =>
  operation({
    id: 'petri_feeds_check',
    route: 'POST /_petri/feeds/check',
    summary: 'What a scenario of connections would do, or why it is refused, line by line; nothing is kept',
    body: ScenarioUpload,
    keepsBodyText: true,
    maxBodyBytes: 256 * 1024,
    returns: FeedCheck,
    needs: 'feedScenarios',
    run: (_world, { body }) => checkFeed(engine, body),
  })

const defaultScenarioOperations = (engine: FeedScenarioEngine) => [
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
    params: UserPath,
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
    params: UserPath,
    body: FeedInput,
    returns: UserFeed,
    run(world, { params, body }) {
      const { user_id } = getUser(world, params.user_id)
      return { user_id, scenario: setDefaultScenario(engine, world, user_id, body.scenario) }
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

const connectionOperations = (engine: FeedScenarioEngine) => [
  operation({
    id: 'petri_connections_feed_get',
    route: 'GET /_petri/users/{user_id}/connections/{provider}/feed',
    summary: 'Show the feed scenario of a connection and its next step',
    params: ConnectionFeedPath,
    returns: ConnectionFeedView,
    run: (world, { params }) => describeFeed(world, params.user_id, params.provider),
  }),
  operation({
    id: 'petri_connections_feed_put',
    route: 'PUT /_petri/users/{user_id}/connections/{provider}/feed',
    summary: 'Give a connection another feed scenario from now on; the rest of the previous one is dropped',
    params: ConnectionFeedPath,
    body: ConnectionFeedInput,
    returns: ConnectionFeedView,
    needs: 'feedScenarios',
    run(world, { params: { user_id, provider }, body: { scenario } }) {
      armFeed(world, engine, { userId: user_id, provider, scenario })
      return describeFeed(world, user_id, provider)
    },
  }),
]
