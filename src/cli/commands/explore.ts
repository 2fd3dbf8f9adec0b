import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import type {
  ExploreOptions,
  ExplorePart,
  ExploreProgress,
  ExploreProperty,
  Finding,
  PlayOptions,
} from '../../client/explore.ts'
import type { Wrap } from '../../intercept/namespace.ts'
import type { Redirection } from '../../intercept/redirection.ts'
import { wallClock } from '../../kernel/clock.ts'
import { compact } from '../../kernel/list.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import type { Environment } from '../../kernel/platform.ts'
import { whyUnreadable } from '../../kernel/reason.ts'
import { quotedIfNeeded } from '../../kernel/shell.ts'
import { readUserFile } from '../../kernel/user-file.ts'
import type { FindingFile } from '../../scenarios/finding.ts'
import { currentContext, print, printError } from '../../terminal/context.ts'
import { CliError, CommandFailed, httpUrl, UsageProblem, wholeNumber } from '../../terminal/errors.ts'
import { printJson } from '../../terminal/output.ts'
import { assertWritable, cannotWrite } from '../../terminal/whole-file.ts'
import type { Invariant } from '../../tools/explore/checks.ts'
import { partNames } from '../../tools/explore/parts.ts'
import { isInContainer, whyUnreachable } from '../../webhooks/outgoing.ts'
import { type Flags, readConfig } from '../config.ts'
import { environmentOfProgram, withSettingsOfProgram } from '../exec/program-settings.ts'
import { type ProgramUnderTest, startProgram, waitUntilReady } from '../exec/program-under-test.ts'
import { redirect } from '../exec/redirect.ts'
import { receiveSignals } from '../exec/signals.ts'
import { namesIn, readFile, readFolder, writeFinding } from '../explore/found-files.ts'
import { runQuietly } from '../explore/run-quietly.ts'
import { type ExploreSandbox, startExploreSandbox } from '../explore/sandbox.ts'
import { exampleText } from '../remote.ts'

interface CommandOptions {
  readonly webhook?: string
  readonly check?: string
  readonly at?: string
  readonly map?: readonly string[]
  readonly invariants?: string
  readonly runs: string
  readonly seed: string
  readonly only?: string
  readonly without?: string
  readonly max: string
  readonly found: string
  readonly accept?: boolean
  readonly replay?: readonly string[]
  readonly start?: string
  readonly ready?: string
  readonly port?: string
  readonly apiKey?: string
  readonly webhookSecret?: string
  readonly junit?: string
  readonly json?: boolean
}

export function register(program: Command): void {
  program.enablePositionalOptions()
  program
    .command('explore')
    .argument('[command...]', 'a command to run in each history, after "--"')
    .passThroughOptions()
    .description(
      'search legal histories for one that breaks the program under test; exit status 0 without findings, 1 with some, 2 if it could not run',
    )
    .option('--webhook <url>', 'URL of the program that Petri sends its webhooks to')
    .option('--check <url>', 'URL where the program shows an order, with {order_id}')
    .option('--at <path>', 'path of the status in its response, such as order.status')
    .option('--map <pairs...>', "the program's words for statuses, such as completed=done")
    .option('--invariants <file>', 'JSON file with rules that must hold at the end')
    .option('--runs <number>', 'number of histories', '300')
    .option('--seed <number>', 'the same seed tries the same histories', '1')
    .option('--only <parts>', 'parts of histories, such as orders,webhook_faults (default: all)')
    .option('--without <parts>', 'parts to leave out, such as faults')
    .option('--max <number>', 'end after this number of new findings', '3')
    .option('--found <folder>', 'folder of findings, which are played first', 'scenarios/found')
    .option('--accept', 'exit with 0 if only known findings fail')
    .option('--replay <files...>', 'play only these findings')
    .option('--start <program>', 'start this program, with a shell, and stop it afterwards')
    .option('--ready <url>', 'wait until this URL responds')
    .option('--port <number>', 'port of the Petri that plays the histories [PETRI_PORT: 4080]')
    .option('--api-key <key>', 'API key with which the program calls it [PETRI_API_KEY]')
    .option('--webhook-secret <secret>', 'secret that signs its webhooks [PETRI_WEBHOOK_SECRET]')
    .option('--junit <file>', 'also write a report for CI systems')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      exampleText([
        "petri explore --webhook http://127.0.0.1:3000/webhooks --check 'http://127.0.0.1:3000/orders/{order_id}' --at status",
        'petri explore --runs 50 -- npm test -- orders.test.ts',
        'petri explore --replay scenarios/found/found-reorder.yaml --webhook http://127.0.0.1:3000/webhooks',
      ]),
    )
    .action(execute)
}

/** Could not run. */
const NOT_RUN = 2

async function execute(command: readonly string[], options: CommandOptions): Promise<void> {
  try {
    await exploreWith(command, options)
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    printError(options.json ? JSON.stringify(error.answer) : error.message)
    throw new CommandFailed(NOT_RUN)
  }
}

/** The input of an exploration, checked. */
interface Plan {
  readonly command: readonly string[]
  readonly options: CommandOptions
  readonly invariants: readonly Invariant[]
  readonly exploring: ExploreOptions
  readonly replayed: readonly FindingFile[] | undefined
}

async function readPlan(command: readonly string[], options: CommandOptions): Promise<Plan> {
  const { webhook, only, without, runs, seed, max } = options
  if (webhook === undefined && command.length === 0)
    throw new UsageProblem('Name the webhook URL of the program with --webhook, or a command after "--".')
  if (webhook !== undefined) httpUrl('--webhook', webhook)
  if (options.ready !== undefined) httpUrl('--ready', options.ready)
  return {
    command,
    options,
    invariants: await readChecks(options),
    exploring: {
      runs: wholeNumber('--runs', runs, 0, 1e9),
      seed: wholeNumber('--seed', seed, 0, 1e9),
      maxFindings: wholeNumber('--max', max, 0, 1e9),
      // A command places its orders itself and moves the clock.
      only: readParts('--only', only) ?? (command.length > 0 ? partsOfCommands : undefined),
      without: readParts('--without', without),
      webhook,
    },
    replayed: options.replay?.map(readFile),
  }
}

/** The parts of histories for the orders of a command. */
const partsOfCommands: readonly ExplorePart[] = [
  'orders',
  'times',
  'webhook_faults',
  'bodies',
  'faults',
  'futures',
]

function readParts(flag: string, text: string | undefined): readonly ExplorePart[] | undefined {
  return text?.split(',').map((word) => {
    const part = partNames.find((name) => name === word.trim())
    if (part !== undefined) return part
    throw new UsageProblem(
      `${flag} takes ${partNames.join(', ')}; there is no "${word}".${didYouMean(word, partNames)}`,
    )
  })
}

async function readChecks({
  check,
  at,
  map = [],
  invariants,
}: CommandOptions): Promise<readonly Invariant[]> {
  const { CheckError, readCheck, readInvariants } = await import('../../tools/explore/checks.ts')
  if (check === undefined && (at !== undefined || map.length > 0))
    throw new UsageProblem('--at and --map say how to read the answer of --check, which is missing.')
  try {
    return compact([
      check !== undefined && readCheck(check, at, map),
      ...(invariants === undefined ? [] : readInvariants(textOf(invariants), invariants)),
    ])
  } catch (error) {
    if (error instanceof CheckError) throw new UsageProblem(error.message)
    throw error
  }
}

/** The longest file of invariants, in bytes. */
const MAX_FILE = 1024 * 1024

function textOf(file: string): string {
  try {
    return readUserFile(file, MAX_FILE).toString('utf8')
  } catch (error) {
    throw new UsageProblem(`${whyUnreadable(file, error)}.`)
  }
}

async function exploreWith(command: readonly string[], options: CommandOptions): Promise<void> {
  if (options.junit !== undefined) assertWritable(options.junit)
  const plan = await readPlan(command, options)
  const { START } = await import('../../tools/explore/compile.ts')
  const [replayed] = plan.replayed ?? []
  const now = replayed ? Date.parse(replayed.now) : START
  const { port, apiKey, webhookSecret } = options
  const flags: Flags = {
    port: port ?? (command.length > 0 ? '0' : undefined),
    apiKey,
    webhookSecret,
  }
  const config = readConfig(withSettingsOfProgram(flags))
  const sandbox = await startExploreSandbox(config, now)
  printError(`Petri listens at ${sandbox.url}, and plays the happy path first.`)
  const signals = receiveSignals()
  const { interrupted } = signals
  let redirection: Redirection | undefined
  let program: ProgramUnderTest | undefined
  let output: string | undefined
  try {
    if (command.length > 0 || options.start !== undefined)
      redirection = await redirect('explore', sandbox.answer, false)
    const { url } = sandbox
    const env = {
      ...environmentOfProgram(url, config.apiKey, config.webhookSecret),
      ...redirection?.variables,
    }
    const wrap = redirection?.wrap
    if (options.start !== undefined) {
      output = join(mkdtempSync(join(tmpdir(), 'petri-explore-')), 'program.log')
      program = startProgram(options.start, env, { output, wrap })
    }
    if (options.ready !== undefined) await waitUntilReady(new URL(options.ready), program, interrupted)
    await assertReceiver(options.webhook)
    await exploreIn({ plan, sandbox, env, wrap, program, output, interrupted })
  } finally {
    await program?.stop()
    await redirection?.close()
    await sandbox.close()
    signals.close()
  }
}

async function assertReceiver(webhook: string | undefined): Promise<void> {
  const reason = webhook === undefined ? undefined : await whyUnreachable(webhook, isInContainer())
  if (reason !== undefined) throw new CliError(`No webhook can be sent to ${webhook}. ${reason}.`)
}

interface Running {
  readonly plan: Plan
  readonly sandbox: ExploreSandbox
  readonly env: Environment
  readonly wrap: Wrap | undefined
  readonly program: ProgramUnderTest | undefined
  /** The file that the program of `--start` writes to. */
  readonly output: string | undefined
  /** Ends the exploration, which keeps what was found. */
  readonly interrupted: AbortSignal
}

async function exploreIn(running: Running): Promise<void> {
  const { plan, sandbox, program, interrupted } = running
  const { command, options, invariants, exploring, replayed } = plan
  const { explore } = await import('../../tools/explore/explore.ts')
  const { judgeInvariants, judgeRepetition, playOptionsOf } = await import('../../tools/explore/checks.ts')
  const world = sandbox.petri
  let isWarned = false
  const warn = (sentence: string) => {
    if (!isWarned) printError(sentence)
    isWarned = true
  }
  const checks = { invariants, world, warn }
  const property = command.length > 0 ? propertyOf(running) : playAll(program, playOptionsOf(checks))
  const judges = compact([judgeInvariants(checks), command.length === 0 && judgeRepetition(checks)])
  const known = replayed ?? readFolder(options.found)
  if (exploring.runs === 0 && known.length === 0)
    throw new UsageProblem(`--runs 0 plays only the findings on file, and ${options.found} has none.`)
  // What cannot be read is reported with the check, and is not a finding.
  await assertUsable(running, command.length > 0 ? property : playAll(program, {}))
  interrupted.throwIfAborted()
  const taken = namesIn(options.found)
  const maxShrinks = command.length > 0 ? MAX_COMMANDS : undefined
  const explored = await explore(
    { ...exploring, ...(replayed && { runs: 0 }), signal: interrupted, onProgress: createProgress() },
    { world, property, judges, known, taken, maxShrinks },
  )
  endProgress()
  await report(running, explored.findings, explored)
  // Nothing was found, but not all was played.
  interrupted.throwIfAborted()
}

/** The most runs of a command that make one finding smaller. */
const MAX_COMMANDS = 40

/** Plays the whole history; the checks follow. */
const playAll =
  (program: ProgramUnderTest | undefined, options: PlayOptions): ExploreProperty =>
  async ({ history }) => {
    await history.play(options)
    const ended = program?.ended()
    if (ended !== undefined) throw new Error(`The program of --start is not running any more: ${ended}.`)
  }

/** Runs the command in a live world whose orders follow the history. */
const propertyOf =
  ({ plan, env, wrap, interrupted }: Running): ExploreProperty =>
  async ({ world, history }) => {
    await history.prepare()
    await world.clock.run()
    const command = wrap ? wrap(plan.command) : plan.command
    const { status, output } = await runQuietly(command, env, interrupted)
    await world.clock.freeze()
    if (status === 0) return
    const last = output.trim().split('\n').slice(-3).join(' ')
    throw new Error(`"${plan.command.join(' ')}" ended with status ${status}. ${last}`.trim())
  }

/** Plays the happy path, to find out whether there is anything to explore. */
async function assertUsable({ plan, sandbox }: Running, property: ExploreProperty): Promise<void> {
  const { replay } = await import('../../tools/explore/explore.ts')
  const { assertReadable, CheckError } = await import('../../tools/explore/checks.ts')
  const { happyHistory } = await import('../../tools/explore/compile.ts')
  const { played, finding } = await replay(happyHistory(), plan.exploring, { world: sandbox.petri, property })
  if (plan.command.length > 0) {
    if (finding && played.calls.length === 0)
      throw new CliError(`The command failed before it called Petri: ${finding.problem}`)
    return
  }
  // What it accepts is explored; what it shows must be readable if it accepts anything.
  if (finding) return
  try {
    await assertReadable(plan.invariants, played)
  } catch (error) {
    if (error instanceof CheckError) throw new CliError(error.message)
    throw error
  }
}

/** Milliseconds between two lines of progress where there is no terminal. */
const PROGRESS_MS = 10_000

/** Shows how far the exploration is: always the same line in a terminal, elsewhere a line every ten seconds. */
function createProgress(): (progress: ExploreProgress) => void {
  const { stderr } = currentContext()
  let shownAt = wallClock()
  return ({ runs, of, plays, perSecond, coverage: { edges }, findings }) => {
    if (!stderr.isTTY && wallClock() - shownAt < PROGRESS_MS) return
    shownAt = wallClock()
    const shrinking = plays > runs ? ` (${plays} played)` : ''
    const line = `${runs} of ${of} histories${shrinking}, ${perSecond} a second, ${edges.covered} of ${edges.of} edges, findings: ${findings.length}`
    stderr.write(stderr.isTTY ? `\r\u001b[2K${line}` : `${line}\n`)
  }
}

function endProgress(): void {
  const { stderr } = currentContext()
  if (stderr.isTTY) stderr.write('\r\u001b[2K')
}

async function report(
  { plan: { options, command, replayed }, output }: Running,
  findings: readonly Finding[],
  explored: Awaited<ReturnType<typeof import('../../tools/explore/explore.ts').explore>>,
): Promise<void> {
  const { asAnnotations, asJUnit, asText } = await import('../../tools/explore/report.ts')
  const fileOf = (finding: Finding) =>
    finding.known ? fileOfKnown(finding, options) : fileOfNew(finding, options)
  const filed = { ...explored, findings: findings.map((finding) => ({ ...finding, file: fileOf(finding) })) }
  if (options.junit !== undefined) writeReport(options.junit, asJUnit(filed))
  if (options.json) printJson(filed)
  else print(asText(filed, againOptions(command, options)))
  if (output !== undefined && findings.length > 0) printError(`The output of the program is in ${output}.`)
  if (currentContext().environment.GITHUB_ACTIONS === 'true')
    for (const line of asAnnotations(filed)) printError(line)
  const isAccepted = (finding: Finding) => finding.known && options.accept === true && replayed === undefined
  if (findings.some((finding) => !isAccepted(finding))) throw new CommandFailed()
}

/** What does not fail each time has no file. */
const fileOfNew = (finding: Finding, { found }: CommandOptions) =>
  finding.plays.failed === finding.plays.of ? writeFinding(found, finding) : undefined

const fileOfKnown = ({ name }: Finding, { found, replay = [] }: CommandOptions) =>
  replay.find((file) => file.endsWith(`${name}.yaml`)) ?? `${found}/${name}.yaml`

/** The options of the program under test, quoted for the line that plays a finding again. Secrets are named, not shown. */
function againOptions(
  command: readonly string[],
  { webhook, check, at, map = [], invariants, start, ready, port, apiKey, webhookSecret }: CommandOptions,
): readonly string[] {
  const values = Object.entries({ webhook, check, at, invariants, start, ready, port })
  return compact([
    ...values.map(([name, value]) => value !== undefined && `--${name} ${quotedIfNeeded(value)}`),
    ...map.map((pair) => `--map ${quotedIfNeeded(pair)}`),
    apiKey !== undefined && '--api-key "$PETRI_API_KEY"',
    webhookSecret !== undefined && '--webhook-secret "$PETRI_WEBHOOK_SECRET"',
    command.length > 0 && `-- ${command.map(quotedIfNeeded).join(' ')}`,
  ])
}

function writeReport(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw cannotWrite(file, error)
  }
}
