import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { didYouMean } from '../kernel/nearest.ts'
import { whyUnreadable } from '../kernel/reason.ts'
import type { FeedScenario } from './feeds/steps.ts'
import type { Scenario } from './file.ts'
import { FEEDS, type OwnFile, type ScenarioKind } from './folders.ts'
import { isFeedText, nameIssue, readFeed, readScenario, ScenarioError, type ScenarioIssue } from './read.ts'

/** A scenario of orders or of feeds. */
export type Parsed =
  | { readonly kind: 'order'; readonly scenario: Scenario }
  | { readonly kind: 'feed'; readonly scenario: FeedScenario }

/** A file of the user, and all that is wrong with it. */
export interface ValidatedFile extends OwnFile {
  /** Undefined if it cannot be parsed. */
  readonly parsed: Parsed | undefined
  readonly issues: readonly ScenarioIssue[]
}

/** The bundled scenarios and result names against which the user's files are validated. */
export interface BundledContext {
  /** The bundled scenario with this magic ZIP. */
  bundledWithZip(zip: string): string | undefined
  /** The names of the bundled scenarios of this kind. */
  bundledNames(kind: ScenarioKind): readonly string[]
  /** The names of all results of the catalogue. */
  resultNames(): readonly string[]
}

/** Validates files together, as `petri start` does with a folder of them. */
export function validateFiles(files: readonly OwnFile[], beside: BundledContext): ValidatedFile[] {
  const validated = files.map(validateAlone)
  return validated.map((one) => ({
    ...one,
    issues: [...one.issues, ...(one.parsed ? issuesBeside(one, one.parsed, validated, beside) : [])],
  }))
}

/** The longest file that is read, in bytes. */
const MAX_BYTES = 1024 * 1024

/** The text of a scenario file. Throws a ScenarioError that says why it cannot be read. */
export function readSource(path: string): string {
  const refuse = (message: string) => new ScenarioError([{ file: path, message }])
  try {
    if (statSync(path).size > MAX_BYTES) throw refuse('is too long to be a scenario')
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof ScenarioError) throw error
    throw refuse(whyUnreadable(path, error).slice(path.length + 1))
  }
}

/** Parses a scenario of either kind. Throws a ScenarioError with all that is wrong. */
export const parseScenario = (source: string, file: string): Parsed =>
  isFeedText(source)
    ? { kind: 'feed', scenario: readFeed(source, file) }
    : { kind: 'order', scenario: readScenario(source, file) }

function validateAlone(file: OwnFile): ValidatedFile {
  try {
    const source = readSource(file.path)
    const parsed = parseScenario(source, file.path)
    const name = hasName(file) ? nameIssue(parsed.scenario, file.name, file.path) : undefined
    const issues = [...(name ? [name] : []), ...placeIssues(file, parsed)]
    return { ...file, name: parsed.scenario.name, parsed, issues }
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    return { ...file, parsed: undefined, issues: error.issues }
  }
}

/** A pipe such as /dev/fd/63 has no name of its own. */
const hasName = ({ path }: OwnFile) => /\.(ya?ml|json)$/.test(path)

function placeIssues({ path, kind }: OwnFile, parsed: Parsed): ScenarioIssue[] {
  if (kind === undefined || kind === parsed.kind) return []
  const message =
    parsed.kind === 'feed'
      ? `a feed scenario is looked for in the subfolder ${FEEDS}; move it there`
      : `only feed scenarios are looked for in the folder ${FEEDS}; move it to the folder above`
  return [{ file: path, line: 1, message }]
}

function issuesBeside(
  own: ValidatedFile,
  parsed: Parsed,
  all: readonly ValidatedFile[],
  beside: BundledContext,
): ScenarioIssue[] {
  const others = all.filter((other) => other.path !== own.path)
  return [
    ...nameConflicts(own, parsed, others, beside),
    ...(parsed.kind === 'order' ? zipConflicts(own, parsed.scenario, others, beside) : []),
    ...(parsed.kind === 'order' ? unknownResults(parsed.scenario, own.path, beside.resultNames) : []),
  ]
}

function nameConflicts(
  own: ValidatedFile,
  { kind, scenario }: Parsed,
  others: readonly ValidatedFile[],
  { bundledNames }: BundledContext,
): ScenarioIssue[] {
  const issue = (message: string) => [
    { file: own.path, line: lineOf(scenario.source, /^\s*"?name"?\s*:/), message },
  ]
  const twin = others.find(
    ({ name, path, parsed }) =>
      name === own.name && (parsed?.kind !== kind || dirname(path) === dirname(own.path)),
  )
  if (twin) return issue(`${own.name} is also the name of the scenario in ${twin.path}`)
  const otherKind = kind === 'order' ? 'feed' : 'order'
  if (!bundledNames(otherKind).includes(own.name)) return []
  return issue(
    `${own.name} is the name of a bundled ${otherKind === 'feed' ? 'feed scenario' : 'scenario of orders'}`,
  )
}

function zipConflicts(
  own: ValidatedFile,
  { zip, source }: Scenario,
  others: readonly ValidatedFile[],
  { bundledWithZip }: BundledContext,
): ScenarioIssue[] {
  if (zip === undefined) return []
  const issue = (holder: string) => [
    { file: own.path, line: lineOf(source, zip), message: `ZIP code ${zip} already selects ${holder}` },
  ]
  const twin = others.find(
    ({ name, parsed }) => name !== own.name && parsed?.kind === 'order' && parsed.scenario.zip === zip,
  )
  if (twin) return issue(`the scenario in ${twin.path}`)
  const bundled = bundledWithZip(zip)
  const isReplaced = others.some(({ name }) => name === bundled)
  return bundled === undefined || bundled === own.name || isReplaced
    ? []
    : issue(`the bundled scenario ${bundled}; choose another, or leave out match`)
}

/** Names of missing results that are not in the catalogue. */
export function unknownResults(
  { steps, source }: Pick<Scenario, 'steps' | 'source'>,
  file: string,
  knownResults: () => readonly string[],
): ScenarioIssue[] {
  const named = steps.flatMap((step, at) => {
    const missing = step.kind === 'move' ? step.step.results?.missing : undefined
    return Array.isArray(missing) ? missing.map((name: string) => ({ name, step: at + 1 })) : []
  })
  if (named.length === 0) return []
  const known = knownResults()
  return named
    .filter(({ name }) => !known.includes(name))
    .map(({ name, step }) => ({
      file,
      line: lineOf(source, name),
      step,
      path: ['steps', step - 1],
      value: name,
      message: `"${name}" is not a result of any marker.${didYouMean(name, known)}`,
    }))
}

/** The first line that has this text, counted from 1; the first of all if none has. */
function lineOf(source: string, text: string | RegExp): number {
  const has = (line: string) => (typeof text === 'string' ? line.includes(text) : text.test(line))
  return Math.max(1, source.split('\n').findIndex(has) + 1)
}
