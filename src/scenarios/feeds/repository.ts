import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { didYouMean } from '../../kernel/nearest.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import type { FeedScenario } from './steps.ts'
import { uploadedFeeds } from './table.ts'

/** The feed scenarios in some folders, each read when it is first needed, and those uploaded to a world, which come first. */
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

const SUFFIX = /\.ya?ml$/
/** The subfolder of feed scenarios. */
const FEEDS = 'feeds'
/** The feed scenario in which nothing goes wrong. */
export const STEADY = 'steady'

/** All files of `checked` folders, which are the user's, are validated in `ready`. A later folder's scenario replaces one of the same name. */
export function createFeedScenarioRepository(
  bundled: string,
  checked: readonly string[] = [],
): FeedScenarioRepository {
  const files = filesOf([bundled, ...checked])
  const scenarios = new Map<string, FeedScenario>()
  let reader: typeof import('./read.ts') | undefined
  let preparing: Promise<void> | undefined
  const read = (source: string, file: string): FeedScenario => {
    if (!reader) throw new Error('the feed scenarios are not ready')
    return reader.readFeed(source, file)
  }
  const bundledScenario = (name: string): FeedScenario | undefined => {
    const file = files.get(name)
    const known = scenarios.get(name)
    if (known || file === undefined) return known
    const scenario = read(readFileSync(file, 'utf8'), file)
    reader?.assertScenarioName(scenario, name, file)
    scenarios.set(name, scenario)
    return scenario
  }
  const names = (world?: World) =>
    [...new Set([...files.keys(), ...(world?.db.ids(uploadedFeeds) ?? [])])].sort()
  const find: FeedScenarioRepository['find'] = (world, name) => {
    const uploaded = world?.db.find(uploadedFeeds, name)
    return uploaded ? read(uploaded.source, name) : bundledScenario(name)
  }
  const prepare = async () => {
    reader = await import('./read.ts')
    for (const [name, file] of files)
      if (checked.some((folder) => dirname(file) === join(folder, FEEDS))) bundledScenario(name)
  }
  return {
    ready() {
      if (reader) return undefined
      preparing ??= prepare()
      return preparing
    },
    names,
    find,
    get: (world, name, otherwise) => find(world, name) ?? throwUnknownScenario(name, names(world), otherwise),
    all: (world) => names(world).flatMap((name) => find(world, name) ?? []),
    isUploaded: (world, name) => world.db.has(uploadedFeeds, name),
    read,
  }
}

/** Order scenarios and feed scenarios share one set of names. */
export function assertDistinctNames(scenarios: readonly string[], feeds: readonly string[]): void {
  const shared = feeds.find((name) => scenarios.includes(name))
  if (shared !== undefined)
    throw new Error(
      `"${shared}" is the name of an order scenario and of a feed scenario; rename one of them.`,
    )
}

export function throwUnknownScenario(
  name: string,
  known: readonly string[],
  kind: 'bad_request' | 'not_found' = 'bad_request',
): never {
  throw new Problem(kind, `There is no feed scenario "${name}".${didYouMean(name, known)}`)
}

function filesOf(folders: readonly string[]): Map<string, string> {
  const files = new Map<string, string>()
  for (const folder of folders.map((one) => join(one, FEEDS)).filter((one) => existsSync(one))) {
    for (const file of readdirSync(folder)
      .filter((name) => SUFFIX.test(name))
      .sort())
      files.set(basename(file).replace(SUFFIX, ''), join(folder, file))
  }
  return files
}
