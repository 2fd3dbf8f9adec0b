import type { Command } from 'commander'
import { hasNetwork } from '../../intercept/namespace.ts'
import type { Redirection } from '../../intercept/redirection.ts'
import { hostsWithoutProxy } from '../../intercept/variables.ts'
import { omit } from '../../kernel/fields.ts'
import { compact } from '../../kernel/list.ts'
import { isLoopback } from '../../kernel/this-machine.ts'
import { addSettings } from '../../settings.ts'
import { currentContext, printError } from '../../terminal/context.ts'
import { CommandFailed, httpUrl, UsageProblem } from '../../terminal/errors.ts'
import { type Flags, givenSettings, readConfig } from '../config.ts'
import { type Bypassing, survivorsOf, watchBypassing } from '../exec/bypassing.ts'
import { commandWithoutNetwork, openPortsOfMachine, servePorts } from '../exec/offline.ts'
import { environmentOfProgram, withSettingsOfProgram } from '../exec/program-settings.ts'
import { type ProgramUnderTest, startProgram, waitUntilReady } from '../exec/program-under-test.ts'
import { redirect } from '../exec/redirect.ts'
import { commandText, runCommand } from '../exec/run-command.ts'
import { joinSandbox, type Sandbox, startSandbox } from '../exec/sandbox.ts'
import { receiveSignals } from '../exec/signals.ts'
import { countCalls, linesInAnyCase, summarize } from '../exec/summary.ts'
import { exampleText } from '../remote.ts'
import { likeTeam } from './start.ts'

interface ExecOptions extends Flags {
  readonly url?: string
  readonly webhook?: string
  readonly start?: string
  readonly ready?: string
  readonly offline?: boolean
  readonly quiet?: boolean
}

/** The settings with another default than those of `start`. */
const initially: Flags = { port: '0', data: 'memory', openWorlds: 'any', log: 'error' }

export function register(program: Command): void {
  program.enablePositionalOptions()
  const command = program
    .command('exec')
    .argument('[command...]', 'the command and its arguments, after "--"')
    .passThroughOptions()
    .description('run a command whose calls to the live service go to Petri')
    .option('--webhook <url>', 'as --webhook-url: URL of the program that Petri sends its webhooks to')
    .option(
      '--start <program>',
      'start this program, with a shell, before the command, and stop it afterwards',
    )
    .option('--ready <url>', 'wait until this URL responds before running the command')
    .option(
      '--offline',
      'refuse connections to hosts other than the live ones and this machine; NO_PROXY exempts hosts',
    )
    .option('--quiet', 'do not say that no call reached Petri when the command succeeds')
    .option('--url <url>', 'use a running Petri, in a new world, instead of starting one')
  addSettings(command, initially)
  command.addHelpText(
    'after',
    exampleText([
      'petri exec -- npm test',
      'petri exec --scenario problem-in-transit-customer -- pytest -k orders',
      'petri exec --start "node server.js" --ready http://127.0.0.1:3000/health -- npx playwright test',
    ]),
  )
  command.action((words: readonly string[], options: ExecOptions) => execute(words, options))
}

async function execute(command: readonly string[], options: ExecOptions): Promise<void> {
  if (command.length === 0)
    throw new UsageProblem('Name the command to run after "--", as in "petri exec -- npm test".')
  const { offline = false, start, ready } = options
  const readyUrl = ready === undefined ? undefined : httpUrl('--ready', ready)
  const signals = receiveSignals()
  const outer = withoutNetwork(options)
  if (outer) {
    const { status } = await runCommand(
      outer,
      { env: currentContext().environment, onChannel: servePorts },
      signals,
    )
    signals.close()
    if (status !== 0) throw new CommandFailed(status)
    return
  }
  const { interrupted } = signals
  let closePorts: (() => void) | undefined
  let sandbox: Sandbox | undefined
  let redirection: Redirection | undefined
  let program: ProgramUnderTest | undefined
  let bypassing: Bypassing | undefined
  let hasFailed = true
  try {
    closePorts = process.send && offline ? await openPortsOfMachine() : undefined
    sandbox = await openSandbox(options)
    interrupted.throwIfAborted()
    redirection = await redirect('exec', sandbox.answer, offline)
    interrupted.throwIfAborted()
    const { url, apiKey } = sandbox.client.config
    const env = { ...environmentOfProgram(url, apiKey, sandbox.webhookSecret), ...redirection.variables }
    bypassing = watchBypassing(redirection.variables)
    program = start === undefined ? undefined : startProgram(start, env, { wrap: redirection.wrap })
    if (readyUrl) await waitUntilReady(readyUrl, program, interrupted)
    const { status, problem } = await runCommand(command, { env, wrap: redirection.wrap }, signals)
    hasFailed = status !== 0
    if (problem !== undefined) printError(`petri exec: ${problem}`)
    else {
      const reports = redirection.reports()
      const problems = hasFailed ? await summarize(sandbox, reports) : linesInAnyCase(reports)
      report(command, status, [...problems, ...bypassing.lines()], program?.ended())
      if (!hasFailed && !options.quiet && (await countCalls(sandbox)) === 0)
        printError('petri exec: No call reached Petri. (--quiet omits this line.)')
    }
    if (hasFailed) throw new CommandFailed(status)
  } finally {
    bypassing?.stop()
    await program?.stop()
    for (const line of redirection ? survivorsOf(redirection.variables) : []) printError(line)
    await redirection?.close()
    await sandbox?.close(hasFailed)
    closePorts?.()
    signals.close()
  }
}

/** The command that runs this one without a network, unless it names hosts that only a network reaches. */
function withoutNetwork({
  offline,
  url,
  webhook,
  webhookUrl,
  ready,
}: ExecOptions): readonly string[] | undefined {
  const { environment } = currentContext()
  const called = [url, webhook, webhookUrl ?? environment.PETRI_WEBHOOK_URL, ready].filter(
    (each) => typeof each === 'string',
  )
  const hosts = [
    ...hostsWithoutProxy(environment),
    ...called.map((each) => (URL.canParse(each) ? new URL(each).hostname : 'localhost')),
  ]
  if (!offline || !hosts.every(isLoopback) || !hasNetwork()) return undefined
  const outer = commandWithoutNetwork()
  if (!outer)
    printError(
      'petri exec --offline: this system creates no network namespace, so only programs that use the variables of the run are refused.',
    )
  return outer
}

function openSandbox(options: ExecOptions): Promise<Sandbox> {
  const { url, webhook, ...flags } = omit(options, 'start', 'ready', 'offline', 'quiet')
  const given = { ...flags, webhookUrl: webhook ?? flags.webhookUrl }
  if (url !== undefined) return joinSandbox(url, readConfig(withSettingsOfProgram(given)), given)
  const isGiven = givenSettings(given)
  const defaults = Object.entries(initially).filter(([name]) => isGiven[name as keyof Flags] === undefined)
  const all = withSettingsOfProgram({ ...Object.fromEntries(defaults), ...given })
  return startSandbox(likeTeam(readConfig(all), all))
}

/** Prints to standard error what went wrong, if the command failed; and which hosts and processes did not use Petri in any case. */
function report(
  command: readonly string[],
  status: number,
  problems: readonly string[],
  ended: string | undefined,
): void {
  const lines = compact([
    ended !== undefined && `  The program of --start is not running any more: ${ended}.`,
    ...problems,
  ])
  if (status === 0 && lines.length === 0) return
  const outcome = lines.length === 0 ? 'Nothing failed at Petri.' : 'At Petri:'
  printError(`petri exec: "${commandText(command)}" ended with status ${status}. ${outcome}`)
  if (lines.length > 0) printError(lines.join('\n'))
}
