import { join } from 'node:path'
import { didYouMean } from '../kernel/nearest.ts'
import { type BundledScenarios, openBundledScenarios } from './bundled.ts'
import type { FeedScenario } from './feeds/steps.ts'
import type { Scenario } from './file.ts'
import type { BundledContext } from './judge.ts'
import { MAGIC_ZIP } from './magic-zip.ts'
import { FEEDS } from './own-files.ts'
import { type OwnScenarios, openOwnScenarios } from './own-scenarios.ts'

/** Scenarios of one kind: those of the user's folders, and the bundled ones, which they replace by name. */
export interface Scenarios<Kind> {
  /** Resolves once the parser is loaded and the user's files are read. Rejects if one of them is invalid. */
  ready(): Promise<void> | undefined
  names(): readonly string[]
  /** Must not be called for a known name before `ready`. */
  find(name: string): Kind | undefined
  all(): Kind[]
  /** Parses a scenario. Throws a ScenarioError if it is invalid. */
  read(source: string, file: string): Kind
}

/** The scenarios of orders. */
export interface ScenarioRepository extends Scenarios<Scenario> {
  /** The scenario with this magic ZIP. */
  byZip(zip: string): Scenario | undefined
}

/** All scenarios, each parsed when it is first needed. */
export interface ScenarioRepositories extends Pick<OwnScenarios, 'refresh'> {
  /** What files of the user stand beside; usable after `ready`. */
  readonly beside: BundledContext
  readonly orders: ScenarioRepository
  readonly feeds: Scenarios<FeedScenario>
}

interface Parsers {
  readonly readScenario: (source: string, file: string) => Scenario
  readonly readFeed: (source: string, file: string) => FeedScenario
}

export interface RepositoryOptions {
  /** The user's folders. */
  readonly folders?: readonly string[] | undefined
  /** The names of all results of the catalogue, needed by scenarios that name some. */
  readonly resultNames: () => readonly string[]
}

export function openScenarios(
  bundled: string,
  { folders = [], resultNames }: RepositoryOptions,
): ScenarioRepositories {
  let loaded: Parsers | undefined
  let preparing: Promise<void> | undefined
  let isReady = false
  const parsers = (): Parsers => {
    if (!loaded) throw new Error('the scenarios are not ready')
    return loaded
  }
  const readOrders = (source: string, file: string) => parsers().readScenario(source, file)
  const readFeeds = (source: string, file: string) => parsers().readFeed(source, file)
  const bundledOrders = openBundledScenarios(bundled, readOrders)
  const bundledFeeds = openBundledScenarios(join(bundled, FEEDS), readFeeds)
  const bundledWithZip = (zip: string) =>
    bundledOrders.containing(zip).find((name) => bundledOrders.find(name)?.zip === zip)
  const beside: BundledContext = {
    bundledWithZip,
    bundledNames: (kind) => (kind === 'order' ? bundledOrders : bundledFeeds).names(),
    resultNames,
  }
  const own = openOwnScenarios(folders, beside)
  const prepare = async () => {
    const [{ readScenario }, { readFeed }] = await Promise.all([
      import('./read.ts'),
      import('./feeds/read.ts'),
    ])
    loaded = { readScenario, readFeed }
    await own.read()
    isReady = true
  }
  const ready = () => {
    if (isReady) return undefined
    preparing ??= prepare()
    return preparing
  }
  return {
    orders: {
      ...repositoryOf(ready, own.orders, bundledOrders, readOrders),
      byZip(zip) {
        if (!MAGIC_ZIP.test(zip)) return undefined
        const mine = [...own.orders.values()].find((scenario) => scenario.zip === zip)
        const name = mine ? undefined : bundledWithZip(zip)
        return mine ?? (name === undefined || own.orders.has(name) ? undefined : bundledOrders.find(name))
      },
    },
    feeds: repositoryOf(ready, own.feeds, bundledFeeds, readFeeds),
    refresh: own.refresh,
    beside,
  }
}

function repositoryOf<Kind>(
  ready: () => Promise<void> | undefined,
  own: ReadonlyMap<string, Kind>,
  bundled: BundledScenarios<Kind>,
  read: (source: string, file: string) => Kind,
): Scenarios<Kind> {
  const names = () => [...new Set([...bundled.names(), ...own.keys()])].sort()
  const find = (name: string) => own.get(name) ?? bundled.find(name)
  return { ready, names, find, all: () => names().flatMap((name) => find(name) ?? []), read }
}

export function assertKnownScenario(scenario: string, names: readonly string[]): void {
  if (names.includes(scenario)) return
  throw new Error(`There is no scenario "${scenario}".${didYouMean(scenario, names)}`)
}
