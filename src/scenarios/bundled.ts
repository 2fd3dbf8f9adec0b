import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** Scenarios that come with Petri, each parsed when it is first needed. */
export interface BundledScenarios<Scenario> {
  names(): readonly string[]
  find(name: string): Scenario | undefined
  /** The names of those whose file has this text. */
  containing(text: string): string[]
}

/** The names of the scenario files in a folder, hidden ones left out. */
export const scenarioFilesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => /^[^.].*\.ya?ml$/.test(file))
        .sort()
    : []

/** The name that a scenario in this file must have. */
export const nameOfFile = (file: string): string => basename(file).replace(/\.(ya?ml|json)$/, '')

/** By folder. Bundled files do not change while a process runs. */
const bundledFiles = new Map<string, ReadonlyMap<string, string>>()

const filesByName = (folder: string): ReadonlyMap<string, string> =>
  new Map(scenarioFilesIn(folder).map((file) => [nameOfFile(file), join(folder, file)]))

/** `scenarios` has those that were parsed before, by file; all Petris of a process share it. */
export function openBundledScenarios<Scenario>(
  folder: string,
  read: (source: string, file: string) => Scenario,
  scenarios: Map<string, Scenario>,
): BundledScenarios<Scenario> {
  const files = bundledFiles.get(folder) ?? filesByName(folder)
  bundledFiles.set(folder, files)
  const texts = new Map<string, string>()
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
      const scenario = scenarios.get(file) ?? read(textOf(name, file), file)
      scenarios.set(file, scenario)
      return scenario
    },
    containing: (text) =>
      [...files].flatMap(([name, file]) => (textOf(name, file).includes(text) ? name : [])),
  }
}
