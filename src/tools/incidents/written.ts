import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packageFolder } from '../../kernel/package-folder.ts'
import { nameOfFile } from '../../scenarios/folders.ts'
import { RecordError } from '../../scenarios/incidents/record.ts'
import { type ScenarioKind, scenarioKinds } from '../../scenarios/kinds.ts'
import { print, printError, printFile } from '../../terminal/context.ts'
import { CliError, UsageProblem } from '../../terminal/errors.ts'
import { printJson } from '../../terminal/output.ts'
import { cannotWrite } from '../../terminal/whole-file.ts'

/** Where a scenario is written, and under which name. */
export interface WrittenOptions {
  readonly name?: string
  readonly out?: string
  readonly json?: boolean
}

/** The name of a written scenario: the given one, that of its file, or `incident`. */
export function nameOf({ name: given, out }: WrittenOptions): string {
  const name = given ?? (out === undefined ? 'incident' : nameOfFile(out))
  if (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return name
  throw new UsageProblem(`"${name}" is not a scenario name; use lower-case letters, digits and hyphens.`)
}

export function assertNew(file: string | undefined): void {
  if (file !== undefined && existsSync(file))
    throw new CliError(`${file} already exists; choose another file, or remove it.`)
}

/** Finishes a record; what is wrong with it is a message of the command, between these texts. */
export function orThrow<Value>(finish: () => Value, before = '', after = ''): Value {
  try {
    return finish()
  } catch (error) {
    if (error instanceof RecordError) throw new CliError(`${before}${error.message}${after}`)
    throw error
  }
}

/** Writes a new scenario or finding, and next to it the present schema by which editors check it. */
export function writeBeside(file: string, source: string, kind: ScenarioKind | 'finding'): void {
  writeNew(file, source)
  const { folder, schema } = kind === 'finding' ? findings : scenarioKinds[kind]
  const text = readFileSync(join(packageFolder('scenarios'), folder, schema), 'utf8')
  writeText(join(dirname(file), schema), text, 'w')
}

const findings = { folder: '', schema: 'finding.schema.json' }

export const writeNew = (file: string, text: string): void => writeText(file, text, 'wx')

function writeText(file: string, text: string, flag: 'w' | 'wx'): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text, { flag })
  } catch (error) {
    throw cannotWrite(file, error)
  }
}

/**
 * Prints a scenario as JSON with its notes, or what is to be said about it. Without a file it prints the scenario itself, and the
 * rest to standard error as comments.
 */
export function report(
  { out, json }: WrittenOptions,
  scenario: { readonly name: string; readonly source: string; readonly notes: readonly string[] },
  lines: readonly string[],
  others: object = {},
): void {
  if (json) printJson({ ...scenario, file: out ?? null, ...others })
  else {
    if (out === undefined) printFile(scenario.source)
    for (const line of lines) out === undefined ? printError(`# ${line}`) : print(line)
  }
}
