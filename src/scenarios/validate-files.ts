import { dirname, resolve } from 'node:path'
import { compact } from '../kernel/list.ts'
import { didYouMean } from '../kernel/nearest.ts'
import { whyUnread } from '../kernel/reason.ts'
import { MAX_PDF_BYTES, readUserFile } from '../kernel/user-file.ts'
import type { AnalyteSeed } from '../resources/catalogue/schema.ts'
import { whyNoPdf } from '../resources/results/own-pdf.ts'
import { type ResultNames, whyImpossible } from '../resources/results/service.ts'
import type { Scenario, ScenarioIssue } from './file.ts'
import { readFinding } from './finding.ts'
import type { OwnFile } from './folders.ts'
import { kindNames, type ParsedScenario, type ScenarioKind, scenarioKinds } from './kinds.ts'
import { isFinding, lineAt, nameIssue, parseScenario, ScenarioError } from './read.ts'
import type { ScenarioStep } from './steps.ts'

/** A file of the user, and all that is wrong with it. */
export interface ValidatedFile extends OwnFile {
  /** Undefined if it cannot be parsed. */
  readonly parsed: ParsedScenario | undefined
  readonly issues: readonly ScenarioIssue[]
  /** A finding is not a scenario: a start passes over it, and it is not listed. */
  readonly isFinding: boolean
}

/** The bundled scenarios and result names against which the user's files are validated. */
export interface BundledContext {
  /** The bundled scenario with this magic ZIP. */
  bundledWithZip(zip: string): string | undefined
  /** The names of the bundled scenarios of this kind. */
  bundledNames(kind: ScenarioKind): readonly string[]
  /** All results of the catalogue, by name. */
  resultNames(): ResultNames
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
    return readUserFile(path, MAX_BYTES).toString('utf8')
  } catch (error) {
    throw refuse(whyUnread(error))
  }
}

function validateAlone(file: OwnFile): ValidatedFile {
  try {
    const source = readSource(file.path)
    if (isFinding(source)) return validateFinding(file, source)
    const written = parseScenario(source, file.path)
    const { parsed, issues: unread } =
      written.kind === 'order' ? withPdfs(written.scenario, file.path) : { parsed: written, issues: [] }
    const name = hasName(file) ? nameIssue(parsed.scenario, file.name, file.path) : undefined
    const issues = [name, ...placeIssues(file, parsed), ...unread].filter((issue) => issue !== undefined)
    return { ...file, name: parsed.scenario.name, parsed, issues, isFinding: false }
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    return { ...file, parsed: undefined, issues: error.issues, isFinding: false }
  }
}

function validateFinding(file: OwnFile, source: string): ValidatedFile {
  const finding = { ...file, parsed: undefined, isFinding: true }
  try {
    const { name } = readFinding(source, file.path)
    return { ...finding, issues: compact([nameIssue({ name, source }, file.name, file.path)]) }
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    return { ...finding, issues: error.issues }
  }
}

/** Reads the PDFs that the steps of a scenario name. */
function withPdfs(scenario: Scenario, file: string): { parsed: ParsedScenario; issues: ScenarioIssue[] } {
  const issues: ScenarioIssue[] = []
  const steps = scenario.steps.map((step, at) => {
    if (step.kind !== 'move' || step.pdf === undefined) return step
    const { path } = step.pdf
    const read = readPdf(resolve(dirname(file), path))
    if ('content' in read) return { ...step, pdf: { path, content: read.content } }
    issues.push(pdfIssue(scenario, file, at, `pdf: ${path} ${read.why}`))
    return step
  })
  return { parsed: { kind: 'order', scenario: { ...scenario, steps } }, issues }
}

function readPdf(path: string): { readonly content: string } | { readonly why: string } {
  try {
    const bytes = readUserFile(path, MAX_PDF_BYTES)
    const why = whyNoPdf(bytes)
    return why === undefined ? { content: bytes.toString('base64') } : { why }
  } catch (error) {
    return { why: whyUnread(error) }
  }
}

function pdfIssue({ source }: Scenario, file: string, at: number, message: string): ScenarioIssue {
  const path = ['steps', at, 'results', 'pdf']
  return { file, line: lineAt(source, path), step: at + 1, path, message }
}

/** PDFs that cannot be read, because the scenario has no file next to which they could be. */
export const unreachablePdfs = (scenario: Scenario, file: string): ScenarioIssue[] =>
  compact(
    scenario.steps.map(
      (step, at) =>
        step.kind === 'move' &&
        step.pdf !== undefined &&
        pdfIssue(scenario, file, at, `pdf: an uploaded scenario has no folder; ${INSTEAD}`),
    ),
  )

const INSTEAD = 'start Petri with --scenarios, or send the PDF with PUT /_petri/orders/{order_id}/results'

/** A pipe such as /dev/fd/63 has no name of its own. */
const hasName = ({ path }: OwnFile) => /\.(ya?ml|json)$/i.test(path)

function placeIssues({ path, kind }: OwnFile, parsed: ParsedScenario): ScenarioIssue[] {
  if (kind === undefined || kind === parsed.kind) return []
  const { noun, folder } = scenarioKinds[parsed.kind]
  const place = folder === '' ? 'the folder above' : `the subfolder ${folder}`
  return [{ file: path, line: 1, message: `a ${noun} is looked for in ${place}; move it there` }]
}

function issuesBeside(
  own: ValidatedFile,
  parsed: ParsedScenario,
  all: readonly ValidatedFile[],
  beside: BundledContext,
): ScenarioIssue[] {
  const others = all.filter(({ path, isFinding }) => path !== own.path && !isFinding)
  return [
    ...nameConflicts(own, parsed, others, beside),
    ...(parsed.kind === 'order' ? zipConflicts(own, parsed.scenario, others, beside) : []),
    ...(parsed.kind === 'order' ? impossibleResults(parsed.scenario, own.path, beside.resultNames) : []),
  ]
}

function nameConflicts(
  own: ValidatedFile,
  { kind, scenario }: ParsedScenario,
  others: readonly ValidatedFile[],
  { bundledNames }: BundledContext,
): ScenarioIssue[] {
  const issue = (message: string) => [{ file: own.path, line: lineAt(scenario.source, ['name']), message }]
  const twin = others.find(
    ({ name, path, parsed, root }) =>
      name === own.name &&
      (parsed?.kind !== kind || root === own.root || dirname(path) === dirname(own.path)),
  )
  if (twin) return issue(`${own.name} is also the name of the scenario in ${twin.path}`)
  const other = kindNames.find((each) => each !== kind && bundledNames(each).includes(own.name))
  return other ? issue(`${own.name} is the name of a bundled ${scenarioKinds[other].noun}`) : []
}

function zipConflicts(
  own: ValidatedFile,
  { zip, source }: Scenario,
  others: readonly ValidatedFile[],
  { bundledWithZip }: BundledContext,
): ScenarioIssue[] {
  if (zip === undefined) return []
  const issue = (holder: string) => [
    {
      file: own.path,
      line: lineAt(source, ['match', 'zip']),
      message: `ZIP code ${zip} already selects ${holder}`,
    },
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

/** A result that a step names, and its value. */
interface NamedResult {
  readonly name: string
  readonly value?: number | string
  readonly path: readonly PropertyKey[]
}

const namedResults = (step: ScenarioStep, at: number): NamedResult[] => {
  const { missing, values = {} } = (step.kind === 'move' && step.step.results) || {}
  const path = ['steps', at, 'results']
  const absent = Array.isArray(missing) ? (missing as readonly string[]) : []
  return [
    ...absent.map((name, nth) => ({ name, path: [...path, 'missing', nth] })),
    ...Object.entries(values).map(([name, value]) => ({ name, value, path: [...path, 'values', name] })),
  ]
}

/** Results that the catalogue does not have, and values that they cannot have. */
export function impossibleResults(
  { steps, source }: Pick<Scenario, 'steps' | 'source'>,
  file: string,
  resultNames: () => ResultNames,
): ScenarioIssue[] {
  const named = steps.flatMap(namedResults)
  if (named.length === 0) return []
  const known = resultNames()
  return named.flatMap(({ name, value, path }) => {
    const message = known.has(name)
      ? whyNoValue(known.get(name) ?? [], name, value)
      : `"${name}" is not a result of any marker.${didYouMean(name, [...known.keys()])}`
    if (message === undefined) return []
    const step = Number(path[1]) + 1
    return [{ file, line: lineAt(source, path), step, path, value: value ?? name, message }]
  })
}

/** Why none of the analytes of this name can have the value. */
function whyNoValue(analytes: readonly AnalyteSeed[], name: string, value: NamedResult['value']) {
  if (value === undefined) return undefined
  const reasons = analytes.map((analyte) => whyImpossible(analyte, name, value))
  return reasons.includes(undefined) ? undefined : reasons[0]
}
