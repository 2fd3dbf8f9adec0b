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

type MapsByKind = { readonly [Kind in ScenarioKind]: Map<string, ScenarioOf[Kind]> }
type RefusedByKind = Readonly<Record<ScenarioKind, Map<string, RefusedScenario>>>

/** The scenarios in the user's folders. A later folder's scenario replaces one of the same name. */
export class OwnScenarios {
  /** By kind, then by name. */
  readonly byKind: MapsByKind = { order: new Map(), feed: new Map(), persona: new Map() }
  /** Those without a file that are no longer valid, by kind, then by name. */
  readonly refused: RefusedByKind = { order: new Map(), feed: new Map(), persona: new Map() }
  readonly #folders: readonly string[]
  readonly #beside: BundledContext
  readonly #mayAppear: boolean
  /** Those without a file, by name. */
  readonly #shared = new Map<string, ParsedScenario>()
  /** The last valid content of each file, by path. */
  #valid: ReadonlyMap<string, ValidatedFile> = new Map()
  /** The last report on each broken file, by path. */
  readonly #reported = new Map<string, string>()
  /** The state of the files when they were read, and when they were last looked at. */
  #readState = ''
  #seenState = ''

  /** With `mayAppear`, a folder that does not exist is empty until it does. */
  constructor(folders: readonly string[], beside: BundledContext, mayAppear = false) {
    this.#folders = folders
    this.#beside = beside
    this.#mayAppear = mayAppear
  }

  /** Adds a scenario that has no file; it replaces one of the same name. */
  share(parsed: ParsedScenario): void {
    const { name } = parsed.scenario
    for (const scenarios of Object.values(this.refused)) scenarios.delete(name)
    this.#shared.set(name, parsed)
    this.#add(parsed)
  }

  /** Reads all files. Throws an Error with all that is wrong. */
  async read(): Promise<void> {
    if (this.#folders.length === 0) return
    this.#readState = await fingerprintOf(this.#present())
    this.#seenState = this.#readState
    const validated = await this.#validate()
    const issues = validated.flatMap((one) => one.issues)
    if (issues.length > 0) throw new ScenarioError(issues)
    this.#use(new Map(validated.map((one) => [one.path, one])))
  }

  /**
   * Reads the files again if they have changed and settled. Calls `before` with the scenarios to be replaced or removed,
   * and the function it returns in the turn in which they are.
   */
  async refresh(
    before: (changes: readonly ScenarioChange[]) => Promise<() => void>,
  ): Promise<ScenarioChange[]> {
    const state = await fingerprintOf(this.#present())
    const isSettled = state === this.#seenState
    this.#seenState = state
    if (!isSettled || state === this.#readState) return []
    this.#readState = state
    const validated = await this.#validate()
    const next = new Map<string, ValidatedFile>()
    for (const one of validated) {
      const usable = one.issues.length === 0 ? one : this.#valid.get(one.path)
      if (usable) next.set(one.path, usable)
    }
    const changes = changesOf(this.#valid, next)
    const change = await before(changes.filter(({ what }) => what !== 'added'))
    change()
    this.#use(next)
    return [
      ...changes,
      ...validated.flatMap((one) => refusalOf(one, one.issues.map(inWords), this.#reported)),
    ]
  }

  #present(): readonly string[] {
    return this.#mayAppear ? this.#folders.filter((folder) => existsSync(folder)) : this.#folders
  }

  async #validate(): Promise<ValidatedFile[]> {
    const { validateFiles } = await import('./validate-files.ts')
    const validated = validateFiles(this.#present().flatMap(listOwnFiles), this.#beside)
    return validated.filter(({ isFinding }) => !isFinding)
  }

  #use(files: ReadonlyMap<string, ValidatedFile>): void {
    this.#valid = files
    for (const scenarios of Object.values(this.byKind)) scenarios.clear()
    for (const { parsed, group } of files.values()) if (parsed) this.#add(parsed, group)
    for (const parsed of this.#shared.values()) this.#add(parsed)
  }

  #add<Kind extends ScenarioKind>({ kind, scenario }: ParsedScenario<Kind>, group?: string): void {
    const scenarios: Map<string, ScenarioOf[Kind]> = this.byKind[kind]
    scenarios.set(scenario.name, group === undefined ? scenario : { ...scenario, group })
  }
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
