import type { Command } from 'commander'
import { dotted, type Workflow, workflowsOf } from '../../resources/orders/lifecycle.ts'
import { plannedHistory } from '../../scenarios/check.ts'
import type { FeedScenario } from '../../scenarios/feeds/steps.ts'
import { inWords as feedInWords } from '../../scenarios/feeds/words.ts'
import type { Scenario } from '../../scenarios/file.ts'
import { inWords } from '../../scenarios/read.ts'
import { CommandFailed } from '../config.ts'
import { currentContext, print } from '../context.ts'
import { columns, inDays, printJson } from '../output.ts'
import { registerRemote, remote, segment } from '../remote.ts'
import { judge, openRepositories, parseFile, scenarioOf } from '../scenario-files.ts'
import { registerNew } from './scenario-new.ts'

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
    .argument('<scenario>', 'its name, or a file')
    .description('the file of a scenario')
    .option('--json', 'print JSON')
    .action(show)
  scenario
    .command('check')
    .argument('<files...>', 'scenario files, or folders of them')
    .description('print what is wrong with scenario files, as a start with them would; exit status 0 or 1')
    .option('--json', 'print JSON')
    .action(check)
  scenario
    .command('try')
    .argument('<scenario>', 'its name, or a file')
    .description(
      'print the statuses a scenario takes an order through, or what happens to a connection, and when',
    )
    .option('--registrable', 'for a kit that is registered later (default: ordered for a patient)')
    .option('--json', 'print JSON')
    .action(tryOut)
  registerNew(scenario)
  registerRemote(scenario, [uploadCommand, removeCommand])
}

interface ScenarioView {
  readonly name: string
  /** Undefined for a feed scenario. */
  readonly zip?: string | null
}

const uploadCommand = remote({
  usage: 'upload <file>',
  summary: 'add your own scenario to a world; it replaces a bundled one of the same name',
  examples: ['petri scenario upload my-scenario.yaml'],
  async run(petri, [file = '']) {
    const { kind, scenario } = await parseFile(file)
    const path = kind === 'feed' ? '/_petri/feeds' : '/_petri/scenarios'
    return petri.put<ScenarioView>(`${path}/${segment(scenario.name)}`, { source: scenario.source })
  },
  print: ({ name, zip }) => `${name} is there${zip ? `; ZIP code ${zip} picks it` : ''}.`,
})

const removeCommand = remote({
  usage: 'remove <scenario>',
  summary: 'remove an uploaded scenario',
  async run(petri, [name]) {
    const { data } = await petri.get<{ data: { name: string; uploaded: boolean }[] }>('/_petri/feeds')
    const isFeed = data.some((feed) => feed.name === name && feed.uploaded)
    return petri.delete(`/_petri/${isFeed ? 'feeds' : 'scenarios'}/${segment(name)}`)
  },
  print: (_, [name]) => `${name} is removed.`,
})

async function list({ json }: Output): Promise<void> {
  const { orders, feeds } = await openRepositories()
  if (json) {
    printJson([
      ...orders.all().map(({ name, method, zip, summary }) => ({
        ...{ kind: 'order', name, method, zip: zip ?? null, summary },
      })),
      ...feeds.all().map(({ name, summary }) => ({ kind: 'feed', name, method: null, zip: null, summary })),
    ])
    return
  }
  const lines: { name: string; zip?: string | undefined; summary: string }[] = [
    ...orders.all(),
    ...feeds.all(),
  ]
  const rows = lines.map(({ name, zip, summary }) => [name, zip ?? '', summary])
  print(columns(rows, ['scenario', 'ZIP', 'what happens']))
}

async function show(nameOrFile: string, { json }: Output): Promise<void> {
  const { name, summary, source } = (await scenarioOf(nameOrFile)).scenario
  if (json) printJson({ name, summary, source })
  else currentContext().stdout.write(source)
}

async function check(paths: readonly string[], { json }: Output): Promise<void> {
  const verdicts = (await judge(paths)).map(({ path, issues }) => ({ file: path, refusals: issues }))
  if (json) printJson(verdicts)
  else {
    for (const { file, refusals } of verdicts) {
      for (const refusal of refusals) print(inWords(refusal))
      if (refusals.length === 0) print(`${file}: fine`)
    }
    if (verdicts.length === 0) print(`No scenario files in ${paths.join(', ')}.`)
  }
  if (verdicts.some(({ refusals }) => refusals.length > 0)) throw new CommandFailed()
}

/** The action of the customer that a step waits for. */
const waits = {
  registration: 'when the customer registers the kit',
  appointment: 'when the customer books an appointment',
}

async function tryOut(
  nameOrFile: string,
  { registrable, json }: Output & { registrable?: boolean },
): Promise<void> {
  const { kind, scenario } = await scenarioOf(nameOrFile)
  if (kind === 'feed') return tryFeed(scenario, json)
  const workflow: Workflow =
    scenario.method === 'testkit'
      ? registrable
        ? 'registrable_kit'
        : 'registered_kit'
      : (workflowsOf(scenario.method)[0] as Workflow)
  const rows = statusesOf(scenario, workflow)
  if (json) return printJson({ scenario: scenario.name, road: workflow, trail: rows })
  for (const { at, status, status_detail, waits_for } of rows) {
    const remark = waits_for ? `  (${waits[waits_for]})` : status_detail ? `  ${status_detail}` : ''
    print(`${at.padStart(9)}  ${status}${remark}`)
  }
}

function statusesOf(scenario: Scenario, workflow: Workflow) {
  let elapsedMs = 0
  return plannedHistory(scenario, workflow).map(({ low, afterMs, detail, waitsFor }) => {
    elapsedMs += afterMs ?? 0
    return {
      at: inDays(elapsedMs),
      status: dotted(scenario.method, low),
      status_detail: detail,
      waits: afterMs === null,
      waits_for: waitsFor,
    }
  })
}

function tryFeed({ name, steps }: FeedScenario, json: boolean | undefined): void {
  const rows = steps.map((step) => ({ at: inDays(step.atMs), does: feedInWords(step) }))
  if (json) printJson({ scenario: name, steps: rows })
  else if (rows.length === 0) print('Nothing goes wrong.')
  else for (const { at, does } of rows) print(`${at.padStart(9)}  ${does}`)
}
