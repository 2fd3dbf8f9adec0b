import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { Route } from '../../api/operation.ts'
import type { ScenarioCheck, ScenarioInFull, Scenario as ScenarioRow } from '../../client/responses.ts'
import { defaults } from '../../defaults.ts'
import { compare } from '../../kernel/compare.ts'
import { asText, type JsonObject } from '../../kernel/json.ts'
import { compact, groupBy } from '../../kernel/list.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { readableDuration } from '../../kernel/readable.ts'
import { messageOf } from '../../kernel/reason.ts'
import { yaml } from '../../kernel/yaml.ts'
import type { Persona } from '../../people/persona.ts'
import { type Trait, wireTrait } from '../../people/traits.ts'
import { collectionMethods } from '../../resources/catalogue/schema.ts'
import { createCatalogue } from '../../resources/catalogue/service.ts'
import { dotted, type Method, type Workflow } from '../../resources/orders/lifecycle.ts'
import { resultsByName } from '../../resources/results/service.ts'
import { inWords as describeFeedStep, type FeedScenario } from '../../scenarios/feeds/steps.ts'
import type { Scenario, ScenarioIssue } from '../../scenarios/file.ts'
import {
  kindOfFolder,
  listOwnFiles,
  listUngroupedFiles,
  nameOfFile,
  type OwnFile,
} from '../../scenarios/folders.ts'
import { kindNames, type ParsedScenario, scenarioKinds } from '../../scenarios/kinds.ts'
import { initialStatuses, plannedHistory, plannedSteps } from '../../scenarios/planned-steps.ts'
import { inWords as describeIssue, isFinding, parseScenario, ScenarioError } from '../../scenarios/read.ts'
import {
  HAPPY_PATH,
  nameFor,
  noScenario,
  openScenarios,
  type ScenarioRepositories,
} from '../../scenarios/repository.ts'
import { fieldsOf } from '../../scenarios/step-kinds.ts'
import { type Awaited, customerActions } from '../../scenarios/steps.ts'
import { readSource, type ValidatedFile, validateFiles } from '../../scenarios/validate-files.ts'
import { type Client, createClient } from '../../terminal/client.ts'
import { escapeReply, print, printFile } from '../../terminal/context.ts'
import { CliError, CommandFailed, UsageProblem } from '../../terminal/errors.ts'
import { columns, printJson } from '../../terminal/output.ts'
import { workflowOf } from '../../tools/explore/anomalies.ts'
import { assertNew, nameOf, writeBeside } from '../../tools/incidents/written.ts'
import { readClientConfig, readConfig } from '../config.ts'
import { exampleText, type RemoteCommand, registerRemote, type TargetOptions } from '../remote.ts'
import { registerIncidents } from './incidents.ts'

interface JsonOption {
  readonly json?: boolean
}

export function register(program: Command): void {
  const scenario = program
    .command('scenario')
    .description(
      'the scenarios of orders and connections, and personas; only upload and remove need a running Petri',
    )
  const ofWorld = (command: Command) =>
    command
      .option('--url <url>', 'of the world of a running Petri; without it, from files')
      .option('--api-key <key>', 'API key of the world, with --url [PETRI_API_KEY]')
      .option('--json', 'print JSON')
  ofWorld(scenario.command('list'))
    .description('list all scenarios by folder, with the ZIP code that selects each')
    .option('--kind <kind>', `only of this kind: ${kindNames.join(', ')}`)
    .action(list)
  ofWorld(scenario.command('show'))
    .argument('<scenario>', 'its name, or a file')
    .description('print the file of a scenario')
    .action(show)
  ofWorld(scenario.command('check'))
    .argument('<files...>', 'scenario files, or folders of them; with --url also names')
    .description('check scenario files, as Petri does when it starts; exit status 0 or 1')
    .action(check)
  ofWorld(scenario.command('try'))
    .argument('<scenario>', 'its name, or a file')
    .description('print the statuses of an order in a scenario, or the steps of a feed scenario, and when')
    .option('--registrable', 'for a kit that is registered later (default: ordered for a patient)')
    .action(tryOut)
  scenario
    .command('new')
    .argument('<name>', 'lower-case letters, digits and hyphens')
    .description('write a new scenario file, and its schema for editors')
    .option('--method <method>', `${collectionMethods.join(', ')} (default: testkit)`)
    .option('--feed', 'a feed scenario, in the subfolder feeds')
    .option('--from <scenario>', 'copy this scenario (default: the happy path of the method)')
    .option('--folder <folder>', 'where to write it [PETRI_SCENARIOS, or the current folder]')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      exampleText([
        'petri scenario new late-kit --folder scenarios',
        'petri scenario new missed-visit --from walk-in-no-show',
      ]),
    )
    .action(writeNew)
  registerIncidents(scenario)
  registerRemote(scenario, [upload, remove])
}

const upload: RemoteCommand = {
  usage: 'upload <file>',
  summary:
    'add your own scenario, or all of a folder, to a world; it replaces a bundled one of the same name',
  options: [
    ['--all-worlds', 'to all worlds, including new ones; needs PETRI_CONTROL_TOKEN if Petri has one'],
  ],
  examples: ['petri scenario upload my-scenario.yaml', 'petri scenario upload test/scenarios --all-worlds'],
  async run(petri, { file, all_worlds }) {
    const path = String(file)
    const files = filesAt(path).filter((own) => own.path === path || !isFinding(readSource(own.path)))
    if (files.length === 0) throw new CliError(`There are no scenario files in ${path}.`)
    // Nothing is uploaded if one of them is wrong.
    const uploads = []
    for (const own of files) {
      const { kind, scenario } = await parseFile(own.path)
      if (kind === 'persona' && !all_worlds)
        throw new UsageProblem(
          `${own.path} is a persona, which is of all worlds: add --all-worlds, or give it in the folder of --scenarios.`,
        )
      const route: Route = `PUT /_petri/scenarios/{name}${all_worlds ? '?all_worlds=true' : ''}`
      uploads.push({ route, input: { name: scenario.name, source: scenario.source } })
    }
    const uploaded: Partial<ScenarioInFull>[] = []
    for (const { route, input } of uploads) uploaded.push(await petri.call(route, input))
    return files[0]?.path === path ? uploaded[0] : uploaded
  },
  print: (uploaded: Partial<ScenarioInFull> | readonly Partial<ScenarioInFull>[]) =>
    [uploaded]
      .flat()
      .flatMap(({ name, zip, warnings = [] }) => [
        `Uploaded "${name}"${zip ? `; ZIP code ${zip} selects it` : ''}.`,
        ...warnings.map((warning) => `warning: ${warning}`),
      ])
      .join('\n'),
}

const remove: RemoteCommand = {
  usage: 'remove <scenario>',
  summary: 'remove an uploaded scenario',
  route: 'DELETE /_petri/scenarios/{name}',
  fields: { scenario: 'name' },
  print: (_, { name }) => `Removed "${name}".`,
}

/** The listed fields of a scenario of any kind. */
type ListedScenario = Pick<Scenario, 'name' | 'summary'> & Partial<Pick<Scenario, 'method' | 'zip' | 'group'>>

async function list({ kind, json, ...target }: TargetOptions & { readonly kind?: string }): Promise<void> {
  if (kind !== undefined && !kindNames.some((each) => each === kind))
    throw new UsageProblem(
      `--kind should be one of ${kindNames.join(', ')}; it is "${kind}".${didYouMean(kind, kindNames)}`,
    )
  const all = (await listed(target)).filter((scenario) => kind === undefined || scenario.kind === kind)
  if (json) return printJson(all)
  const groups = [...groupBy(all, ({ group }) => group)].sort(([a], [b]) => compare(a, b))
  const rows = groups.flatMap(([group, own]) =>
    compact([
      group !== '' && [`${group}/`, '', ''],
      ...own.map(({ name, zip, summary, error }) => [
        `${group && '  '}${name}`,
        zip ?? '',
        error ? `refused: ${error}` : summary,
      ]),
    ]),
  )
  print(columns(rows, ['scenario', 'ZIP', 'what happens']))
}

/** The rows of all scenarios: those of a world with `url`, otherwise those of the files. */
async function listed(target: TargetOptions) {
  if (target.url !== undefined) {
    const { data } = await clientOf(target).call<{ data: ScenarioRow[] }>('GET /_petri/scenarios')
    return escapeReply(data).map(({ uploaded: _, statuses: __, ...row }) => row)
  }
  const { byKind } = await openRepositories()
  return kindNames.flatMap((kind) =>
    byKind[kind].all().map((scenario: ListedScenario) => {
      const { name, method = null, zip = null, summary, group = '' } = scenario
      return { kind, name, method, zip, summary, group, error: null }
    }),
  )
}

const clientOf = (target: TargetOptions): Client => createClient(readClientConfig(target))

/** A scenario of a world. */
const getStored = (target: TargetOptions, name: string) =>
  clientOf(target).call<ScenarioInFull>('GET /_petri/scenarios/{name}', { name })

async function show(nameOrFile: string, { json, ...target }: TargetOptions): Promise<void> {
  const { name, summary, source } =
    target.url === undefined
      ? (await findScenario(nameOrFile, target)).scenario
      : await getStored(target, nameOrFile)
  if (json) printJson({ name, summary, source })
  else printFile(source)
}

async function check(paths: readonly string[], { json, ...target }: TargetOptions): Promise<void> {
  const verdicts = target.url === undefined ? await checkFiles(paths) : await checkInWorld(paths, target)
  if (json) printJson(verdicts)
  else {
    for (const { file, refusals, warnings } of verdicts) {
      for (const refusal of refusals) print(describeIssue(refusal))
      for (const { message, ...place } of warnings)
        print(describeIssue({ ...place, message: `warning: ${message}` }))
      if (refusals.length === 0) print(`${file}: valid`)
    }
    if (verdicts.length === 0) print(`No scenario files in ${paths.join(', ')}.`)
  }
  if (verdicts.some(({ refusals }) => refusals.length > 0)) throw new CommandFailed()
}

/** What is wrong with a file. */
interface Verdict {
  readonly file: string
  readonly refusals: readonly ScenarioIssue[]
  readonly warnings: readonly ScenarioIssue[]
}

const checkFiles = async (paths: readonly string[]): Promise<Verdict[]> =>
  (await validate(paths)).map(({ path, issues, parsed }) => ({
    file: path,
    refusals: issues,
    warnings: warningsOf(parsed),
  }))

/** Checks files, and scenarios of a world by name, against the results and names of the world. */
async function checkInWorld(paths: readonly string[], target: TargetOptions): Promise<Verdict[]> {
  const sources: (readonly [file: string, source: string])[] = []
  for (const path of paths) {
    if (existsSync(path) || isFileName(path)) {
      for (const own of filesAt(path))
        sources.push([own.path, await withCliErrors(async () => readSource(own.path))])
    } else sources.push([path, (await getStored(target, path)).source])
  }
  const verdicts: Verdict[] = []
  for (const [file, source] of sources) {
    const { refusals, warnings } = escapeReply(
      await clientOf(target).call<ScenarioCheck>('POST /_petri/scenarios/check', { source }),
    )
    const issueOf = ({ line, step, message, legal }: ScenarioCheck['refusals'][number]): ScenarioIssue => ({
      file,
      line,
      step: step ?? undefined,
      message,
      ...(legal && { legal }),
    })
    verdicts.push({ file, refusals: refusals.map(issueOf), warnings: warnings.map(issueOf) })
  }
  return verdicts
}

const warningsOf = (parsed: ParsedScenario | undefined) =>
  parsed && 'warnings' in parsed.scenario ? parsed.scenario.warnings : []

async function tryOut(
  nameOrFile: string,
  { registrable, json, ...target }: TargetOptions & { readonly registrable?: boolean },
): Promise<void> {
  const { kind, scenario } = await findScenario(nameOrFile, target)
  if (kind === 'feed') return tryFeed(scenario, json)
  if (kind === 'persona') return tryPersona(scenario, json)
  const workflow = workflowOf({ method: scenario.method, registrable })
  const { webhookFaults, faults } = scenario
  if (json)
    return printJson({
      scenario: scenario.name,
      workflow,
      statuses: statusesOf(scenario, workflow),
      steps: linesOf(scenario, workflow).map(({ status, atMs, fields }) => ({
        status: status && dotted(scenario.method, status),
        at_ms: atMs,
        ...fields,
      })),
      webhook_faults: webhookFaults ?? null,
    })
  if (scenario.method === 'testkit')
    print(
      registrable
        ? 'A kit that the patient registers later:'
        : 'A kit that is ordered for a patient (--registrable: one that is registered later):',
    )
  print(`${'after'.padStart(9)}  ${'live'.padStart(8)}  status`)
  for (const { status, atMs, fields } of linesOf(scenario, workflow)) {
    const live = `${liveSeconds(atMs)} s`
    const parts = [
      readableDuration(atMs).padStart(9),
      live.padStart(8),
      ...compact([status && dotted(scenario.method, status)]),
      ...wordsOf(fields),
    ]
    print(parts.join('  '))
  }
  if (scenario.steps.some((step) => step.kind === 'move' && step.step.to === 'redraw_available'))
    print('completed instead of redraw_available where the feature redraws is off, as by default')
  if (webhookFaults) print(`webhook_faults: ${JSON.stringify(webhookFaults)}`)
  if (faults.length > 0) print(`faults: ${JSON.stringify(faults)}`)
}

/** A line for each status, and for each step without one. */
const linesOf = (scenario: Scenario, workflow: Workflow) => [
  ...initialStatuses(workflow).map((status) => ({ status, atMs: 0, fields: {} })),
  ...plannedSteps(scenario, workflow).flatMap(({ step, lows: [first = null, ...rest], atMs }) => [
    { status: first, atMs, fields: fieldsOf(step) },
    ...rest.map((status) => ({ status, atMs, fields: {} })),
  ]),
]

/** In a live world, at the default pace. */
const liveSeconds = (scenarioMs: number) => Math.round(scenarioMs / defaults.pace / 100) / 10

/** The other fields of a step than its status, in words. */
function wordsOf({ await: awaited, status_detail, ...fields }: JsonObject): string[] {
  const others = Object.entries(fields).filter(([, value]) => value !== undefined)
  return compact([
    typeof awaited === 'string' && `(when ${customerActions[awaited as Awaited]})`,
    typeof status_detail === 'string' && status_detail,
    ...others.map(([name, value]) => `${name}: ${asText(value)}`),
  ])
}

function statusesOf(scenario: Scenario, workflow: Workflow) {
  let elapsedMs = 0
  return plannedHistory(scenario, workflow).map(({ low, afterMs, detail, waitsFor }) => {
    elapsedMs += afterMs ?? 0
    return {
      at: readableDuration(elapsedMs),
      live: `${liveSeconds(elapsedMs)} s`,
      status: dotted(scenario.method, low),
      status_detail: detail,
      waits: afterMs === null,
      waits_for: waitsFor,
    }
  })
}

function tryFeed({ name, steps }: FeedScenario, json: boolean | undefined): void {
  const rows = steps.map((step) => ({ at: readableDuration(step.atMs), does: describeFeedStep(step) }))
  if (json) printJson({ scenario: name, steps: rows })
  else if (rows.length === 0) print('No steps.')
  else for (const { at, does } of rows) print(`${at.padStart(9)}  ${does}`)
}

/** The timeline of a persona, in days from the day it begins. */
function tryPersona(persona: Persona, json: boolean | undefined): void {
  const kinds = ['conditions', 'treatments', 'episodes'] as const
  const rows = kinds
    .flatMap((kind) =>
      persona[kind].map(({ name, fromDay, untilDay }) => ({
        fromDay,
        untilDay,
        kind: kind.slice(0, -1),
        name,
      })),
    )
    .sort((a, b) => a.fromDay - b.fromDay)
  if (json) {
    printJson({ persona: persona.name, traits: persona.traits, course: rows })
    return
  }
  const lines = rows.map(({ fromDay, untilDay, kind, name }) => [
    `day ${fromDay}`,
    untilDay === null ? 'stays' : `until day ${untilDay}`,
    kind,
    name,
  ])
  if (lines.length > 0) print(columns(lines, ['begins', 'ends', 'what', 'name']))
  for (const [trait, value] of Object.entries(persona.traits)) print(`${wireTrait(trait as Trait)}: ${value}`)
}

interface NewOptions extends JsonOption {
  readonly method?: string
  readonly feed?: boolean
  readonly from?: string
  readonly folder?: string
}

async function writeNew(name: string, options: NewOptions): Promise<void> {
  nameOf({ name })
  const repositories = await openRepositories()
  const folder = options.folder ?? readConfig().scenarios ?? '.'
  const { kind, scenario } = templateOf(options, repositories)
  const { folder: subfolder, schema } = scenarioKinds[kind]
  const target = join(folder, subfolder)
  const file = join(target, `${name}.yaml`)
  const isKnown = repositories.find(name) !== undefined
  assertNew(file)
  const zip = kind === 'order' ? freeZip(repositories, scenario.zip) : undefined
  writeBeside(file, textOf(name, scenario.source, schema, zip), kind)
  if (options.json) return printJson({ file, schema: join(target, schema), from: scenario.name })
  const lines = compact([
    `Created ${file}, a copy of ${scenario.name} to change; ${schema} is for editors.`,
    isKnown && `It replaces the existing scenario ${name}.`,
    `See what it does:  npx petri-sandbox scenario try ${file}`,
    `Use it:            npx petri-sandbox start --scenarios ${folder}`,
  ])
  print(lines.join('\n'))
}

function templateOf({ method, feed, from }: NewOptions, repositories: ScenarioRepositories): ParsedScenario {
  if (method !== undefined && !collectionMethods.includes(method as Method))
    throw new UsageProblem(`--method should be one of ${collectionMethods.join(', ')}; it is "${method}".`)
  if ([method, feed, from].filter((given) => given !== undefined).length > 1)
    throw new UsageProblem('Give exactly one of --method, --feed and --from.')
  const name = from ?? (feed ? 'gap-and-late-backfill' : nameFor(method ?? 'testkit', HAPPY_PATH))
  return getScenario(name, repositories)
}

/** The next ZIP code that selects no scenario. */
function freeZip({ byKind }: ScenarioRepositories, zip = '00100'): string | undefined {
  const taken = new Set(byKind.order.all().map((scenario) => scenario.zip))
  for (let next = Number(zip); next < 500; next++) {
    const code = String(next).padStart(5, '0')
    if (!taken.has(code)) return code
  }
  return undefined
}

function textOf(name: string, source: string, schema: string, zip: string | undefined): string {
  const { isMap, parseDocument } = yaml()
  const document = parseDocument(source.replace(/^# yaml-language-server:.*\n/m, ''))
  document.commentBefore = ` yaml-language-server: $schema=./${schema}`
  document.set('name', name)
  document.set('summary', 'Describe what happens.')
  document.delete('match')
  const steps =
    document.contents && isMap(document.contents)
      ? document.contents.items.find(({ key }) => String(key) === 'steps')
      : undefined
  if (zip !== undefined && steps && typeof steps.key === 'object' && steps.key !== null)
    Object.assign(steps.key, {
      commentBefore: ` match: { zip: "${zip}" } would select it for every order to this ZIP code`,
    })
  return document.toString({ lineWidth: 0 })
}

/** The bundled scenarios, and with `own` those of PETRI_SCENARIOS. */
export async function openRepositories({ own = true } = {}): Promise<ScenarioRepositories> {
  const { scenarios, seeds } = readConfig()
  return withCliErrors(async () => {
    const repositories = openScenarios({
      folders: own && scenarios !== undefined ? [scenarios] : [],
      resultNames: () => resultsByName(createCatalogue(seeds === undefined ? [] : [seeds])),
    })
    await repositories.byKind.order.ready()
    return repositories
  })
}

const isFileName = (text: string) => /\.(ya?ml|json)$/i.test(text)

/** A scenario of any kind, by name or file; with `url` that of a world, by name. */
async function findScenario(nameOrFile: string, target: TargetOptions = {}): Promise<ParsedScenario> {
  if (target.url !== undefined) {
    const { source } = await getStored(target, nameOrFile)
    return withCliErrors(async () => parseScenario(source, nameOrFile))
  }
  if (isFileName(nameOrFile)) return parseFile(nameOrFile)
  return getScenario(nameOrFile, await openRepositories())
}

function getScenario(name: string, { find, byKind }: ScenarioRepositories): ParsedScenario {
  const found = find(name)
  if (found) return found
  const known = Object.values(byKind).flatMap(({ names }) => names())
  throw new CliError(noScenario(name, known, byKind.order.all))
}

const parseFile = (file: string): Promise<ParsedScenario> =>
  withCliErrors(async () => parseScenario(readSource(file), file))

/** Checks files, and all files of folders, like a start with their folder. */
async function validate(paths: readonly string[]): Promise<ValidatedFile[]> {
  const { scenarios } = readConfig()
  const { beside } = await openRepositories({ own: false })
  return withCliErrors(async () => {
    const asked = uniqueFiles(paths.flatMap(filesAt))
    const near = [...asked.flatMap(filesBeside), ...(scenarios === undefined ? [] : listOwnFiles(scenarios))]
    return validateFiles(uniqueFiles([...asked, ...near]), beside).slice(0, asked.length)
  })
}

const filesAt = (path: string): OwnFile[] =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? listOwnFiles(path)
    : [{ path, name: nameOfFile(path), kind: undefined, root: dirname(path), group: '' }]

/** The files of the same folder and its feeds and personas, which a start reads together. */
function filesBeside({ path }: OwnFile): OwnFile[] {
  const folder = dirname(path)
  const root = kindOfFolder(basename(resolve(folder))) ? dirname(resolve(folder)) : folder
  return statSync(root, { throwIfNoEntry: false })?.isDirectory() ? listUngroupedFiles(root) : []
}

function uniqueFiles(files: readonly OwnFile[]): OwnFile[] {
  const byPath = new Map<string, OwnFile>()
  for (const file of files) if (!byPath.has(resolve(file.path))) byPath.set(resolve(file.path), file)
  return [...byPath.values()]
}

/** Turns errors of files and folders into a CliError. */
async function withCliErrors<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ScenarioError) throw new CliError(error.message, { detail: error.issues })
    throw new CliError(messageOf(error))
  }
}
