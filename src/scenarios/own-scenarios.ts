import { existsSync } from 'node:fs'
import type { RefusedScenario } from './file.ts'
import { fingerprintOf, listOwnFiles, nameOfFile } from './folders.ts'
import type { ParsedScenario, ScenarioKind, ScenarioOf } from './kinds.ts'
import { inWords, ScenarioError } from './read.ts'
import type { BundledContext, ValidatedFile } from './validate-files.ts'

/** A change of a scenario's file. */
export interface ScenarioChange {
  readonly kind: ScenarioKind
  readonly name: string
  readonly file: string
  /** `refused`: the file is broken, and the last good one stays in use. */
  readonly what: 'added' | 'changed' | 'removed' | 'refused'
  /** In words; empty unless refused. */
  readonly issues: readonly string[]
}

/** The scenarios in the user's folders. A later folder's scenario replaces one of the same name. */
export interface OwnScenarios {
  /** By kind, then by name. */
  readonly byKind: { readonly [Kind in ScenarioKind]: ReadonlyMap<string, ScenarioOf[Kind]> }
  /** Adds a scenario that has no file; it replaces one of the same name. */
  share(parsed: ParsedScenario): void
  /** Those without a file that are no longer valid, by kind, then by name. */
  readonly refused: RefusedByKind
  refuse(kind: ScenarioKind, name: string, refused: RefusedScenario): void
  /** Reads all files. Throws an Error with all that is wrong. */
  read(): Promise<void>
  /**
   * Reads the files again if they have changed and settled. Calls `before` with the scenarios to be replaced or removed,
   * and the function it returns in the turn in which they are.
   */
  refresh(before: (changes: readonly ScenarioChange[]) => Promise<() => void>): Promise<ScenarioChange[]>
}

type RefusedByKind = Readonly<Record<ScenarioKind, Map<string, RefusedScenario>>>

/** With `mayAppear`, a folder that does not exist is empty until it does. */
export function openOwnScenarios(
  listed: readonly string[],
  beside: BundledContext,
  mayAppear = false,
): OwnScenarios {
  const present = () => (mayAppear ? listed.filter((folder) => existsSync(folder)) : listed)
  const byKind: MapsByKind = { order: new Map(), feed: new Map(), persona: new Map() }
  const refused: RefusedByKind = { order: new Map(), feed: new Map(), persona: new Map() }
  const shared = new Map<string, ParsedScenario>()
  /** The last valid content of each file, by path. */
  let good = new Map<string, ValidatedFile>()
  /** The last report on each broken file, by path. */
  const refusals = new Map<string, string>()
  let applied = ''
  let seen = ''

  const validate = async () => {
    const { validateFiles } = await import('./validate-files.ts')
    return validateFiles(present().flatMap(listOwnFiles), beside).filter(({ isFinding }) => !isFinding)
  }
  const apply = () => {
    for (const scenarios of Object.values(byKind)) scenarios.clear()
    for (const { parsed, group } of good.values()) if (parsed) addTo(byKind, parsed, group)
    for (const parsed of shared.values()) addTo(byKind, parsed)
  }
  return {
    byKind,
    refused,
    share(parsed) {
      for (const scenarios of Object.values(refused)) scenarios.delete(parsed.scenario.name)
      shared.set(parsed.scenario.name, parsed)
      addTo(byKind, parsed)
    },
    refuse: (kind, name, scenario) => void refused[kind].set(name, scenario),
    async read() {
      if (listed.length === 0) return
      applied = await fingerprintOf(present())
      seen = applied
      const validated = await validate()
      const issues = validated.flatMap((one) => one.issues)
      if (issues.length > 0) throw new ScenarioError(issues)
      good = new Map(validated.map((one) => [one.path, one]))
      apply()
    },
    async refresh(before) {
      const found = await fingerprintOf(present())
      const isSettled = found === seen
      seen = found
      if (!isSettled || found === applied) return []
      applied = found
      const validated = await validate()
      const next = new Map(
        validated.flatMap((one) => {
          const kept = one.issues.length === 0 ? one : good.get(one.path)
          return kept ? [[one.path, kept] as const] : []
        }),
      )
      const changes = changesOf(good, next)
      const change = await before(changes.filter(({ what }) => what !== 'added'))
      change()
      good = next
      apply()
      return [...changes, ...validated.flatMap((one) => refusalOf(one, one.issues.map(inWords), refusals))]
    },
  }
}

type MapsByKind = { readonly [Kind in ScenarioKind]: Map<string, ScenarioOf[Kind]> }

function addTo<Kind extends ScenarioKind>(
  byKind: MapsByKind,
  { kind, scenario }: ParsedScenario<Kind>,
  group?: string,
): void {
  byKind[kind].set(scenario.name, group === undefined ? scenario : { ...scenario, group })
}

/** Empty if the same was reported before. */
function refusalOf(
  { path, parsed, kind }: ValidatedFile,
  words: readonly string[],
  reported: Map<string, string>,
): ScenarioChange[] {
  const text = words.join('\n')
  const isKnown = reported.get(path) === text
  if (text === '') reported.delete(path)
  else reported.set(path, text)
  if (text === '' || isKnown) return []
  return [
    {
      kind: parsed?.kind ?? kind ?? 'order',
      name: nameOfFile(path),
      file: path,
      what: 'refused',
      issues: words,
    },
  ]
}

function changesOf(
  before: ReadonlyMap<string, ValidatedFile>,
  after: ReadonlyMap<string, ValidatedFile>,
): ScenarioChange[] {
  const byName = (files: ReadonlyMap<string, ValidatedFile>) =>
    new Map([...files.values()].map((one) => [one.name, one]))
  const old = byName(before)
  const current = byName(after)
  const change = ({ name, path, parsed }: ValidatedFile, what: ScenarioChange['what']): ScenarioChange => ({
    kind: parsed?.kind ?? 'order',
    name,
    file: path,
    what,
    issues: [],
  })
  const added = [...current.values()].flatMap((one) => {
    const was = old.get(one.name)
    if (!was) return change(one, 'added')
    return meaningOf(was) === meaningOf(one) ? [] : change(one, 'changed')
  })
  const removed = [...old.values()]
    .filter(({ name }) => !current.has(name))
    .map((one) => change(one, 'removed'))
  return [...added, ...removed]
}

/** A text that a comment or an indentation does not change. */
const meaningOf = ({ parsed }: ValidatedFile): string =>
  JSON.stringify({ ...parsed?.scenario, source: undefined })
