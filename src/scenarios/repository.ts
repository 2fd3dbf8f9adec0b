import { join } from 'node:path'
import { didYouMean } from '../kernel/nearest.ts'
import { Problem } from '../kernel/problem.ts'
import { Slices } from '../kernel/slices.ts'
import type { Persona } from '../people/persona.ts'
import type { ResultNames } from '../resources/results/service.ts'
import type { Table } from '../storage/table.ts'
import type { World } from '../world/world.ts'
import type { FeedScenario } from './feeds/steps.ts'
import type { Scenario } from './file.ts'
import { type BundledScenarios, FEEDS, MAGIC_ZIP, openBundledScenarios, PERSONAS } from './folders.ts'
import { type OwnScenarios, openOwnScenarios } from './own-scenarios.ts'
import type { Parsed } from './read.ts'
import type { BundledContext } from './validate-files.ts'

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
export interface ScenarioRepositories extends Pick<OwnScenarios, 'refresh' | 'share'> {
  /** The context for the validation of the user's files; usable after `ready`. */
  readonly beside: BundledContext
  readonly orders: ScenarioRepository
  readonly feeds: Scenarios<FeedScenario>
  readonly personas: Scenarios<Persona>
  /** Parses a scenario of any kind; usable after `ready`. Throws a ScenarioError if it is invalid. */
  read(source: string, file: string): Parsed
}

export interface RepositoryOptions {
  /** The user's folders. */
  readonly folders?: readonly string[] | undefined
  /** Whether folders that do not exist may appear later. */
  readonly foldersMayAppear?: boolean | undefined
  /** All results of the catalogue by name, needed by scenarios that name some. */
  readonly resultNames: () => ResultNames
}

export function openScenarios(
  bundled: string,
  { folders = [], foldersMayAppear, resultNames }: RepositoryOptions,
): ScenarioRepositories {
  let parsers: typeof import('./read.ts') | undefined
  let preparing: Promise<void> | undefined
  let isReady = false
  const loaded = () => {
    if (!parsers) throw new Error('the scenarios are not ready')
    return parsers
  }
  const readOrders = (source: string, file: string) => loaded().readScenario(source, file)
  const readFeeds = (source: string, file: string) => loaded().readFeed(source, file)
  const readPersonas = (source: string, file: string) => loaded().readPersona(source, file)
  const bundledOrders = openBundledScenarios(bundled, readOrders)
  const bundledFeeds = openBundledScenarios(join(bundled, FEEDS), readFeeds)
  const bundledPersonas = openBundledScenarios(join(bundled, PERSONAS), readPersonas)
  const ofKind = { order: bundledOrders, feed: bundledFeeds, persona: bundledPersonas }
  const bundledWithZip = (zip: string) =>
    bundledOrders.containing(zip).find((name) => bundledOrders.find(name)?.zip === zip)
  const beside: BundledContext = {
    bundledWithZip,
    bundledNames: (kind) => ofKind[kind].names(),
    resultNames,
  }
  const own = openOwnScenarios(folders, beside, foldersMayAppear)
  const prepare = async () => {
    parsers = await import('./read.ts')
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
    personas: repositoryOf(ready, own.personas, bundledPersonas, readPersonas),
    read: (source, file) => loaded().parseScenario(source, file),
    share: own.share,
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

/** The scenarios of one kind in a world: those uploaded to it, then those of the repository. */
export interface WorldScenarios<Kind> extends Pick<Scenarios<Kind>, 'ready' | 'read'> {
  /** All scenarios of a world; without a world, those of the repository. */
  names(world?: World): readonly string[]
  /** Must not be called for a known name before `ready`. */
  find(world: World, name: string): Kind | undefined
  /** The scenario of this name. Throws an error that names the nearest: `not_found` where it is the subject of the path. */
  get(world: World, name: string, otherwise?: 'bad_request' | 'not_found'): Kind
  /** All scenarios of a world, parsed in slices. */
  all(world: World): Promise<Kind[]>
  /** Throws for a name that `get` would not find, without parsing the scenario. */
  assertKnown(world: World | undefined, name: string): void
  isUploaded(world: World, name: string): boolean
  assertUploaded(world: World, name: string): void
}

/** The most parsed uploaded scenarios in the cache. */
const MAX_READ = 500

export function createWorldScenarios<
  Kind,
  Uploaded extends { readonly name: string; readonly source: string },
>(
  repository: Scenarios<Kind>,
  uploads: Table<Uploaded>,
  noun: 'scenario' | 'feed scenario',
): WorldScenarios<Kind> {
  const parsed = new Map<string, Kind>()
  const parse = ({ name, source }: Uploaded): Kind => {
    const known = parsed.get(source)
    if (known) return known
    const scenario = repository.read(source, name)
    if (parsed.size >= MAX_READ) parsed.clear()
    parsed.set(source, scenario)
    return scenario
  }
  const names = (world?: World) =>
    world ? [...new Set([...repository.names(), ...world.db.ids(uploads)])].sort() : repository.names()
  const find = (world: World, name: string) => {
    const uploaded = world.db.find(uploads, name)
    return uploaded ? parse(uploaded) : repository.find(name)
  }
  const unknown = (world: World | undefined, name: string, kind: 'bad_request' | 'not_found') =>
    new Problem(kind, `There is no ${noun} "${name}".${didYouMean(name, names(world))}`)
  const isUploaded = (world: World, name: string) => world.db.has(uploads, name)
  return {
    ready: repository.ready,
    read: repository.read,
    names,
    find,
    get(world, name, otherwise = 'bad_request') {
      const scenario = find(world, name)
      if (!scenario) throw unknown(world, name, otherwise)
      return scenario
    },
    async all(world) {
      const found: Kind[] = []
      const slices = new Slices()
      for (const name of names(world)) {
        const scenario = find(world, name)
        if (scenario) found.push(scenario)
        if (slices.isOver) await slices.next()
      }
      return found
    },
    assertKnown(world, name) {
      if (!names(world).includes(name)) throw unknown(world, name, 'bad_request')
    },
    isUploaded,
    assertUploaded(world, name) {
      if (isUploaded(world, name)) return
      if (!repository.names().includes(name)) throw unknown(world, name, 'not_found')
      throw new Problem('conflict', `The ${noun} "${name}" was not uploaded and cannot be removed.`)
    },
  }
}
