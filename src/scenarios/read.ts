import type { LineCounter, parseDocument } from 'yaml'
import * as z from 'zod'
import type { LazySchema } from '../api/schema.ts'
import { filterFields } from '../kernel/fields.ts'
import { isObject, maxDepthExceededAt, valueAt } from '../kernel/json.ts'
import { smallest } from '../kernel/list.ts'
import { didYouMean, nearest } from '../kernel/nearest.ts'
import { plural } from '../kernel/readable.ts'
import { messageOf } from '../kernel/reason.ts'
import { yaml } from '../kernel/yaml.ts'
import type { Persona } from '../people/persona.ts'
import { checkScenario, checkWebhookFaults } from './check.ts'
import { FeedFile, type FeedScenario, type FeedStep, toFeedScenario } from './feeds/steps.ts'
import { type Scenario, ScenarioFile, type ScenarioIssue, toScenario } from './file.ts'
import type { ParsedScenario, ScenarioKind, ScenarioOf } from './kinds.ts'
import { PersonaFile, toPersona } from './personas/file.ts'
import { NO_DURATION } from './steps.ts'

/** An error in a part of a file. */
interface Explanation {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** The maximum number of reported errors. */
export const MAX_LISTED = 50

/** All field names of files with a schema, which are needed only for messages. */
const fieldNames = (schema: z.ZodType): string[] =>
  namesIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))

/** The names of all properties in a JSON schema. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const names = Object.entries(schema).flatMap(([key, inner]) => [
    ...(key === 'properties' ? Object.keys(inner) : []),
    ...namesIn(inner),
  ])
  return [...new Set(names)]
}

/** An issue of zod in words, with the value and the nearest word. */
export function explain(
  issue: z.core.$ZodIssue,
  file: unknown,
  knownWords: readonly string[],
  above: readonly PropertyKey[] = [],
): Explanation[] {
  const path = [...above, ...issue.path]
  const field = nameOfField(path)
  const value = valueAt(file, path)
  const shown = writtenValue(value)
  const actual = shown === undefined ? '' : `; it is ${shown}`
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.slice(0, MAX_LISTED).map((key) => ({
        path: [...path, key],
        message: `"${key}" is not known here.${didYouMean(key, knownWords)}`,
      }))
    case 'invalid_union': {
      const alternatives = issue.errors.map(withoutMisspelt)
      return nearestOf(alternatives, valueAt.bind(undefined, value)).flatMap((inner) =>
        explain(inner, file, knownWords, path),
      )
    }
    case 'invalid_value': {
      if (value === undefined)
        return [{ path, message: `${field} is missing; it is one of ${issue.values.join(', ')}` }]
      const hint = typeof value === 'string' ? didYouMean(value, issue.values.map(String)) : ''
      const message = `${field} must be one of ${issue.values.join(', ')}${actual}`
      return [{ path, message: hint ? `${message}.${hint}` : message }]
    }
    case 'invalid_type':
      if (path.length === 0) return [{ path, message: notFields(value, knownWords) }]
      if (value === undefined) return [{ path, message: `${field} is missing` }]
      if (issue.message === NO_DURATION)
        return [{ path, message: `${field} ${withValue(NO_DURATION, shown)}` }]
      return [{ path, message: `${field} must be ${issue.expected}${actual}${quotesFor(issue, value)}` }]
    case 'too_big':
      return [{ path, message: `${field} must ${bound(issue, 'at most', 'below', issue.maximum)}${actual}` }]
    case 'too_small':
      return [{ path, message: `${field} must ${bound(issue, 'at least', 'above', issue.minimum)}${actual}` }]
    default:
      return [{ path, message: `${field} ${withValue(issue.message, shown)}` }]
  }
}

/** A field by its key, and by the number of its rule if it is one of several. */
function nameOfField(path: readonly PropertyKey[]): string {
  const last = path.at(-1) ?? 'the file'
  const place = path[path.indexOf('webhook_faults') + 1]
  if (!path.includes('webhook_faults') || typeof place !== 'number') return String(last)
  const rule = `rule ${place + 1} of webhook_faults`
  return path.length === path.indexOf('webhook_faults') + 2 ? rule : `${rule}: ${String(last)}`
}

function bound(
  { origin, inclusive }: { readonly origin: string; readonly inclusive?: boolean },
  within: string,
  beyond: string,
  limit: number | bigint,
): string {
  if (origin === 'string') return `have ${within} ${plural(Number(limit), 'character')}`
  if (origin === 'array') return `have ${within} ${plural(Number(limit), 'item')}`
  return `be ${inclusive === false ? beyond : within} ${limit}`
}

/** Whether a text was meant, and a number or the like was written. */
const isUnquoted = (issue: z.core.$ZodIssue, value: unknown): boolean =>
  issue.code === 'invalid_type' &&
  issue.expected === 'string' &&
  issue.message !== NO_DURATION &&
  (typeof value === 'number' || typeof value === 'boolean')

const quotesFor = (issue: z.core.$ZodIssue, value: unknown): string =>
  isUnquoted(issue, value) ? ', so write it in quotes' : ''

/** The message for a file that is not an object. */
function notFields(value: unknown, knownWords: readonly string[]): string {
  const isEmpty = value === null || value === undefined
  const needed = knownWords.includes('method')
    ? 'name, summary, method and steps'
    : 'kind, name, summary and steps'
  return `the file ${isEmpty ? 'is empty' : 'must be an object'}; a scenario has ${needed}`
}

/** A message of a schema, with the value where the message does not say it. */
function withValue(message: string, shown: string | undefined): string {
  if (shown === undefined || message.includes(shown)) return message
  if (message.startsWith('must ')) return `${message}; it is ${shown}`
  return message.startsWith('is ') ? `${shown} ${message}` : message
}

/** The issues without the missing fields that are there under a misspelt name. */
function withoutMisspelt(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => ({ key, parent: issue.path.join() })) : [],
  )
  const isMisspelt = (path: readonly PropertyKey[]) => {
    const beside = unknown.filter(({ parent }) => parent === path.slice(0, -1).join()).map(({ key }) => key)
    return nearest(String(path.at(-1)), beside, () => 2) !== undefined
  }
  return issues.filter(({ code, path }) => code === 'unrecognized_keys' || !isMisspelt(path))
}

/** The issues of the alternative that was meant: the one with the fewest fields too many or missing. */
function nearestOf(
  alternatives: readonly z.core.$ZodIssue[][],
  valueIn: (path: readonly PropertyKey[]) => unknown,
): readonly z.core.$ZodIssue[] {
  const misfit = (issues: readonly z.core.$ZodIssue[]) =>
    issues.reduce((sum, issue) => {
      if (issue.code === 'unrecognized_keys') return sum + issue.keys.length
      // A list in place of an object, or the reverse.
      if (issue.code === 'invalid_type' && issue.path.length === 0) return sum + 100
      return sum + (valueIn(issue.path) === undefined ? 1 : 0)
    }, 0)
  return [...alternatives].sort((a, b) => misfit(a) - misfit(b) || a.length - b.length)[0] ?? []
}

/** The longest value that is repeated, in characters. */
const MAX_SHOWN = 80

/** A text, a number or the like as it is written; undefined for a list or an object. */
function writtenValue(value: unknown): string | undefined {
  if (value === undefined || (typeof value === 'object' && value !== null)) return undefined
  const text = String(JSON.stringify(value))
  return text.length > MAX_SHOWN ? undefined : text
}

export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'
  readonly issues: readonly ScenarioIssue[]

  constructor(issues: readonly ScenarioIssue[]) {
    super(issues.map(inWords).join('\n'))
    this.issues = issues
  }
}

/** Reads a scenario, or says what is wrong with it. */
export function tryToRead<Kind>(read: () => Kind): {
  readonly scenario: Kind | undefined
  readonly issues: readonly ScenarioIssue[]
} {
  try {
    return { scenario: read(), issues: [] }
  } catch (error) {
    if (error instanceof ScenarioError) return { scenario: undefined, issues: error.issues }
    throw error
  }
}

/** An issue as a line: file, line, step and what is wrong. */
export const inWords = ({ file, line, step, message }: ScenarioIssue): string =>
  line === undefined
    ? `${file} ${message}`
    : `${file}:${line}: ${step === undefined ? '' : `step ${step}: `}${message}`

/** Parses a scenario from YAML or JSON. Throws a ScenarioError with all that is wrong, each with file, line and step. */
export function readScenario(source: string, file: string): Scenario {
  if (isFinding(source))
    throw new ScenarioError([
      { file, line: 1, message: 'this is a finding, which "petri explore" plays and no order follows' },
    ])
  const { data, issues, issueAt } = readFile(source, file, ScenarioFile)
  const scenario = data && toScenario(data, source)
  const violations = scenario ? checkScenario(scenario) : []
  const all = [...issues, ...violations.map(({ step, ...rest }) => issueAt(stepPath(step), rest))]
  if (!scenario || all.length > 0) throw new ScenarioError(all)
  const warnings = checkWebhookFaults(scenario).map(([at, message]) =>
    issueAt(Array.isArray(scenario.webhookFaults) ? ['webhook_faults', at] : ['webhook_faults'], { message }),
  )
  return { ...scenario, warnings }
}

/** The line of a part of a YAML text, counted from 1. */
export function lineAt(source: string, path: readonly PropertyKey[]): number {
  const { LineCounter, parseDocument } = yaml()
  const lines = new LineCounter()
  return lineOf(parseDocument(source, { lineCounter: lines }), lines, path)
}

/** The step that a path leads into, counted from 1. */
function stepIn(path: readonly PropertyKey[]): number | undefined {
  const step = path[path.indexOf('steps') + 1]
  return path.includes('steps') && typeof step === 'number' ? step + 1 : undefined
}

const stepPath = (step: number | undefined) => (step === undefined ? [] : ['steps', step])

/** The parts of a file that could be read. */
interface FileReading<Data> {
  /** The file without its faulty parts; undefined if its steps cannot be read. */
  readonly data: Data | undefined
  /** How it differs from the schema. */
  readonly issues: readonly ScenarioIssue[]
  issueAt(path: readonly PropertyKey[], rest: Pick<ScenarioIssue, 'message' | 'legal'>): ScenarioIssue
}

/** For a YAML file with a line `---` between two documents. */
const SEVERAL_DOCUMENTS = 'a second document begins here; write each into a separate file'

/** Parses a file against its schema. Throws a ScenarioError if it is not YAML. */
export function readFile<Schema extends z.ZodType>(
  source: string,
  file: string,
  schema: LazySchema<Schema>,
): FileReading<z.output<Schema>> {
  const lines = new (yaml().LineCounter)()
  const { document, value } = parseYaml(source, file, lines)
  if (document.errors.length > 0) {
    throw new ScenarioError(
      document.errors.slice(0, MAX_LISTED).map((error) => ({
        file,
        line: lines.linePos(error.pos[0]).line,
        message: error.code === 'MULTIPLE_DOCS' ? SEVERAL_DOCUMENTS : error.message,
      })),
    )
  }
  const issueAt: FileReading<unknown>['issueAt'] = (path, rest) => ({
    file,
    line: lineOf(document, lines, path),
    step: stepIn(path),
    path,
    value: valueAt(value, path),
    ...rest,
  })
  const parsed = schema().safeParse(value)
  if (parsed.success) return { data: parsed.data, issues: [], issueAt }
  const knownWords = fieldNames(schema())
  const mistakes = withoutMisspelt(parsed.error.issues)
    .flatMap((issue) => explain(issue, value, knownWords))
    .concat(wrongInQuotes(schema(), document, parsed.error.issues, knownWords))
    .slice(0, MAX_LISTED)
  const issues = mistakes.map(({ path, message }) => issueAt(path, { message }))
  const paths = mistakes.map(({ path }) => path)
  return { data: withoutMistakes(schema(), value, paths), issues, issueAt }
}

/** What is wrong with texts that were written without quotes, once they have them. */
function wrongInQuotes(
  schema: z.ZodType,
  document: ReturnType<typeof parseDocument>,
  issues: readonly z.core.$ZodIssue[],
  knownWords: readonly string[],
): Explanation[] {
  const unquoted = issues.filter((issue) => isUnquoted(issue, document.getIn(issue.path)))
  if (unquoted.length === 0) return []
  const quoted = document.clone()
  for (const { path } of unquoted) {
    const written = document.getIn(path, true)
    quoted.setIn(path, yaml().isScalar(written) ? written.source : undefined)
  }
  const value: unknown = quoted.toJS()
  const paths = new Set(unquoted.map(({ path }) => path.join('.')))
  const found = schema.safeParse(value).error?.issues ?? []
  return found
    .filter(({ path }) => paths.has(path.join('.')))
    .flatMap((issue) => explain(issue, value, knownWords))
}

/** Re-reads the steps without their invalid fields, up to the first that is too incomplete. */
function withoutMistakes<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  paths: readonly (readonly PropertyKey[])[],
): z.output<Schema> | undefined {
  if (!isObject(value) || !Array.isArray(value.steps)) return undefined
  const mistaken = new Set(paths.map(([key]) => key))
  const rest = filterFields(value, (key) => !mistaken.has(key))
  const steps = value.steps.map((step: unknown, at) => {
    const wrong = paths.filter(([list, place]) => list === 'steps' && place === at).map((path) => path[2])
    if (!isObject(step)) return step
    const kept = filterFields(step, (key) => key === 'only' || !wrong.includes(key))
    return { ...(wrong.includes('after') && { after: '0s' }), ...kept }
  })
  const draft = { name: 'draft', summary: 'draft', ...rest, steps }
  const first = schema.safeParse(draft)
  if (first.success) return first.data
  const places = first.error.issues.map(({ path }) => Number(path[1] ?? 0))
  return schema.safeParse({ ...draft, steps: steps.slice(0, smallest(places)) }).data
}

/** Deeply nested lists without indentation, which would overflow the stack of the parser. */
const MANY_DASHES = /^[ \t]*(?:[-?:][ \t]+){40}/m
const MAX_BRACKETS = 40
/** The longest file, in characters. */
const MAX_LETTERS = 128 * 1024

/** The parser compares keys with each other, so their number is limited. */
const MAX_SEPARATORS = 1000
/** The most anchors and aliases. */
const MAX_REFERENCES = 100

const count = (source: string, pattern: RegExp): number => source.match(pattern)?.length ?? 0

function assertWithinLimits(source: string, file: string): void {
  const isDeep = MANY_DASHES.test(source) || maxDepthExceededAt(source, MAX_BRACKETS, false) !== undefined
  const message = isDeep ? 'this is nested too deep to be a scenario' : 'this is too long to be a scenario'
  const isLong =
    source.length > MAX_LETTERS ||
    count(source, /[:,?]/g) > MAX_SEPARATORS ||
    count(source, /(^|[\s[{,:])[&*]\w/g) > MAX_REFERENCES
  if (isDeep || isLong) throw new ScenarioError([{ file, line: 1, message }])
}

/** Parses YAML. Deep nesting and too many aliases are reported like other mistakes. */
function parseYaml(source: string, file: string, lineCounter: LineCounter) {
  assertWithinLimits(source, file)
  const refuse = (message: string) => new ScenarioError([{ file, line: 1, message }])
  try {
    const document = yaml().parseDocument(source, { lineCounter, prettyErrors: false })
    if (document.errors.length > 0) return { document, value: undefined }
    const loose = looseAliases(document, file, lineCounter)
    if (loose.length > 0) throw new ScenarioError(loose)
    const value: unknown = document.toJS()
    if (isCyclic(value)) throw refuse('this contains itself by a YAML alias (*name); write it out')
    return { document, value }
  } catch (error) {
    if (error instanceof ScenarioError) throw error
    // The parser does not expand aliases of aliases without end.
    throw refuse(
      error instanceof ReferenceError
        ? 'this repeats too much by YAML aliases (*name); write it out'
        : `this cannot be read: ${messageOf(error)}`,
    )
  }
}

/** Aliases of nothing that stands before them. */
function looseAliases(
  document: ReturnType<typeof parseDocument>,
  file: string,
  lines: LineCounter,
): ScenarioIssue[] {
  const issues: ScenarioIssue[] = []
  yaml().visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) !== undefined) return
      const { line } = lines.linePos(alias.range?.[0] ?? 0)
      const message = `there is no anchor &${alias.source} before the YAML alias *${alias.source}; write "*${alias.source}" if a text is meant`
      issues.push({ file, line, message })
    },
  })
  return issues
}

function isCyclic(value: unknown): boolean {
  try {
    JSON.stringify(value)
    return false
  } catch {
    return true
  }
}

/** The name of a scenario must be the name of its file, or the one it is uploaded under. */
export function nameIssue(
  scenario: Pick<Scenario, 'name' | 'source'>,
  name: string,
  file: string,
): ScenarioIssue | undefined {
  if (scenario.name === name) return undefined
  const line = lineAt(scenario.source, ['name'])
  return { file, line, message: `the scenario is named ${scenario.name}, not as its file` }
}

export function assertScenarioName(...named: Parameters<typeof nameIssue>): void {
  const issue = nameIssue(...named)
  if (issue) throw new ScenarioError([issue])
}

function lineOf(
  document: ReturnType<typeof parseDocument>,
  lines: LineCounter,
  path: readonly PropertyKey[],
): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true) as
      | { range?: [number, number, number] }
      | undefined
    if (node?.range) return lines.linePos(node.range[0]).line
  }
  const { isMap, isSeq } = yaml()
  const whole = document.contents
  return (isMap(whole) || isSeq(whole)) && whole.range ? lines.linePos(whole.range[0]).line : 1
}

/** Parses a feed scenario from YAML or JSON. Throws a ScenarioError with all that is wrong, each with file, line and step. */
export function readFeed(source: string, file: string): FeedScenario {
  const { data, issues, issueAt } = readFile(source, file, FeedFile)
  const scenario = data && toFeedScenario(data, source)
  const unexpected = scenario ? impossible(scenario.steps) : []
  const all = [...issues, ...unexpected.map(([at, message]) => issueAt(['steps', at], { message }))]
  if (scenario && all.length === 0) return scenario
  throw new ScenarioError(all)
}

/** Parses a persona from YAML or JSON. Throws a ScenarioError with all that is wrong, each with file and line. */
export function readPersona(source: string, file: string): Persona {
  const { data, issues } = readFile(source, file, PersonaFile)
  if (data && issues.length === 0) return toPersona(data, source)
  throw new ScenarioError(issues)
}

/** Whether a text is a scenario with the key `history`, as `petri explore` wrote findings before. */
export const isEarlierFinding = (source: string): boolean => /^history:\s*\n +seed:/m.test(source)

/** Whether a text is a finding of `petri explore`, also in the earlier form. */
export const isFinding = (source: string): boolean =>
  isEarlierFinding(source) || /(?:^|[{,])\s*["']?kind["']?\s*:\s*["']?finding\b/m.test(source)

/** The kind of scenario that a text says it is; that of orders by default. */
export function kindOfText(source: string): ScenarioKind {
  const isFlow = source.trimStart().startsWith('{')
  const before = isFlow ? '[{,]' : '^'
  const [, kind] =
    new RegExp(`${before}\\s*["']?kind["']?\\s*:\\s*["']?(feed|persona)\\b`, 'm').exec(source) ?? []
  return kind === 'feed' || kind === 'persona' ? kind : 'order'
}

/** Parses a scenario of a kind from YAML or JSON. Throws a ScenarioError with all that is wrong. */
export const readers: {
  readonly [Kind in ScenarioKind]: (source: string, file: string) => ScenarioOf[Kind]
} = {
  order: readScenario,
  feed: readFeed,
  persona: readPersona,
}

/** Parses a scenario of the kind that it says it is. Throws a ScenarioError with all that is wrong. */
export const parseScenario = (source: string, file: string): ParsedScenario =>
  readAs(kindOfText(source), source, file)

const readAs = <Kind extends ScenarioKind>(
  kind: Kind,
  source: string,
  file: string,
): ParsedScenario<Kind> => ({
  kind,
  scenario: readers[kind](source, file),
})

/** Steps after which a connection brings nothing. */
const ends: readonly FeedStep['verb'][] = ['error', 'disconnect', 'pause']

/** Steps that are impossible at their position. */
function impossible(steps: readonly FeedStep[]): [number, string][] {
  let isOff = false
  return steps.flatMap((step, at): [number, string][] => {
    if (isOff && step.verb !== 'reconnect')
      return [[at, `${step.verb}: a connection that has ended brings nothing; legal: reconnect`]]
    isOff = ends.includes(step.verb)
    return []
  })
}
