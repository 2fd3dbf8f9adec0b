import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { didYouMean } from '../kernel/nearest.ts'
import type { Scenario } from './file.ts'
import { MAGIC_ZIP } from './magic-zip.ts'

/** The scenarios in some folders, each parsed when it is first needed. A later folder's scenario replaces one of the same name. */
export interface ScenarioRepository {
  /** Resolves once the parser is loaded. Throws if a file in a checked folder is invalid. */
  ready(): Promise<void> | undefined
  names(): readonly string[]
  find(name: string): Scenario | undefined
  /** The scenario with this magic ZIP. */
  byZip(zip: string): Scenario | undefined
  all(): Scenario[]
  /** Parses a scenario. Throws a ScenarioError if it is invalid. */
  read(source: string, file: string): Scenario
}

const SUFFIX = /\.ya?ml$/

/** All files of `checked` folders, which are the user's, are validated in `ready`. */
export function createScenarioRepository(
  bundled: string,
  checked: readonly string[] = [],
): ScenarioRepository {
  const files = new Map<string, string>()
  for (const folder of [bundled, ...checked]) {
    for (const file of readdirSync(folder)
      .filter((name) => SUFFIX.test(name))
      .sort()) {
      files.set(basename(file).replace(SUFFIX, ''), join(folder, file))
    }
  }
  const texts = new Map<string, string>()
  const scenarios = new Map<string, Scenario>()
  let reader: typeof import('./read.ts') | undefined
  let preparing: Promise<void> | undefined

  const textOf = (name: string, file: string) => {
    const known = texts.get(name)
    if (known !== undefined) return known
    const text = readFileSync(file, 'utf8')
    texts.set(name, text)
    return text
  }
  const read = (source: string, file: string): Scenario => {
    if (!reader) throw new Error('the repository is not ready')
    return reader.readScenario(source, file)
  }
  const find = (name: string): Scenario | undefined => {
    const file = files.get(name)
    const known = scenarios.get(name)
    if (known || file === undefined) return known
    const scenario = read(textOf(name, file), file)
    reader?.assertScenarioName(scenario, name, file)
    scenarios.set(name, scenario)
    return scenario
  }
  const prepare = async () => {
    reader = await import('./read.ts')
    for (const [name, file] of files)
      if (checked.some((folder) => dirname(file) === dirname(join(folder, '_')))) find(name)
  }
  return {
    ready() {
      if (reader) return undefined
      preparing ??= prepare()
      return preparing
    },
    names: () => [...files.keys()].sort(),
    find,
    byZip(zip) {
      if (!MAGIC_ZIP.test(zip)) return undefined
      for (const [name, file] of files) {
        const scenario = textOf(name, file).includes(zip) ? find(name) : undefined
        if (scenario?.zip === zip) return scenario
      }
      return undefined
    },
    all: () => [...files.keys()].sort().flatMap((name) => find(name) ?? []),
    read,
  }
}

export function assertKnownScenario(scenario: string, names: readonly string[]): void {
  if (names.includes(scenario)) return
  throw new Error(`There is no scenario "${scenario}".${didYouMean(scenario, names)}`)
}
