import { didYouMean } from '../../kernel/nearest.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import type { Scenarios } from '../repository.ts'
import type { FeedScenario } from './steps.ts'
import { uploadedFeeds } from './table.ts'

/** The feed scenarios of Petri, and those uploaded to a world, which come first. */
export interface FeedScenarioRepository {
  /** Resolves once the parser is loaded. Throws if a file in a checked folder is invalid. */
  ready(): Promise<void> | undefined
  names(world?: World): readonly string[]
  /** Must not be called for a known name before `ready`. */
  find(world: World | undefined, name: string): FeedScenario | undefined
  /** The scenario of this name. Throws an error that names the nearest: `not_found` where it is the subject of the path. */
  get(world: World, name: string, otherwise?: 'bad_request' | 'not_found'): FeedScenario
  all(world?: World): FeedScenario[]
  isUploaded(world: World, name: string): boolean
  /** Parses a scenario. Throws a ScenarioError if it is invalid. */
  read(source: string, file: string): FeedScenario
}

/** The feed scenario in which nothing goes wrong. */
export const STEADY = 'steady'

export function createFeedScenarioRepository(feeds: Scenarios<FeedScenario>): FeedScenarioRepository {
  const names = (world?: World) =>
    [...new Set([...feeds.names(), ...(world?.db.ids(uploadedFeeds) ?? [])])].sort()
  const find: FeedScenarioRepository['find'] = (world, name) => {
    const uploaded = world?.db.find(uploadedFeeds, name)
    return uploaded ? feeds.read(uploaded.source, name) : feeds.find(name)
  }
  return {
    ready: feeds.ready,
    names,
    find,
    get: (world, name, otherwise) => find(world, name) ?? throwUnknownScenario(name, names(world), otherwise),
    all: (world) => names(world).flatMap((name) => find(world, name) ?? []),
    isUploaded: (world, name) => world.db.has(uploadedFeeds, name),
    read: feeds.read,
  }
}

export function throwUnknownScenario(
  name: string,
  known: readonly string[],
  kind: 'bad_request' | 'not_found' = 'bad_request',
): never {
  throw new Problem(kind, `There is no feed scenario "${name}".${didYouMean(name, known)}`)
}
