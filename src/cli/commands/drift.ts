import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { version } from '../../api/version.ts'
import { isObject } from '../../kernel/json.ts'
import { packageFolder } from '../../kernel/package-folder.ts'
import { CommandFailed, UsageProblem } from '../config.ts'
import { print } from '../context.ts'
import { compareDescriptions } from '../drift/compare.ts'
import { type Description, readDescription } from '../drift/description.ts'
import { nameOfFile, readDocument, withUsageErrors } from '../drift/document.ts'
import {
  type Difference,
  differencesIn,
  type FormatOptions,
  formatNames,
  formatOf,
  keyOf,
  render,
} from '../drift/report.ts'
import { exampleText } from '../remote.ts'

interface DriftOptions extends FormatOptions {
  readonly accept?: string
  readonly all?: boolean
}

export function register(program: Command): void {
  program
    .command('drift')
    .argument('<file>', 'an OpenAPI document, JSON or YAML; "-" reads standard input')
    .description(
      'compare a newer description of the service with what Petri serves; exit status 0 without differences, 1 with some, 2 if a file cannot be read',
    )
    .option('--format <format>', formatNames, 'text')
    .option('--accept <file>', 'leave out the differences in this file, an earlier report as JSON')
    .option('--all', 'also show the intended differences, which are left out by default')
    .option('--json', 'same as --format json')
    .addHelpText(
      'after',
      exampleText([
        'petri drift openapi.json',
        'petri drift openapi.json --format markdown >> "$GITHUB_STEP_SUMMARY"',
        'petri drift openapi.json --json > accepted.json    later: petri drift openapi.json --accept accepted.json',
      ]),
    )
    .action(drift)
}

async function drift(file: string, options: DriftOptions): Promise<void> {
  const format = formatOf(options)
  const newer = await describe(file)
  const own = readDescription(JSON.parse(await readFile(inPackage('openapi.json'), 'utf8')))
  const all = withUsageErrors(file, () => compareDescriptions(newer, own))
  assertSameService(file, newer, all)
  const known = new Set([
    ...(options.all ? [] : keysOf(JSON.parse(await readFile(inPackage('known-drift.json'), 'utf8')))),
    ...(options.accept === undefined ? [] : keysOf(await readDocument(options.accept))),
  ])
  const differences = all.filter((each) => !known.has(keyOf(each)))
  const { info } = newer.document
  const described = isObject(info) && typeof info.version === 'string' ? info.version : 'unknown'
  const served = `${version.contract} and clients ${version.clients}`
  const report = { version: described, served, differences, accepted: all.length - differences.length }
  const between = `between version ${described} and what Petri serves (${served})`
  print(render(report, format, { title: 'Drift', between }))
  if (differences.length > 0) throw new CommandFailed()
}

const inPackage = (name: string) => join(packageFolder('dist'), name)

const keysOf = (report: unknown): string[] => differencesIn(report).map(keyOf)

const describe = async (file: string): Promise<Description> => {
  const document = await readDocument(file)
  return withUsageErrors(file, () => readDescription(document))
}

function assertSameService(
  file: string,
  { operations }: Description,
  differences: readonly Difference[],
): void {
  const isAdded = (each: Difference) => each.kind === 'operation' && each.change === 'added'
  if (differences.filter(isAdded).length < operations.size) return
  throw new UsageProblem(
    `${nameOfFile(file)} has no operation that Petri serves. Is it a description of this service?`,
  )
}
