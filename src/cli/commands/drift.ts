import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { readOpenApi } from '../../api/read-openapi.ts'
import { version } from '../../api/version.ts'
import { isObject } from '../../kernel/json.ts'
import { packageFolder } from '../../kernel/package-folder.ts'
import { plural } from '../../kernel/readable.ts'
import { shownName } from '../../kernel/user-file.ts'
import { type Client, createClient } from '../../terminal/client.ts'
import { print } from '../../terminal/context.ts'
import { CliError, CommandFailed, UsageProblem } from '../../terminal/errors.ts'
import { comparePairs, differencesOf } from '../../tools/drift/compare.ts'
import { type Description, readDescription } from '../../tools/drift/description.ts'
import { readDocument, withUsageErrors } from '../../tools/drift/document.ts'
import { breakingDifferences } from '../../tools/drift/mine.ts'
import {
  assertOneFormat,
  type Difference,
  differencesIn,
  type Format,
  keyOf,
  render,
} from '../../tools/drift/report.ts'
import { readUsage, type Usage } from '../../tools/drift/usage.ts'
import { readClientConfig } from '../config.ts'
import { listWorlds } from '../ids.ts'
import { exampleText, type TargetOptions } from '../remote.ts'

interface DriftOptions extends Pick<TargetOptions, 'url' | 'apiKey'>, Format {
  readonly accept?: string
  readonly all?: boolean
  readonly mine?: boolean
  readonly allWorlds?: boolean
}

export function register(program: Command): void {
  program
    .command('drift')
    .argument('<file>', 'an OpenAPI document, JSON or YAML; "-" reads standard input')
    .description(
      'compare a newer description of the service with what Petri serves; exit status 0 without differences, 1 with some, 2 if a file cannot be read',
    )
    .option('--json', 'print JSON')
    .option('--markdown', 'print Markdown')
    .option('--accept <file>', 'leave out the differences in this file, an earlier report as JSON')
    .option('--all', 'also show the intended differences, which are left out by default')
    .option('--mine', 'only what breaks the calls and fields that your program has used at a running Petri')
    .option('--all-worlds', 'used in any world; needs PETRI_CONTROL_TOKEN if Petri has one')
    .option('--url <url>', 'URL of that Petri [PETRI_URL, or from PETRI_HOST and PETRI_PORT]')
    .option('--api-key <key>', 'API key of the world [PETRI_API_KEY]')
    .addHelpText(
      'after',
      exampleText([
        'petri drift openapi.json',
        'petri drift openapi.json --mine',
        'petri drift openapi.json --mine --all-worlds',
        'petri drift openapi.json --markdown >> "$GITHUB_STEP_SUMMARY"',
        'petri drift openapi.json --json > accepted.json    later: petri drift openapi.json --accept accepted.json',
      ]),
    )
    .action(drift)
}

async function drift(file: string, options: DriftOptions): Promise<void> {
  assertOneFormat(options)
  assertConsistent(options)
  const newer = await describe(file)
  const own = readDescription(JSON.parse(await readOpenApi()))
  const pairs = withUsageErrors(file, () => comparePairs(newer, own))
  const all = withUsageErrors(file, () => differencesOf(pairs))
  assertSameService(file, newer, all)
  const known = new Set([
    ...(options.all
      ? []
      : keysOf(JSON.parse(await readFile(join(packageFolder('dist'), 'known-drift.json'), 'utf8')))),
    ...(options.accept === undefined ? [] : keysOf(await readDocument(options.accept))),
  ])
  const { info } = newer.document
  const described = isObject(info) && typeof info.version === 'string' ? info.version : 'unknown'
  const served = `${version.contract} and clients ${version.clients}`
  const usage = options.mine ? await readUsageOf(options) : undefined
  const differences = usage
    ? breakingDifferences(pairs, usage, known)
    : all.filter((each) => !known.has(keyOf(each)))
  const accepted = usage ? 0 : all.length - differences.length
  const used = usage && { operations: usage.operations.size, events: usage.events.size, calls: usage.calls }
  const counted =
    used && `${plural(used.operations, 'operation')} and ${plural(used.events, 'type')} of events`
  const program = counted ? ` that break your program, which uses ${counted}` : ''
  const between = `between version ${described} and what Petri serves (${served})${program}`
  const report = { version: described, served, differences, accepted, used }
  print(render(report, options, { title: 'Drift', between }))
  if (differences.length > 0) throw new CommandFailed()
}

function assertConsistent({ mine, allWorlds, apiKey }: DriftOptions): void {
  if (!allWorlds) return
  if (!mine) throw new UsageProblem('--all-worlds says what --mine is about, which is missing.')
  if (apiKey !== undefined)
    throw new UsageProblem('--api-key names one world, and --all-worlds means all; leave out one of them.')
}

/** The operations and events that the program has used at the running Petri. Throws a UsageProblem if there is no Petri, or no call. */
async function readUsageOf(options: DriftOptions): Promise<Usage> {
  const config = readClientConfig(options)
  try {
    const usage = await readUsage(await worldsOf(createClient(config), options))
    if (usage.operations.size > 0) return usage
  } catch (error) {
    if (error instanceof CliError) throw new UsageProblem(error.message)
    throw error
  }
  const where = options.allWorlds ? `${config.url} in any world` : `${config.url} with this key`
  const others = options.allWorlds ? '' : ' --all-worlds reads the calls with all keys.'
  throw new UsageProblem(
    `No program has called ${where}. Run yours, or its tests, and compare then.${others}`,
  )
}

/** The client of each world that is read. */
async function worldsOf(petri: Client, { allWorlds }: DriftOptions): Promise<readonly Client[]> {
  if (!allWorlds) return [petri]
  const worlds = await listWorlds(petri)
  return worlds.map(({ api_key: apiKey }) => createClient({ ...petri.config, apiKey }))
}

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
    `${shownName(file)} has no operation that Petri serves. Is it a description of this service?`,
  )
}
