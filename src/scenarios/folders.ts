import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { whyUnreadable } from '../kernel/reason.ts'
import { kindNames, type ScenarioKind, scenarioKinds } from './kinds.ts'

/** Scenarios that come with Petri, each parsed when it is first needed. */
export interface BundledScenarios<Scenario> {
  names(): readonly string[]
  find(name: string): Scenario | undefined
  /** The names of those whose file has this text. */
  containing(text: string): string[]
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

/** What was read of a folder. */
interface Folder {
  /** Paths by the name of the scenario. */
  readonly files: ReadonlyMap<string, string>
  readonly texts: Map<string, string>
  readonly scenarios: Map<string, unknown>
}

/** By path, for all Petris of a process: bundled files do not change while it runs. */
const foldersRead = new Map<string, Folder>()

function folderAt(path: string): Folder {
  const known = foldersRead.get(path)
  if (known) return known
  const files = new Map(scenarioFilesIn(path).map((file) => [nameOfFile(file), join(path, file)]))
  const folder = { files, texts: new Map(), scenarios: new Map() }
  foldersRead.set(path, folder)
  return folder
}

/** The scenarios of a folder, which are all of one kind. */
export function openBundledScenarios<Scenario>(
  path: string,
  read: (source: string, file: string) => Scenario,
): BundledScenarios<Scenario> {
  const { files, texts, scenarios } = folderAt(path)
  const textOf = (name: string, file: string) => {
    const text = texts.get(name) ?? readFileSync(file, 'utf8')
    texts.set(name, text)
    return text
  }
  return {
    names: () => [...files.keys()],
    find(name) {
      const file = files.get(name)
      if (file === undefined) return undefined
      const scenario = (scenarios.get(name) ?? read(textOf(name, file), file)) as Scenario
      scenarios.set(name, scenario)
      return scenario
    },
    containing: (text) =>
      [...files].filter(([name, file]) => textOf(name, file).includes(text)).map(([name]) => name),
  }
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

/** The same without subfolders, but for those of a kind, such as `feeds`. */
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
    if (!statSync(path).isDirectory()) throw new Error(`${path} is a file, not a folder of scenarios`)
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
