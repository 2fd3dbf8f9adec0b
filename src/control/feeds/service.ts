import { toIso } from '../../kernel/instant.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { Problem } from '../../kernel/problem.ts'
import { connectionId, connections, isConnected } from '../../resources/connections/table.ts'
import { getUser } from '../../resources/users/service.ts'
import type { FeedTeller } from '../../scenarios/feeds/engine.ts'
import { STEADY } from '../../scenarios/feeds/repository.ts'
import type { FeedStory } from '../../scenarios/feeds/steps.ts'
import { connectionFeeds, feedId, usualFeeds } from '../../scenarios/feeds/table.ts'
import { inWords } from '../../scenarios/feeds/words.ts'
import type { World } from '../../world/world.ts'
import { toEntry } from '../scenarios/upload.ts'

export const summarise = (world: World, teller: FeedTeller, { name, summary }: FeedStory) => ({
  name,
  summary,
  uploaded: teller.isUploaded(world, name),
})

export const view = (world: World, teller: FeedTeller, story: FeedStory) => ({
  ...summarise(world, teller, story),
  steps: story.steps.map((step) => ({ at_ms: step.atMs, does: inWords(step) })),
  source: story.source,
})

/** What a connection goes through. */
export function describeFeed(world: World, userId: string, provider: string) {
  getConnection(world, userId, provider)
  const chapters = world.db.find(connectionFeeds, feedId(userId, provider))?.chapters ?? []
  const last = chapters.at(-1)
  const now = world.clock.now()
  const next = last?.steps.find(({ atMs }) => last.began + atMs > now)
  return {
    user_id: userId,
    provider,
    story: last?.story ?? STEADY,
    began_at: last ? toIso(last.began) : null,
    next: next ? inWords(next) : null,
    next_at: last && next ? toIso(last.began + next.atMs) : null,
    before: chapters.slice(0, -1).map(({ story, began, ended }) => ({
      ...{ story, began_at: toIso(began) },
      ended_at: toIso(ended ?? began),
    })),
  }
}

/** Lets a connection follow a story from now on. */
export function armFeed(
  world: World,
  teller: FeedTeller,
  { userId, provider, story }: { readonly userId: string; readonly provider: string; readonly story: string },
): void {
  const connection = getConnection(world, userId, provider)
  teller.begin(world, connection, teller.get(world, story).name, false)
}

function getConnection(world: World, userId: string, provider: string) {
  getUser(world, userId)
  const connection = world.db.find(connections, connectionId(userId, provider))
  if (connection && isConnected(world, connection)) return connection
  throw new Problem('not_found', `The user is not connected to ${provider}`)
}

/** Takes an uploaded story away; what follows it goes on. */
export function removeFeed(world: World, teller: FeedTeller, name: string): void {
  if (teller.isUploaded(world, name)) {
    if (!teller.names().includes(name)) refuseNeeded(world, name)
    teller.remove(world, name)
    return
  }
  if (teller.names().includes(name))
    throw new Problem('conflict', `The feed story "${name}" was not uploaded; it stays.`)
  const hint = didYouMean(name, teller.names(world))
  throw new Problem('not_found', `There is no feed story "${name}".${hint}`)
}

function refuseNeeded(world: World, name: string): void {
  for (const { user_id, story } of world.db.all(usualFeeds)) {
    if (story !== name) continue
    const whose = user_id === null ? 'this world' : `user ${user_id}`
    throw new Problem('conflict', `New connections of ${whose} follow "${name}"; choose another first.`)
  }
}

/** Gives a story to a world, or refuses the whole of it. */
export async function uploadFeed(
  world: World,
  teller: FeedTeller,
  name: string,
  source: string,
): Promise<FeedStory> {
  if (world.parts.stories.names(world).includes(name))
    throw new Problem('conflict', `"${name}" is a scenario of orders; no feed story can have its name.`)
  const { refuseOtherName, ScenarioError } = await import('../../scenarios/read.ts')
  try {
    const story = teller.read(source, name)
    refuseOtherName(story, name, name)
    teller.upload(world, story)
    return story
  } catch (error) {
    if (error instanceof ScenarioError) throw new Problem('invalid', error.refusals.map(toEntry))
    throw error
  }
}
