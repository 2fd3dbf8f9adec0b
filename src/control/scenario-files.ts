import * as z from 'zod'
import { field, text } from '../api/fields.ts'
import { valueError } from '../api/issue.ts'
import { nullableText, schema, unnamed } from '../api/schema.ts'
import { parseJson } from '../kernel/json.ts'
import { Problem } from '../kernel/problem.ts'
import type { ScenarioIssue } from '../scenarios/file.ts'
import type { WorldScenarios } from '../scenarios/repository.ts'
import type { World } from '../world/world.ts'

export const ScenarioPath = unnamed(() => z.object({ name: text() }))

/** Parsed to the text of the scenario: what was sent, or the value of `source` in it. */
const ScenarioUpload = schema('ScenarioUpload', () =>
  field({ type: ['object', 'string'], examples: [{ source: 'name: mine\nsummary: …' }] }, (input) =>
    typeof input === 'string'
      ? (wrappedSource(input) ?? input)
      : valueError('a scenario is YAML, a JSON object, or {"source": "…"}'),
  ),
)

/** The text in `{"source": "…"}`. */
function wrappedSource(text: string): string | undefined {
  if (!/^\s*\{\s*"source"/.test(text)) return undefined
  const { source, ...rest } = (parseJson(text) ?? {}) as { readonly source?: unknown }
  return typeof source === 'string' && Object.keys(rest).length === 0 ? source : undefined
}

/** An operation whose body is a scenario file. */
export const takesScenarioFile = {
  body: ScenarioUpload,
  keepsBodyText: true,
  maxBodyBytes: 256 * 1024,
}

export const ScenarioRefusal = schema('ScenarioRefusal', () =>
  z.object({
    /** Counts from 1. */
    line: z.int(),
    /** Counts from 1; null for an error of the whole file. */
    step: z.int().nullable(),
    message: z.string(),
    /** The statuses that are allowed at this step. */
    legal: z.array(z.string()).nullable(),
  }),
)

/** Fields of scenarios of both kinds in lists. */
export const summaryFields = () => ({
  name: z.string(),
  summary: z.string(),
  /** Whether it was uploaded to this world. */
  uploaded: z.boolean(),
  /** The subfolder of the user's folder it lies in, such as `incidents`; empty for the others. */
  group: z.string(),
})

interface Summarised {
  readonly name: string
  readonly summary: string
  readonly group?: string
  readonly warnings?: readonly ScenarioIssue[]
}

export const summaryOf = (
  world: World,
  engine: Pick<WorldScenarios<unknown>, 'isUploaded'>,
  { name, summary, group = '' }: Summarised,
) => ({ name, summary, uploaded: engine.isUploaded(world, name), group })

/** The result of a check, whatever the kind of scenario; name and summary are null if it is refused. */
export const checkFields = () => ({
  valid: z.boolean(),
  name: nullableText(),
  summary: nullableText(),
  refusals: z.array(ScenarioRefusal()),
  /** What has no effect, though the file is valid. */
  warnings: z.array(ScenarioRefusal()),
})

export function checkOf(scenario: Summarised | undefined, issues: readonly ScenarioIssue[]) {
  const { name = null, summary = null, warnings = [] } = scenario ?? {}
  return {
    valid: scenario !== undefined,
    name,
    summary,
    refusals: issues.map(toRefusal),
    warnings: warnings.map(toRefusal),
  }
}

/** Throws if a scenario of the other kind has the name. */
export function assertOtherName(name: string, others: readonly string[], other: string, own: string): void {
  if (!others.includes(name)) return
  throw new Problem('conflict', `"${name}" is the name of ${other}; give this ${own} another name.`)
}

const toRefusal = ({ line, step, message, legal }: ScenarioIssue) => ({
  line: line ?? 1,
  step: step ?? null,
  message,
  legal: legal ? [...legal] : null,
})

/** Reads a scenario file: the scenario, or why it is refused. */
export async function tryToRead<Kind>(
  read: () => Kind,
  check: (scenario: Kind) => Promise<readonly ScenarioIssue[]> = async () => [],
): Promise<{ readonly scenario?: Kind; readonly issues: readonly ScenarioIssue[] }> {
  const { ScenarioError } = await import('../scenarios/read.ts')
  try {
    const scenario = read()
    const issues = await check(scenario)
    return issues.length > 0 ? { issues } : { scenario, issues }
  } catch (error) {
    if (error instanceof ScenarioError) return { issues: error.issues }
    throw error
  }
}

/** Reads a scenario file that is stored under `name`. Throws a 422 if it is refused. */
export async function readUpload<Kind extends { readonly name: string; readonly source: string }>(
  name: string,
  read: () => Kind,
  check?: (scenario: Kind) => Promise<readonly ScenarioIssue[]>,
): Promise<Kind> {
  const { assertScenarioName } = await import('../scenarios/read.ts')
  const readNamed = () => {
    const scenario = read()
    assertScenarioName(scenario, name, name)
    return scenario
  }
  const { scenario, issues } = await tryToRead(readNamed, check)
  if (!scenario) throw new Problem('invalid', issues.map(toEntry))
  return scenario
}

/** An issue as an entry of a 422. */
const toEntry = ({ file, line, step, path = [], value, message, legal }: ScenarioIssue) => ({
  type: 'scenario_invalid',
  loc: ['body', ...path],
  msg: message,
  input: value ?? null,
  ctx: { file, line, step, legal },
})
