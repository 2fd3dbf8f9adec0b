import { join } from 'node:path'
import { isBuilt } from '../kernel/built.ts'
import { compact } from '../kernel/list.ts'
import { didYouMean } from '../kernel/nearest.ts'
import { once } from '../kernel/once.ts'
import { packageFolder } from '../kernel/package-folder.ts'
import { Problem } from '../kernel/problem.ts'
import { Slices } from '../kernel/slices.ts'
import type { ResultNames } from '../resources/results/service.ts'
import type { Job } from '../scheduler/job.ts'
import type { Table } from '../storage/table.ts'
import type { World } from '../world/world.ts'
import type { Scenario } from './file.ts'
import { type BundledScenarios, findBuiltScenarios, readBundledScenarios } from './folders.ts'
import { kindNames, type ParsedScenario, type ScenarioKind, type ScenarioOf, scenarioKinds } from './kinds.ts'
import { type OwnScenarios, openOwnScenarios } from './own-scenarios.ts'
import { parseScenario, readers } from './read.ts'
import { MAGIC_ZIP } from './table.ts'
import type { BundledContext } from './validate-files.ts'

/** Scenarios of one kind: those of the user's folders, and the bundled ones, which they replace by name. */
export interface Scenarios<Kind> {
  /** Resolves once the user's files are read. Rejects if one of them is invalid. */
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

/** All scenarios. */
export interface ScenarioRepositories extends Pick<OwnScenarios, 'refresh' | 'share'> {
  /** The context for the validation of the user's files; usable after `ready`. */
  readonly beside: BundledContext
  readonly byKind: { readonly order: ScenarioRepository } & {
    readonly [Kind in ScenarioKind]: Scenarios<ScenarioOf[Kind]>
  }
  /** The scenario of this name, of any kind; usable after `ready`. */
  find(name: string): ParsedScenario | undefined
  /** Parses a scenario of any kind. Throws a ScenarioError if it is invalid. */
  read(source: string, file: string): ParsedScenario
}

export interface RepositoryOptions {
  /** The user's folders. */
  readonly folders?: readonly string[] | undefined
  /** Whether folders that do not exist may appear later. */
  readonly foldersMayAppear?: boolean | undefined
  /** All results of the catalogue by name, needed by scenarios that name some. */
  readonly resultNames: () => ResultNames
}

/** The bundled scenarios of a kind: those of the build, or the files of the sources. */
export const bundledScenarios = <Kind extends ScenarioKind>(
  kind: Kind,
): BundledScenarios<ScenarioOf[Kind]> =>
  isBuilt
    ? findBuiltScenarios(kind)
    : readBundledScenarios(join(packageFolder('scenarios'), scenarioKinds[kind].folder), readers[kind])

export function openScenarios({
  folders = [],
  foldersMayAppear,
  resultNames,
}: RepositoryOptions): ScenarioRepositories {
  const bundled: { readonly [Kind in ScenarioKind]: BundledScenarios<ScenarioOf[Kind]> } = {
    order: bundledScenarios('order'),
    feed: bundledScenarios('feed'),
    persona: bundledScenarios('persona'),
  }
  const bundledWithZip = (zip: string) =>
    bundled.order.names().find((name) => bundled.order.find(name)?.zip === zip)
  const beside: BundledContext = {
    bundledWithZip,
    bundledNames: (kind) => bundled[kind].names(),
    resultNames,
  }
  const own = openOwnScenarios(folders, beside, foldersMayAppear)
  let isReady = folders.length === 0
  const ready = once(async () => {
    await own.read()
    isReady = true
  })
  const repositoryOf = <Kind extends ScenarioKind>(kind: Kind): Scenarios<ScenarioOf[Kind]> => {
    const mine = own.byKind[kind]
    const names = () => [...new Set([...bundled[kind].names(), ...mine.keys()])].sort()
    const find = (name: string) => mine.get(name) ?? bundled[kind].find(name)
    const all = () => compact(names().map((name) => find(name)))
    return { ready: () => (isReady ? undefined : ready()), names, find, all, read: readers[kind] }
  }
  const byZip = (zip: string) => {
    if (!MAGIC_ZIP.test(zip)) return undefined
    const mine = [...own.byKind.order.values()].find((scenario) => scenario.zip === zip)
    const name = mine ? undefined : bundledWithZip(zip)
    return mine ?? (name === undefined || own.byKind.order.has(name) ? undefined : bundled.order.find(name))
  }
  const byKind: ScenarioRepositories['byKind'] = {
    order: { ...repositoryOf('order'), byZip },
    feed: repositoryOf('feed'),
    persona: repositoryOf('persona'),
  }
  return {
    byKind,
    find: (name) => compact(kindNames.map((kind) => findIn(byKind, kind, name)))[0],
    read: parseScenario,
    share: own.share,
    refresh: own.refresh,
    beside,
  }
}

function findIn<Kind extends ScenarioKind>(
  byKind: { readonly [One in ScenarioKind]: Scenarios<ScenarioOf[One]> },
  kind: Kind,
  name: string,
): ParsedScenario<Kind> | undefined {
  const scenario = byKind[kind].find(name)
  return scenario && { kind, scenario }
}

/** Does something at once if the user's files are read, and otherwise then. */
export const onceReady = (
  { ready }: Pick<Scenarios<unknown>, 'ready'>,
  work: () => void,
): Promise<void> | void => ready()?.then(work) ?? work()

/** Begins at once if the user's files are read, and otherwise in a job, which waits for them. */
export function beginOnceReady(
  world: World,
  { ready }: Pick<Scenarios<unknown>, 'ready'>,
  begin: () => void,
  job: Pick<Job, 'kind' | 'subject' | 'data'>,
): void {
  const reading = ready()
  reading?.catch(() => undefined)
  if (reading) world.agenda.schedule({ due: world.clock.now(), ...job })
  else begin()
}

/** Says that there is no scenario of a name, and what there is. */
export const noScenario = (name: string, names: readonly string[]): string =>
  `There is no scenario "${name}".${didYouMean(name, names) || ' List them with `npx petri-sandbox scenario list`.'}`

export function assertKnownScenario(scenario: string, names: readonly string[]): void {
  if (names.includes(scenario)) return
  throw new Error(noScenario(scenario, names))
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

/** The most parsed scenarios in the cache. */
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
  const read = (source: string, file: string): Kind => {
    const known = parsed.get(source)
    if (known) return known
    const scenario = repository.read(source, file)
    if (parsed.size >= MAX_READ) parsed.clear()
    parsed.set(source, scenario)
    return scenario
  }
  const names = (world?: World) =>
    world ? [...new Set([...repository.names(), ...world.db.ids(uploads)])].sort() : repository.names()
  const find = (world: World, name: string) => {
    const uploaded = world.db.find(uploads, name)
    return uploaded ? read(uploaded.source, name) : repository.find(name)
  }
  const unknown = (world: World | undefined, name: string, kind: 'bad_request' | 'not_found') =>
    new Problem(kind, `There is no ${noun} "${name}".${didYouMean(name, names(world))}`)
  const isUploaded = (world: World, name: string) => world.db.has(uploads, name)
  return {
    ready: repository.ready,
    read,
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
