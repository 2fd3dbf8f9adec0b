import { isMap, isSeq, LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'
import type { LazySchema } from '../api/schema.ts'
import { didYouMean } from '../kernel/nearest.ts'
import { maxDepthExceededAt } from '../kernel/nesting.ts'
import { checkScenario } from './check.ts'
import { type Scenario, ScenarioFile, toScenario } from './file.ts'

/** Why a file is invalid. `line` counts from 1. */
export interface ScenarioIssue {
  readonly file: string
  readonly line: number
  /** Counts from 1. */
  readonly step?: number
  readonly message: string
  /** The statuses that are allowed at this step. */
  readonly legal?: readonly string[]
}

export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'
  readonly issues: readonly ScenarioIssue[]

  constructor(issues: readonly ScenarioIssue[]) {
    super(issues.map(inWords).join('\n'))
    this.issues = issues
  }
}

export const inWords = ({ file, line, step, message }: ScenarioIssue): string =>
  `${file}:${line}: ${step === undefined ? '' : `step ${step}: `}${message}`

/** Parses a scenario from YAML or JSON. Throws a ScenarioError that names file, line, step and the allowed statuses. */
export function readScenario(source: string, file: string): Scenario {
  const { data, lineAt } = readFile(source, file, ScenarioFile, KNOWN_KEYS)
  const scenario = toScenario(data, source)
  const complaints = checkScenario(scenario)
  if (complaints.length === 0) return scenario
  throw new ScenarioError(
    complaints.map(({ step, message, legal }) => ({
      file,
      line: step === undefined ? 1 : lineAt(['steps', step]),
      ...(step !== undefined && { step: step + 1 }),
      message,
      ...(legal && { legal }),
    })),
  )
}

/** Parses a file and maps its parts to lines. Throws a ScenarioError if it does not match the schema. */
export function readFile<Schema extends z.ZodType>(
  source: string,
  file: string,
  schema: LazySchema<Schema>,
  knownKeys: readonly string[],
): { readonly data: z.output<Schema>; readonly lineAt: (path: readonly PropertyKey[]) => number } {
  const lines = new LineCounter()
  const { document, value } = parseYaml(source, file, lines)
  const lineAt = (path: readonly PropertyKey[]) => lineOf(document, lines, path)
  if (document.errors.length > 0) {
    throw new ScenarioError(
      document.errors
        .slice(0, MOST_TOLD)
        .map(({ message, pos }) => ({ file, line: lines.linePos(pos[0]).line, message })),
    )
  }
  const parsed = schema().safeParse(value)
  if (parsed.success) return { data: parsed.data, lineAt }
  throw new ScenarioError(
    parsed.error.issues.flatMap((issue) =>
      explain(issue, [], knownKeys).map(({ path, message }) => ({
        file,
        line: lineAt(path),
        ...(path[0] === 'steps' && typeof path[1] === 'number' && { step: path[1] + 1 }),
        message,
      })),
    ),
  )
}

/** Deeply nested lists without indentation, which would overflow the stack of the parser. */
const MANY_DASHES = /^[ \t]*(?:[-?:][ \t]+){40}/m
const MOST_BRACKETS = 40
/** The most syntax errors that are reported at once. */
const MOST_TOLD = 50
/** The longest file, in characters. */
const MOST_LETTERS = 128 * 1024

/** The parser compares keys with each other, so their number is limited. */
const MAX_SEPARATORS = 2000
/** The most anchors and aliases. */
const MAX_REFERENCES = 100

const count = (source: string, pattern: RegExp): number => source.match(pattern)?.length ?? 0

function assertWithinLimits(source: string, file: string): void {
  const isDeep = MANY_DASHES.test(source) || maxDepthExceededAt(source, MOST_BRACKETS, false) !== undefined
  const message = isDeep ? 'this is nested too deep to be a scenario' : 'this is too long to be a scenario'
  const isLong =
    source.length > MOST_LETTERS ||
    count(source, /[:,?]/g) > MAX_SEPARATORS ||
    count(source, /(^|[\s[{,:])[&*]\w/g) > MAX_REFERENCES
  if (isDeep || isLong) throw new ScenarioError([{ file, line: 1, message }])
}

/** Parses YAML. Deep nesting and too many aliases are reported like other mistakes. */
function parseYaml(source: string, file: string, lineCounter: LineCounter) {
  assertWithinLimits(source, file)
  try {
    const document = parseDocument(source, { lineCounter, prettyErrors: false })
    return { document, value: document.errors.length > 0 ? undefined : (document.toJS() as unknown) }
  } catch (error) {
    throw new ScenarioError([{ file, line: 1, message: `this cannot be read: ${(error as Error).message}` }])
  }
}

/** The name of a scenario must be the name of its file, or the one it is uploaded under. */
export function assertScenarioName(
  scenario: Pick<Scenario, 'name' | 'source'>,
  name: string,
  file: string,
): void {
  if (scenario.name === name) return
  const line = scenario.source.split('\n').findIndex((text) => /^\s*"?name"?\s*:/.test(text)) + 1
  const message = `the scenario is named ${scenario.name}, not as its file`
  throw new ScenarioError([{ file, line: Math.max(line, 1), message }])
}

interface Explanation {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

const KNOWN_KEYS = [
  'name',
  'summary',
  'method',
  'match',
  'steps',
  'after',
  'status',
  'status_detail',
  'only',
  'await',
  'shipment',
  'results',
  'webhooks',
  'duplicate',
  'reorder',
  'delay',
  'drop_first',
  'bad_signature',
  'stale_timestamp',
  'burst',
  'faults',
  'operation',
  'times',
  'rate',
  'respond',
  'latency',
  'drop',
]

function explain(
  issue: z.core.$ZodIssue,
  above: readonly PropertyKey[],
  knownKeys: readonly string[],
): Explanation[] {
  const path = [...above, ...issue.path]
  const field = String(path.at(-1) ?? 'the file')
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        path: [...path, key],
        message: `"${key}" is not known here.${didYouMean(key, knownKeys)}`,
      }))
    case 'invalid_union': {
      const nearest = [...issue.errors].sort((a, b) => a.length - b.length)[0] ?? []
      return nearest.flatMap((inner) => explain(inner, path, knownKeys))
    }
    case 'invalid_value':
      return [{ path, message: `${field} must be one of ${issue.values.join(', ')}` }]
    case 'invalid_type':
      return [{ path, message: `${field} must be ${issue.expected}` }]
    default:
      return [{ path, message: `${field} ${issue.message}` }]
  }
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
  const whole = document.contents
  return (isMap(whole) || isSeq(whole)) && whole.range ? lines.linePos(whole.range[0]).line : 1
}
