import type { Command } from 'commander'
import { version } from '../api/version.ts'
import { boundedMessage } from '../kernel/bounded-message.ts'
import { didYouMean } from '../kernel/nearest.ts'
import {
  type CliContext,
  currentContext,
  escapeReply,
  printError,
  processContext,
  runInContext,
} from '../terminal/context.ts'
import { CliError, CommandFailed, REFUSED, USAGE_ERROR, UsageProblem } from '../terminal/errors.ts'
import { readFlags } from './config.ts'
import { jsonLine } from './log.ts'
import { stackOf } from './stack.ts'

interface CommandModule {
  /** Adds the commands of the module to the program. */
  register(program: Command, wholeProgram: () => Promise<Command>): void
}

/** The modules of the commands, with their heading in the help. A module is loaded when one of its commands is called, all of them for the help, none for the version. */
// biome-ignore format: a table is read by its columns.
const modules: readonly (readonly [commands: string, group: string, load: () => Promise<CommandModule>])[] = [
  ['start', 'Start:', () => import('./commands/start.ts')],
  ['exec', 'Start:', () => import('./commands/exec.ts')],
  ['explore', 'Start:', () => import('./commands/explore.ts')],
  ['scenario', 'Scenarios:', () => import('./commands/scenario.ts')],
  ['health open stop env ca mcp', 'Start:', () => import('./commands/connect.ts')],
  ['clock agenda', 'Time and worlds:', () => import('./commands/clock.ts')],
  ['world reset', 'Time and worlds:', () => import('./commands/worlds.ts')],
  ['snapshot', 'Time and worlds:', () => import('./commands/snapshots.ts')],
  ['state', 'Time and worlds:', () => import('./commands/state.ts')],
  ['order explain checkout', 'Orders:', () => import('./commands/orders.ts')],
  ['webhook trigger', 'Webhooks and events:', () => import('./commands/webhooks.ts')],
  ['listen events', 'Webhooks and events:', () => import('./commands/listen.ts')],
  ['requests faults coverage wait', 'Requests and faults:', () => import('./commands/requests.ts')],
  ['user', 'People:', () => import('./commands/users.ts')],
  ['skill', 'Start:', () => import('./commands/skill.ts')],
  ['drift', 'The live service:', () => import('./commands/drift.ts')],
  ['record', 'The live service:', () => import('./commands/record.ts')],
  ['verify', 'The live service:', () => import('./commands/verify.ts')],
  ['doctor', 'Help:', () => import('./commands/doctor.ts')],
  ['completion complete', 'Help:', () => import('./commands/completion.ts')],
]

const footer = `
"petri help <command>" describes a command. Every setting of "petri start" is also a PETRI_* variable.
Without a global installation, write "npx petri-sandbox" for "petri".
Exit status: 0 success, 1 refused or not found, 2 usage error.`

/** The commands of every day; `petri help all` lists the others, too. */
const firstScreen = `Usage: petri <command> [options]

An offline sandbox of the Lab Testing and Health Data Service.

  petri start                                listen on http://127.0.0.1:4080, and store data in .petri
  petri exec -- npm test                     run a command whose calls to the live service go to Petri
  petri open                                 open its page in a browser
  petri order place --zip 00112              place an order for a fictitious patient
  petri order list                           list the orders with their next steps
  petri explain ORDER_ID                     say what an order waits for
  petri clock advance 3d                     let three days pass, and run everything that is due
  petri scenario try happy-path              print the statuses of an order, with their times
  petri listen --add                         print every webhook as it arrives
  petri requests --status 4xx                list the failed requests of the program under test
  petri explore --webhook URL                search for a history that breaks the program
  petri doctor                               find problems with starting or delivering

"petri help all" lists all commands.
${footer.trimStart()}
`

const DONE = 0

/** Runs a command and returns its exit status. For `start` it returns once Petri listens; Petri then runs until a signal. */
export const runCli = (args: readonly string[], context: CliContext = processContext): Promise<number> =>
  runInContext(context, async () => {
    try {
      await run(args)
      return DONE
    } catch (error) {
      return explain(error, formOf(ownArguments(args)))
    }
  })

/** The arguments without the command that follows "--". */
const ownArguments = (args: readonly string[]) =>
  args.includes('--') ? args.slice(0, args.indexOf('--')) : args

async function run(args: readonly string[]): Promise<void> {
  const [name, ...rest] = args
  if (rest.length === 0 && ['help', '--help', '-h'].includes(name ?? ''))
    return void currentContext().stdout.write(firstScreen)
  if (name === 'help' && rest[0] === 'all') return runProgram(['--help'])
  if (name !== 'start' || rest.some((arg) => arg === '--help' || arg === '-h')) return runProgram(args)
  // `start` must be fast, so it does not load commander.
  const { start } = await import('./commands/start.ts')
  await start(readFlags(rest))
}

async function runProgram(args: readonly string[]): Promise<void> {
  const program = await programWith(args[0])
  if (args[0] === 'help') assertHelpExists(program, args.slice(1))
  assertNoSubcommand(program, args[0])
  pointToOwnHelp(program, 'npx petri-sandbox', asksForJson(ownArguments(args)))
  // Commander's own help takes one name.
  const line = args[0] === 'help' && args.length > 2 ? [...args.slice(1), '--help'] : args
  await program.parseAsync(line, { from: 'user' })
}

/** Throws for `petri help foo`. */
function assertHelpExists(program: Command, [name]: readonly string[]): void {
  const names = [...program.commands.map((command) => command.name()), 'help', 'all']
  if (name === undefined || name.startsWith('-') || names.includes(name)) return
  throw new UsageProblem(`There is no command "${name}".${didYouMean(name, names)}\n(see "petri --help")`)
}

/** Throws for `petri advance`, which is `petri clock advance`. */
function assertNoSubcommand(program: Command, name = ''): void {
  if (name === 'help' || program.commands.some((command) => command.name() === name)) return
  const groups = program.commands.filter(({ commands }) =>
    commands.some((command) => command.name() === name),
  )
  if (groups.length === 0) return
  const found = groups.map((group) => `"petri ${group.name()} ${name}"`).join(' or ')
  throw new UsageProblem(`There is no command "${name}". Did you mean ${found}?`)
}

/** Lets usage errors point to the help of the command. With `--json`, only `explain` prints them. */
function pointToOwnHelp(command: Command, path: string, isJson: boolean): void {
  command.showHelpAfterError(`(see "${path} --help")`)
  if (isJson) command.configureOutput({ writeErr: () => {} })
  for (const child of command.commands) pointToOwnHelp(child, `${path} ${child.name()}`, isJson)
}

/** The program with all commands, for completion and documentation. */
export const wholeProgram = (): Promise<Command> => programWith(undefined)

/** The program with the module of a command; with all modules if there is no such command. */
async function programWith(name: string | undefined): Promise<Command> {
  const { Command } = await import('commander')
  const program = new Command('petri')
    .description('An offline sandbox of the Lab Testing and Health Data Service.')
    .version(version.petri, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', footer)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void currentContext().stdout.write(text),
      writeErr: (text) => void currentContext().stderr.write(boundedMessage(text)),
    })
  if (name === '--version' || name === '-V') return program
  const called = modules.filter(([commands]) => commands.split(' ').includes(name ?? ''))
  for (const [commands, group, load] of called.length > 0 ? called : modules) {
    ;(await load()).register(program, wholeProgram)
    const names = commands.split(' ')
    for (const command of program.commands) if (names.includes(command.name())) command.helpGroup(group)
  }
  return program
}

/** How a command prints its errors: as text, as JSON, or as a line of its log, which is JSON. */
function formOf(args: readonly string[]): 'text' | 'json' | 'log' {
  const { PETRI_LOG_FORMAT = '' } = currentContext().environment
  const isLogged =
    args[0] === 'start' && [PETRI_LOG_FORMAT, ...args].some((each) => /^(--log-format=)?json$/.test(each))
  if (isLogged) return 'log'
  return asksForJson(args) ? 'json' : 'text'
}

const asksForJson = (args: readonly string[]): boolean => / --json /.test(` ${args.join(' ')} `)

/** Prints the error, unless commander has done so, and returns the exit status. */
function explain(error: unknown, form: 'text' | 'json' | 'log'): number {
  const asJson = form !== 'text'
  const print = (message: string, answer: object = { detail: message }) => {
    if (form === 'log') printError(jsonLine('error', message))
    else printError(asJson ? JSON.stringify(answer) : escapeReply(boundedMessage(message)))
  }
  if (error instanceof CommandFailed) return error.status
  if (error instanceof UsageProblem) {
    print(error.message)
    return USAGE_ERROR
  }
  if (error instanceof CliError) {
    print(error.message, error.answer)
    return REFUSED
  }
  const { code, exitCode, message } = error as { code?: unknown; exitCode?: number; message?: string }
  if (String(code).startsWith('commander.')) {
    if (exitCode === 0) return 0
    if (asJson) print(code === 'commander.help' ? 'A command is missing.' : usageOf(message))
    return USAGE_ERROR
  }
  printError(stackOf(error))
  return REFUSED
}

const usageOf = (message = '') => message.replace(/^error: /, '').replace(/\s+/g, ' ')
