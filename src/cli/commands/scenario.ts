import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { didYouMean } from '../../kernel/nearest.ts'
import { packageFolder } from '../../kernel/package-folder.ts'
import { dotted, type Workflow, workflowsOf } from '../../resources/orders/lifecycle.ts'
import { plannedHistory } from '../../scenarios/check.ts'
import { isFeedText, readFeed } from '../../scenarios/feeds/read.ts'
import {
  createFeedScenarioRepository,
  type FeedScenarioRepository,
} from '../../scenarios/feeds/repository.ts'
import type { FeedScenario } from '../../scenarios/feeds/steps.ts'
import { inWords as feedInWords } from '../../scenarios/feeds/words.ts'
import type { Scenario } from '../../scenarios/file.ts'
import { inWords, readScenario, ScenarioError } from '../../scenarios/read.ts'
import { createScenarioRepository, type ScenarioRepository } from '../../scenarios/repository.ts'
import { CliError, CommandFailed, readConfig } from '../config.ts'
import { currentContext, print } from '../context.ts'
import { inDays, printJson } from '../output.ts'
import { registerRemote, remote, segment } from '../remote.ts'

interface Output {
  readonly json?: boolean
}

export function registerScenario(program: Command): void {
  const scenario = program
    .command('scenario')
    .description('the scenarios orders and connections follow; only upload and remove need a running Petri')
  scenario
    .command('list')
    .description('all scenarios, with the ZIP code that picks each')
    .option('--json', 'print JSON')
    .action(list)
  scenario
    .command('show')
    .argument('<name>')
    .description('the file of a scenario')
    .option('--json', 'print JSON')
    .action(show)
  scenario
    .command('check')
    .argument('<files...>')
    .description('read scenario files and tell what is wrong with them; exit status 0 or 1')
    .option('--json', 'print JSON')
    .action(check)
  scenario
    .command('try')
    .argument('<name or file>')
    .description(
      'print the statuses a scenario takes an order through, or what happens to a connection, and when',
    )
    .option('--registrable', 'for a kit that is registered later (default: ordered for a patient)')
    .option('--json', 'print JSON')
    .action(tryOut)
  registerRemote(scenario, [uploadCommand, removeCommand])
}

interface ScenarioView {
  readonly name: string
  /** Absent for a feed scenario. */
  readonly zip?: string | null
}

const uploadCommand = remote({
  usage: 'upload <file>',
  summary: 'add your own scenario to a world; it replaces a bundled one of the same name',
  examples: ['petri scenario upload my-scenario.yaml'],
  run(petri, [file = '']) {
    const source = readText(file)
    if (isFeedText(source)) {
      const { name } = readOrRefuse(source, file, readFeed)
      return petri.put<ScenarioView>(`/_petri/feeds/${segment(name)}`, { source })
    }
    const { name } = readOrRefuse(source, file, readScenario)
    return petri.put<ScenarioView>(`/_petri/scenarios/${segment(name)}`, { source })
  },
  print: ({ name, zip }) => `${name} is there${zip ? `; ZIP code ${zip} picks it` : ''}.`,
})

function readOrRefuse<Read>(
  source: string,
  file: string,
  read: (source: string, file: string) => Read,
): Read {
  try {
    return read(source, file)
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    throw new CliError(error.message, { detail: error.issues })
  }
}

const removeCommand = remote({
  usage: 'remove <name>',
  summary: 'remove an uploaded scenario',
  async run(petri, [name]) {
    const { data } = await petri.get<{ data: { name: string; uploaded: boolean }[] }>('/_petri/feeds')
    const isFeed = data.some((feed) => feed.name === name && feed.uploaded)
    return petri.delete(`/_petri/${isFeed ? 'feeds' : 'scenarios'}/${segment(name)}`)
  },
  print: (_, [name]) => `${name} is removed.`,
})

async function openRepository(): Promise<ScenarioRepository> {
  const { scenarios } = readConfig()
  const repository = createScenarioRepository(
    packageFolder('scenarios'),
    scenarios === undefined ? [] : [scenarios],
  )
  await repository.ready()
  return repository
}

/** A scenario of orders or of connections. */
async function scenarioOf(nameOrFile: string): Promise<Scenario | FeedScenario> {
  if (/\.(ya?ml|json)$/.test(nameOrFile)) {
    const source = readText(nameOrFile)
    return isFeedText(source)
      ? readOrRefuse(source, nameOrFile, readFeed)
      : readOrRefuse(source, nameOrFile, readScenario)
  }
  const [repository, feeds] = [await openRepository(), await openFeedRepository()]
  const scenario = repository.find(nameOrFile) ?? feeds.find(undefined, nameOrFile)
  if (scenario) return scenario
  const known = [...repository.names(), ...feeds.names()]
  throw new CliError(`There is no scenario "${nameOrFile}".${didYouMean(nameOrFile, known)}`)
}

async function openFeedRepository(): Promise<FeedScenarioRepository> {
  const { scenarios } = readConfig()
  const feeds = createFeedScenarioRepository(
    packageFolder('scenarios'),
    scenarios === undefined ? [] : [scenarios],
  )
  await feeds.ready()
  return feeds
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new CliError(`Cannot read ${file}: ${(error as Error).message}`)
  }
}

async function list({ json }: Output): Promise<void> {
  const [scenarios, feeds] = [(await openRepository()).all(), (await openFeedRepository()).all()]
  if (json) {
    printJson([
      ...scenarios.map(({ name, method, zip, summary }) => ({
        ...{ kind: 'order', name, method, zip: zip ?? null, summary },
      })),
      ...feeds.map(({ name, summary }) => ({ kind: 'feed', name, method: null, zip: null, summary })),
    ])
    return
  }
  const lines: { name: string; zip?: string | undefined; summary: string }[] = [...scenarios, ...feeds]
  const width = Math.max(...lines.map(({ name }) => name.length))
  for (const { name, zip, summary } of lines) {
    print(`${name.padEnd(width)}  ${zip ?? '     '}  ${summary}`)
  }
}

async function show(nameOrFile: string, { json }: Output): Promise<void> {
  const { name, summary, source } = await scenarioOf(nameOrFile)
  if (json) printJson({ name, summary, source })
  else currentContext().stdout.write(source)
}

function check(files: readonly string[], { json }: Output): void {
  const verdicts = files.map((file) => ({ file, refusals: refusalsOf(file) }))
  if (json) printJson(verdicts)
  else {
    for (const { file, refusals } of verdicts) {
      for (const refusal of refusals) print(inWords(refusal))
      if (refusals.length === 0) print(`${file}: fine`)
    }
  }
  if (verdicts.some(({ refusals }) => refusals.length > 0)) throw new CommandFailed()
}

function refusalsOf(file: string) {
  try {
    const source = readText(file)
    if (isFeedText(source)) readFeed(source, file)
    else readScenario(source, file)
    return []
  } catch (error) {
    if (error instanceof ScenarioError) return error.issues
    throw error
  }
}

async function tryOut(
  nameOrFile: string,
  { registrable, json }: Output & { registrable?: boolean },
): Promise<void> {
  const scenario = await scenarioOf(nameOrFile)
  if (!('method' in scenario)) return tryFeed(scenario, json)
  const road: Workflow =
    scenario.method === 'testkit'
      ? registrable
        ? 'registrable_kit'
        : 'registered_kit'
      : (workflowsOf(scenario.method)[0] as Workflow)
  let elapsedMs = 0
  const rows = plannedHistory(scenario, road).map(({ low, afterMs, detail }) => {
    elapsedMs += afterMs ?? 0
    return {
      at: inDays(elapsedMs),
      status: dotted(scenario.method, low),
      status_detail: detail,
      waits: afterMs === null,
    }
  })
  if (json) printJson({ scenario: scenario.name, road, trail: rows })
  else {
    for (const { at, status, status_detail, waits } of rows) {
      const remark = waits
        ? '  (when the customer registers the kit)'
        : status_detail
          ? `  ${status_detail}`
          : ''
      print(`${at.padStart(9)}  ${status}${remark}`)
    }
  }
}

function tryFeed({ name, steps }: FeedScenario, json: boolean | undefined): void {
  const rows = steps.map((step) => ({ at: inDays(step.atMs), does: feedInWords(step) }))
  if (json) printJson({ scenario: name, steps: rows })
  else if (rows.length === 0) print('Nothing goes wrong.')
  else for (const { at, does } of rows) print(`${at.padStart(9)}  ${does}`)
}
