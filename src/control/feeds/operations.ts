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

const tag = 'petri'

/** The scenarios of connections, and who follows which. */
export const feedOperations = (engine: FeedScenarioEngine): AnyOperation[] => [
  ...repositoryOperations(engine),
  checkOperation(engine),
  ...usualOperations(engine),
  ...connectionOperations(engine),
]

const repositoryOperations = (engine: FeedScenarioEngine) => [
  operation({
    id: 'petri_feeds_list',
    route: 'GET /_petri/feeds',
    tag,
    summary: 'The scenarios connections can follow',
    returns: FeedList,
    async run(world) {
      await engine.ready()
      return { data: engine.all(world).map((scenario) => summarise(world, engine, scenario)) }
    },
  }),
  operation({
    id: 'petri_feeds_get',
    route: 'GET /_petri/feeds/{name}',
    tag,
    summary: 'One feed scenario: what happens when, and its source',
    params: FeedPath,
    returns: FeedView,
    async run(world, { params }) {
      await engine.ready()
      return view(world, engine, engine.get(world, params.name))
    },
  }),
  operation({
    id: 'petri_feeds_put',
    route: 'PUT /_petri/feeds/{name}',
    tag,
    summary: 'Give this world a feed scenario, as YAML or JSON; it goes before a bundled one of its name',
    params: FeedPath,
    body: ScenarioUpload,
    maxBodyBytes: 256 * 1024,
    returns: FeedView,
    async run(world, { params, body }) {
      await engine.ready()
      return view(world, engine, await uploadFeed(world, engine, params.name, body))
    },
  }),
  operation({
    id: 'petri_feeds_delete',
    route: 'DELETE /_petri/feeds/{name}',
    tag,
    summary: 'Take an uploaded feed scenario away; what follows it goes on',
    params: FeedPath,
    status: 204,
    run(world, { params }) {
      removeFeed(world, engine, params.name)
      return undefined
    },
  }),
]

const checkOperation = (engine: FeedScenarioEngine) =>
  operation({
    id: 'petri_feeds_check',
    route: 'POST /_petri/feeds/check',
    tag,
    summary: 'What a scenario of connections would do, or why it is refused, line by line; nothing is kept',
    body: ScenarioUpload,
    maxBodyBytes: 256 * 1024,
    returns: FeedCheck,
    async run(_world, { body }) {
      await engine.ready()
      return checkFeed(engine, body)
    },
  })

const usualOperations = (engine: FeedScenarioEngine) => [
  operation({
    id: 'petri_world_feed_get',
    route: 'GET /_petri/world/feed',
    tag,
    summary: 'The scenario new connections of this world follow; null for none',
    returns: UsualFeed,
    run: (world) => ({ scenario: engine.usual(world, null) }),
  }),
  operation({
    id: 'petri_world_feed_put',
    route: 'PUT /_petri/world/feed',
    tag,
    summary: 'Choose the scenario new connections of this world follow unless something nearer does',
    body: FeedInput,
    returns: UsualFeed,
    run: (world, { body }) => ({ scenario: setUsual(engine, world, null, body.scenario) }),
  }),
  operation({
    id: 'petri_users_feed_get',
    route: 'GET /_petri/users/{user_id}/feed',
    tag,
    summary: "The scenario a user's new connections follow; null for the world's",
    params: UserPath,
    returns: UserFeed,
    run(world, { params }) {
      const { user_id } = getUser(world, params.user_id)
      return { user_id, scenario: engine.usual(world, user_id) }
    },
  }),
  operation({
    id: 'petri_users_feed_put',
    route: 'PUT /_petri/users/{user_id}/feed',
    tag,
    summary: "Choose the scenario a user's new connections follow; null for the world's",
    params: UserPath,
    body: FeedInput,
    returns: UserFeed,
    run(world, { params, body }) {
      const { user_id } = getUser(world, params.user_id)
      return { user_id, scenario: setUsual(engine, world, user_id, body.scenario) }
    },
  }),
]

/** Refuses a scenario that is unknown before anything is kept. */
function setUsual(
  engine: FeedScenarioEngine,
  world: Parameters<FeedScenarioEngine['setUsual']>[0],
  userId: string | null,
  wanted: string | null,
): string | null {
  const scenario = wanted === null ? null : engine.choose(world, userId ?? '', wanted)
  engine.setUsual(world, userId, scenario)
  return scenario
}

const connectionOperations = (engine: FeedScenarioEngine) => [
  operation({
    id: 'petri_connections_feed_get',
    route: 'GET /_petri/users/{user_id}/connections/{provider}/feed',
    tag,
    summary: 'What a connection goes through, and what comes next',
    params: ConnectionFeedPath,
    returns: ConnectionFeedView,
    run: (world, { params }) => describeFeed(world, params.user_id, params.provider),
  }),
  operation({
    id: 'petri_connections_feed_put',
    route: 'PUT /_petri/users/{user_id}/connections/{provider}/feed',
    tag,
    summary: 'Let a connection follow a scenario from now on; what is left of the one before is dropped',
    params: ConnectionFeedPath,
    body: ConnectionFeedInput,
    returns: ConnectionFeedView,
    async run(world, { params: { user_id, provider }, body: { scenario } }) {
      await engine.ready()
      armFeed(world, engine, { userId: user_id, provider, scenario })
      return describeFeed(world, user_id, provider)
    },
  }),
]
