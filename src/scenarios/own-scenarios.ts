import { nameOfFile } from './bundled.ts'
import type { FeedScenario } from './feeds/steps.ts'
import type { Scenario } from './file.ts'
import type { BundledContext, Judged } from './judge.ts'
import { fingerprintOf, listOwnFiles, type ScenarioKind } from './own-files.ts'

/** What became of a scenario whose file has changed. */
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
  readonly orders: ReadonlyMap<string, Scenario>
  readonly feeds: ReadonlyMap<string, FeedScenario>
  /** Reads all files. Throws an Error with all that is wrong. */
  read(): Promise<void>
  /**
   * Reads the files again if they have changed and settled. `before` is told of the scenarios that are to be replaced or
   * removed; what it answers is called in the turn in which they are.
   */
  refresh(before: (changes: readonly ScenarioChange[]) => Promise<() => void>): Promise<ScenarioChange[]>
}

export function openOwnScenarios(folders: readonly string[], beside: BundledContext): OwnScenarios {
  const orders = new Map<string, Scenario>()
  const feeds = new Map<string, FeedScenario>()
  /** The last good reading of each file, by path. */
  let good = new Map<string, Judged>()
  /** What was told of each broken file, by path. */
  const refusals = new Map<string, string>()
  let applied = ''
  let seen = ''

  const judge = async () => {
    const { judgeFiles } = await import('./judge.ts')
    return judgeFiles(folders.flatMap(listOwnFiles), beside)
  }
  const apply = () => {
    orders.clear()
    feeds.clear()
    for (const { parsed } of good.values()) {
      if (parsed?.kind === 'order') orders.set(parsed.scenario.name, parsed.scenario)
      else if (parsed) feeds.set(parsed.scenario.name, parsed.scenario)
    }
  }
  return {
    orders,
    feeds,
    async read() {
      if (folders.length === 0) return
      applied = await fingerprintOf(folders)
      seen = applied
      const judged = await judge()
      const issues = judged.flatMap((one) => one.issues)
      const { ScenarioError } = await import('./read.ts')
      if (issues.length > 0) throw new ScenarioError(issues)
      good = new Map(judged.map((one) => [one.path, one]))
      apply()
    },
    async refresh(before) {
      const found = await fingerprintOf(folders)
      const isSettled = found === seen
      seen = found
      if (!isSettled || found === applied) return []
      applied = found
      const judged = await judge()
      const next = new Map(
        judged.flatMap((one) => {
          const kept = one.issues.length === 0 ? one : good.get(one.path)
          return kept ? [[one.path, kept] as const] : []
        }),
      )
      const { inWords } = await import('./read.ts')
      const changes = changesOf(good, next)
      const change = await before(changes.filter(({ what }) => what !== 'added'))
      change()
      good = next
      apply()
      return [...changes, ...judged.flatMap((one) => refusalOf(one, one.issues.map(inWords), refusals))]
    },
  }
}

/** Nothing if the same was told before. */
function refusalOf(
  { path, parsed, kind }: Judged,
  words: readonly string[],
  told: Map<string, string>,
): ScenarioChange[] {
  const text = words.join('\n')
  const isKnown = told.get(path) === text
  if (text === '') told.delete(path)
  else told.set(path, text)
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
  before: ReadonlyMap<string, Judged>,
  after: ReadonlyMap<string, Judged>,
): ScenarioChange[] {
  const byName = (files: ReadonlyMap<string, Judged>) =>
    new Map([...files.values()].map((one) => [one.name, one]))
  const [old, current] = [byName(before), byName(after)]
  const change = ({ name, path, parsed }: Judged, what: ScenarioChange['what']): ScenarioChange => ({
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
const meaningOf = ({ parsed }: Judged): string => JSON.stringify({ ...parsed?.scenario, source: undefined })
