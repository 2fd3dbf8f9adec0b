import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { once } from '../kernel/once.ts'
import { packageFolder } from '../kernel/package-folder.ts'
import { FileError, whyUnreadable } from '../kernel/reason.ts'
import { kindNames, type ScenarioKind, type ScenarioOf, scenarioKinds } from './kinds.ts'

/** Scenarios that come with Petri. */
export interface BundledScenarios<Scenario> {
  names(): readonly string[]
  find(name: string): Scenario | undefined
}

/** The names of the scenario files in a folder, hidden ones left out. */
const scenarioFilesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => /^[^.].*\.ya?ml$/i.test(file))
        .sort()
    : []

/** The name that a scenario in this file must have. */
export const nameOfFile = (file: string): string => basename(file).replace(/\.(ya?ml|json)$/i, '')

/** Of all Petris of a process by path, because bundled files do not change while it runs. */
const scenariosRead = new Map<string, unknown>()

/** The scenarios of a folder, which are all of one kind; each is parsed when it is first needed. */
export function readBundledScenarios<Scenario>(
  folder: string,
  read: (source: string, file: string) => Scenario,
): BundledScenarios<Scenario> {
  const files = new Map(scenarioFilesIn(folder).map((file) => [nameOfFile(file), `${folder}/${file}`]))
  return {
    names: () => [...files.keys()],
    find(name) {
      const file = files.get(name)
      if (file === undefined) return undefined
      const scenario = (scenariosRead.get(file) ?? read(readFileSync(file, 'utf8'), file)) as Scenario
      scenariosRead.set(file, scenario)
      return scenario
    },
  }
}

type ScenariosOfKinds = { readonly [Kind in ScenarioKind]: Readonly<Record<string, ScenarioOf[Kind]>> }

/** All bundled scenarios by kind and name, as the build has parsed them. */
const builtScenarios = once(
  (): ScenariosOfKinds => JSON.parse(readFileSync(join(packageFolder('dist'), 'scenarios.json'), 'utf8')),
)

export function findBuiltScenarios<Kind extends ScenarioKind>(
  kind: Kind,
): BundledScenarios<ScenarioOf[Kind]> {
  const byName = once(() => new Map<string, ScenarioOf[Kind]>(Object.entries(builtScenarios()[kind])))
  return { names: () => [...byName().keys()], find: (name) => byName().get(name) }
}

/** A scenario file of the user. */
export interface OwnFile {
  readonly path: string
  readonly name: string
  /** By the folder it lies in; undefined if that does not say so. */
  readonly kind: ScenarioKind | undefined
  /** The folder that was listed. */
  readonly root: string
  /** The subfolder it lies in, such as `incidents`; empty for the root. */
  readonly group: string
}

/** The kind of the scenarios in a subfolder of this name; undefined for any other folder. */
export const kindOfFolder = (name: string): ScenarioKind | undefined =>
  kindNames.find((kind) => scenarioKinds[kind].folder === name && name !== '')

/** The levels of subfolders that are read. */
const MAX_DEPTH = 3

/** The scenario files of a folder and its subfolders, hidden ones left out. Throws an Error in words if one cannot be read. */
export const listOwnFiles = (root: string): OwnFile[] => listGroup(root, [])

/** The same without subfolders, except those of a kind, such as `feeds`. */
export const listUngroupedFiles = (root: string): OwnFile[] => [
  ...ownFilesIn(root, []),
  ...subfoldersOf(root)
    .filter((name) => kindOfFolder(name))
    .flatMap((name) => ownFilesIn(root, [name])),
]

function listGroup(root: string, parts: readonly string[]): OwnFile[] {
  const files = ownFilesIn(root, parts)
  const subfolders = parts.length < MAX_DEPTH ? subfoldersOf(join(root, ...parts)) : []
  return [...files, ...subfolders.flatMap((name) => listGroup(root, [...parts, name]))]
}

function ownFilesIn(root: string, parts: readonly string[]): OwnFile[] {
  const path = join(root, ...parts)
  assertReadableFolder(path)
  const own = kindOfFolder(parts.at(-1) ?? '')
  const group = (own ? parts.slice(0, -1) : parts).join('/')
  const kind = own ?? 'order'
  return scenarioFilesIn(path).map((file) => ({
    path: join(path, file),
    name: nameOfFile(file),
    kind,
    root,
    group,
  }))
}

const subfoldersOf = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || kindOfFolder(entry.name))
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('.') && name !== 'node_modules')
    .sort()

function assertReadableFolder(path: string): void {
  try {
    if (!statSync(path).isDirectory()) throw new FileError('is a file, not a folder of scenarios')
    readdirSync(path)
  } catch (error) {
    throw new Error(`${whyUnreadable(path, error)}.`)
  }
}

/** A text that changes with the files of these folders. */
export async function fingerprintOf(folders: readonly string[]): Promise<string> {
  const files = folders.flatMap(listOwnFiles)
  const marks = files.map(({ path }) =>
    stat(path).then(
      ({ mtimeMs, size, ino }) => `${path} ${mtimeMs} ${size} ${ino}`,
      () => path,
    ),
  )
  return (await Promise.all(marks)).join('\n')
}
