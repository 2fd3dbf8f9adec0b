import { type AnyOperation, operation } from '../../api/operation.ts'
import { UserPath } from '../../resources/users/schema.ts'
import { getUser } from '../../resources/users/service.ts'
import type { FeedTeller } from '../../scenarios/feeds/engine.ts'
import { ScenarioUpload } from '../scenarios/schema.ts'
import {
  ConnectionFeedPath,
  ConnectionFeedView,
  ConnectionFeedWish,
  FeedList,
  FeedPath,
  FeedView,
  FeedWish,
  UserFeed,
  UsualFeed,
} from './schema.ts'
import { armFeed, describeFeed, removeFeed, summarise, uploadFeed, view } from './service.ts'

const tag = 'petri'

/** The stories of connections, and who follows which. */
export const feedOperations = (teller: FeedTeller): AnyOperation[] => [
  ...galleryOperations(teller),
  ...usualOperations(teller),
  ...connectionOperations(teller),
]

const galleryOperations = (teller: FeedTeller) => [
  operation({
    id: 'petri_feeds_list',
    route: 'GET /_petri/feeds',
    tag,
    summary: 'The stories connections can follow',
    returns: FeedList,
    async run(world) {
      await teller.ready()
      return { data: teller.all(world).map((story) => summarise(world, teller, story)) }
    },
  }),
  operation({
    id: 'petri_feeds_get',
    route: 'GET /_petri/feeds/{name}',
    tag,
    summary: 'One story of connections: what happens when, and its source',
    params: FeedPath,
    returns: FeedView,
    async run(world, { params }) {
      await teller.ready()
      return view(world, teller, teller.get(world, params.name))
    },
  }),
  operation({
    id: 'petri_feeds_put',
    route: 'PUT /_petri/feeds/{name}',
    tag,
    summary:
      'Give this world a story of connections, as YAML or JSON; it goes before a bundled one of its name',
    params: FeedPath,
    body: ScenarioUpload,
    maxBodyBytes: 256 * 1024,
    returns: FeedView,
    async run(world, { params, body }) {
      await teller.ready()
      return view(world, teller, await uploadFeed(world, teller, params.name, body))
    },
  }),
  operation({
    id: 'petri_feeds_delete',
    route: 'DELETE /_petri/feeds/{name}',
    tag,
    summary: 'Take an uploaded story of connections away; what follows it goes on',
    params: FeedPath,
    status: 204,
    run(world, { params }) {
      removeFeed(world, teller, params.name)
      return undefined
    },
  }),
]

const usualOperations = (teller: FeedTeller) => [
  operation({
    id: 'petri_world_feed_get',
    route: 'GET /_petri/world/feed',
    tag,
    summary: 'The story new connections of this world follow; null for none',
    returns: UsualFeed,
    run: (world) => ({ story: teller.usual(world, null) }),
  }),
  operation({
    id: 'petri_world_feed_put',
    route: 'PUT /_petri/world/feed',
    tag,
    summary: 'Choose the story new connections of this world follow unless something nearer does',
    body: FeedWish,
    returns: UsualFeed,
    run: (world, { body }) => ({ story: setUsual(teller, world, null, body.story) }),
  }),
  operation({
    id: 'petri_users_feed_get',
    route: 'GET /_petri/users/{user_id}/feed',
    tag,
    summary: "The story a user's new connections follow; null for the world's",
    params: UserPath,
    returns: UserFeed,
    run(world, { params }) {
      const { user_id } = getUser(world, params.user_id)
      return { user_id, story: teller.usual(world, user_id) }
    },
  }),
  operation({
    id: 'petri_users_feed_put',
    route: 'PUT /_petri/users/{user_id}/feed',
    tag,
    summary: "Choose the story a user's new connections follow; null for the world's",
    params: UserPath,
    body: FeedWish,
    returns: UserFeed,
    run(world, { params, body }) {
      const { user_id } = getUser(world, params.user_id)
      return { user_id, story: setUsual(teller, world, user_id, body.story) }
    },
  }),
]

/** Refuses a story that is unknown before anything is kept. */
function setUsual(
  teller: FeedTeller,
  world: Parameters<FeedTeller['setUsual']>[0],
  userId: string | null,
  wanted: string | null,
): string | null {
  const story = wanted === null ? null : teller.choose(world, userId ?? '', wanted)
  teller.setUsual(world, userId, story)
  return story
}

const connectionOperations = (teller: FeedTeller) => [
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
    summary: 'Let a connection follow a story from now on; what is left of the one before is dropped',
    params: ConnectionFeedPath,
    body: ConnectionFeedWish,
    returns: ConnectionFeedView,
    async run(world, { params: { user_id, provider }, body: { story } }) {
      await teller.ready()
      armFeed(world, teller, { userId: user_id, provider, story })
      return describeFeed(world, user_id, provider)
    },
  }),
]
