import { join } from 'node:path'
import { isBuilt } from '../kernel/built.ts'
import { byName } from '../kernel/fields.ts'
import { compact } from '../kernel/list.ts'
import { didYouMean } from '../kernel/nearest.ts'
import { once } from '../kernel/once.ts'
import { packageFolder } from '../kernel/package-folder.ts'
import { badRequest } from '../kernel/problem.ts'
import type { ResultNames } from '../resources/results/service.ts'
import type { Job } from '../scheduler/job.ts'
import type { Table } from '../storage/table.ts'
import type { World } from '../world/world.ts'
import type { RefusedScenario, Scenario, ScenarioIssue } from './file.ts'
import { type BundledScenarios, findBuiltScenarios, readBundledScenarios } from './folders.ts'
import { kindNames, type ParsedScenario, type ScenarioKind, type ScenarioOf, scenarioKinds } from './kinds.ts'
import { OwnScenarios } from './own-scenarios.ts'
import { passingThrough } from './passing-through.ts'
import { inWords, readers, tryToRead } from './read.ts'
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
  /** Those of all worlds that were stored and are no longer valid, by name; `find` does not find them. */
  readonly refused: ReadonlyMap<string, RefusedScenario>
  /** Parses a scenario. Throws a ScenarioError if it is invalid. */
  read(source: string, file: string): Kind
}

/** The scenarios of orders. */
export interface ScenarioRepository extends Scenarios<Scenario> {
  /** The scenario with this magic ZIP. */
  byZip(zip: string): Scenario | undefined
}

/** All scenarios. */
export interface ScenarioRepositories extends Pick<OwnScenarios, 'refresh' | 'share' | 'refused'> {
  /** The context for the validation of the user's files; usable after `ready`. */
  readonly beside: BundledContext
  readonly byKind: { readonly order: ScenarioRepository } & {
    readonly [Kind in ScenarioKind]: Scenarios<ScenarioOf[Kind]>
  }
  /** The scenario of this name, of any kind; usable after `ready`. */
  find(name: string): ParsedScenario | undefined
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
  const own = new OwnScenarios(folders, beside, foldersMayAppear)
  let isReady = folders.length === 0
  const ready = once(async () => {
    await own.read()
    isReady = true
  })
  const repositoryOf = <Kind extends ScenarioKind>(kind: Kind): Scenarios<ScenarioOf[Kind]> => {
    const mine = own.byKind[kind]
    const refused = own.refused[kind]
    const names = () => [...new Set([...bundled[kind].names(), ...mine.keys(), ...refused.keys()])].sort()
    const find = (name: string) =>
      refused.has(name) ? undefined : (mine.get(name) ?? bundled[kind].find(name))
    const all = () => compact(names().map((name) => find(name)))
    return { ready: () => (isReady ? undefined : ready()), names, find, all, refused, read: readers[kind] }
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
    share: (parsed) => own.share(parsed),
    refused: own.refused,
    refresh: (before) => own.refresh(before),
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

export const HAPPY_PATH = 'happy-path'

/** Prefixes of the names of scenarios that are not for kits. */
const prefixes = byName<string>({
  walk_in_test: 'walk-in',
  at_home_phlebotomy: 'at-home',
  on_site_collection: 'on-site',
})

/** The name of the equivalent of a scenario for a method: `walk-in-slow-lab` for `slow-lab`. */
export function nameFor(method: string, scenario: string): string {
  const plain = Object.values(prefixes).reduce((name, prefix) => name.replace(`${prefix}-`, ''), scenario)
  const prefix = prefixes[method]
  return prefix ? `${prefix}-${plain}` : plain
}

/** Says that there is no scenario of a name, and what there is: those that pass through a status of this name, or the nearest. */
export function noScenario(
  name: string,
  names: readonly string[],
  scenarios: () => readonly Scenario[],
  method?: string,
): string {
  const hint =
    passingThrough(name, scenarios(), method) ||
    didYouMean(name, names).trim() ||
    'List them with `npx petri-sandbox scenario list`.'
  return `There is no scenario "${name}". ${hint}`
}

/** A scenario of a world; undefined and with issues if its stored text is no longer valid. */
export interface StoredScenario<Kind> extends RefusedScenario {
  readonly scenario: Kind | undefined
}

/** The scenarios of one kind in a world: those uploaded to it, then those of the repository. */
export interface WorldScenarios<Kind> extends Pick<Scenarios<Kind>, 'ready'> {
  /** All scenarios of a world; without a world, those of the repository. */
  names(world?: World): readonly string[]
  /** All that are valid; without a world, those of the repository. */
  all(world?: World): readonly Kind[]
  /** Must not be called for a known name before `ready`. */
  find(world: World, name: string): Kind | undefined
  /** The same with its text, valid or not. */
  findStored(world: World, name: string): StoredScenario<Kind> | undefined
  /** The scenario of this name. Throws an error that names the nearest, those of `method` first, or says what is wrong with it. */
  get(world: World, name: string, method?: string): Kind
  /** Throws for a name that `get` would not find, without parsing a scenario that was not uploaded. */
  assertKnown(world: World | undefined, name: string): void
  isUploaded(world: World, name: string): boolean
}

/** The most parsed scenarios in the cache. */
const MAX_READ = 500

/** Without a table of uploads, all are those of the repository. */
export function createWorldScenarios<
  Kind extends { readonly source: string },
  Uploaded extends { readonly name: string; readonly source: string },
>(
  repository: Scenarios<Kind>,
  noun: 'scenario' | 'feed scenario' | 'persona',
  uploads?: Table<Uploaded>,
  describeMissing = (name: string, names: readonly string[], _all: () => readonly Kind[], _method?: string) =>
    `There is no ${noun} "${name}".${didYouMean(name, names)}`,
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
    world && uploads
      ? [...new Set([...repository.names(), ...world.db.ids(uploads)])].sort()
      : repository.names()
  const isUploaded = (world: World, name: string) => uploads !== undefined && world.db.has(uploads, name)
  const findStored = (world: World, name: string): StoredScenario<Kind> | undefined => {
    const uploaded = uploads && world.db.find(uploads, name)
    if (uploaded) return { source: uploaded.source, ...tryToRead(() => read(uploaded.source, name)) }
    const refused = repository.refused.get(name)
    if (refused) return { ...refused, scenario: undefined }
    const scenario = repository.find(name)
    return scenario && { source: scenario.source, scenario, issues: [] }
  }
  const all = (world?: World) =>
    world ? compact(names(world).map((name) => findStored(world, name)?.scenario)) : repository.all()
  const notUsable = (
    world: World | undefined,
    name: string,
    issues: readonly ScenarioIssue[] = [],
    method?: string,
  ) =>
    badRequest(
      issues.length > 0
        ? `The stored ${noun} "${name}" is no longer valid. ${issues.map(inWords).join('; ')}`
        : describeMissing(name, names(world), () => all(world), method),
    )
  return {
    ready: repository.ready,
    names,
    all,
    find: (world, name) => findStored(world, name)?.scenario,
    findStored,
    get(world, name, method) {
      const { scenario, issues } = findStored(world, name) ?? {}
      if (!scenario) throw notUsable(world, name, issues, method)
      return scenario
    },
    assertKnown(world, name) {
      const uploaded = world && isUploaded(world, name) ? findStored(world, name) : undefined
      const { issues = [] } = uploaded ?? repository.refused.get(name) ?? {}
      if (issues.length > 0 || !names(world).includes(name)) throw notUsable(world, name, issues)
    },
    isUploaded,
  }
}
