import type { Command } from 'commander'
import { version } from '../api/version.ts'
import { CliError, CommandFailed, readFlags, UsageProblem } from './config.ts'
import { type CliContext, currentContext, printError, processContext, runInContext } from './context.ts'
import { stackOf } from './stack.ts'

/** Adds one or more commands to the program. */
type RegisterCommand = (program: Command) => void

/** The modules of the commands. A command is loaded when it is called, all of them for the help, none for the version. */
const commands: Readonly<Record<string, () => Promise<RegisterCommand>>> = {
  start: async () => (await import('./commands/start.ts')).registerStart,
  scenario: async () => (await import('./commands/scenario.ts')).registerScenario,
  health: async () => (await import('./commands/health.ts')).registerHealth,
  clock: async () => (await import('./commands/clock.ts')).registerClock,
  open: async () => (await import('./commands/open.ts')).registerOpen,
  orders: async () => (await import('./commands/orders.ts')).registerOrders,
  order: async () => (await import('./commands/order.ts')).registerOrder,
  webhook: async () => (await import('./commands/webhook.ts')).registerWebhook,
  listen: async () => (await import('./commands/listen.ts')).registerForward,
  world: async () => (await import('./commands/world.ts')).registerWorld,
  organisation: async () => (await import('./commands/organisation.ts')).registerOrganisation,
  reset: async () => (await import('./commands/world.ts')).registerReset,
  snapshot: async () => (await import('./commands/snapshot.ts')).registerSnapshot,
  state: async () => (await import('./commands/state.ts')).registerState,
  wait: async () => (await import('./commands/wait.ts')).registerWait,
  trigger: async () => (await import('./commands/trigger.ts')).registerTrigger,
  requests: async () => (await import('./commands/requests.ts')).registerRequests,
  faults: async () => (await import('./commands/faults.ts')).registerFaults,
  agenda: async () => (await import('./commands/agenda.ts')).registerAgenda,
  lifecycle: async () => (await import('./commands/lifecycle.ts')).registerLifecycle,
  coverage: async () => (await import('./commands/coverage.ts')).registerCoverage,
  events: async () => (await import('./commands/events.ts')).registerEvents,
  drift: async () => (await import('./commands/drift.ts')).registerDrift,
  env: async () => (await import('./commands/env.ts')).registerEnv,
  mcp: async () => (await import('./commands/mcp.ts')).registerMcp,
  doctor: async () => (await import('./commands/doctor.ts')).registerDoctor,
  completion: async () => (await import('./commands/completion.ts')).registerCompletion,
  complete: async () => (await import('./commands/completion.ts')).completeWith(wholeProgram),
}

const examples = `
Examples:
  petri start                                  listen on http://127.0.0.1:4080, keep data in .petri
  petri start --port 0 --data memory           any free port, nothing kept
  petri start --frozen --now 2026-01-05T09:00:00Z
  petri open                                   watch and drive it in a browser
  petri scenario try happy-path                what an order goes through, and when
  petri clock advance 3d                       three days pass, all deliveries included
  petri order move ORDER_ID lost
  petri wait order ORDER_ID completed          until it is so, or 10 s have passed
  petri snapshot save before                   "petri snapshot restore before" goes back to it
  petri requests --status 4xx                  failed calls of the program under test
  petri webhook listen --add                   print every event as it comes
  petri listen --forward-to URL                bring the webhooks of a Petri in a container here
  eval "$(petri env)"                          keys and addresses for the program under test
  PETRI_WEBHOOK_URL=http://127.0.0.1:3000/hook petri start

"petri help <command>" describes a command. Every setting of "petri start" is a PETRI_* variable too.
Exit status: 0 done, 1 refused or not found, 2 not understood.`

/** Exit statuses. */
const DONE = 0
const REFUSED = 1
const USAGE_ERROR = 2

/** Runs a command and returns its exit status. For `start` it returns once Petri listens; Petri then runs until a signal. */
export const runCli = (args: readonly string[], context: CliContext = processContext): Promise<number> =>
  runInContext(context, async () => {
    try {
      await run(args)
      return DONE
    } catch (error) {
      return explain(error, args.includes('--json'))
    }
  })

async function run(args: readonly string[]): Promise<void> {
  const [name, ...rest] = args
  if (name !== 'start' || rest.some((arg) => arg === '--help' || arg === '-h')) return runProgram(args)
  // `start` must be fast, so it does not load commander.
  const { start } = await import('./commands/start.ts')
  await start(readFlags(rest.filter((arg) => arg !== '--json')), rest.includes('--json'))
}

async function runProgram(args: readonly string[]): Promise<void> {
  // Loads the HTTP client of Node 20 now: loaded on first use, it misses a connection that is closed meanwhile.
  new Headers()
  const program = await emptyProgram()
  for (const load of neededFor(args)) (await load())(program)
  pointToOwnHelp(program, 'petri', args.includes('--json'))
  await program.parseAsync(args, { from: 'user' })
}

function neededFor([name = '']: readonly string[]): readonly (() => Promise<RegisterCommand>)[] {
  if (name === '--version' || name === '-V') return []
  const called = commands[name]
  return called ? [called] : Object.values(commands)
}

/** Lets usage errors point to the help of the command. With `--json`, only `explain` prints them. */
function pointToOwnHelp(command: Command, path: string, isJson: boolean): void {
  command.showHelpAfterError(`(see "${path} --help")`)
  if (isJson) command.configureOutput({ writeErr: () => {} })
  for (const child of command.commands) pointToOwnHelp(child, `${path} ${child.name()}`, isJson)
}

/** The program with all commands, for completion and documentation. */
export async function wholeProgram(): Promise<Command> {
  const program = await emptyProgram()
  for (const load of Object.values(commands)) (await load())(program)
  return program
}

async function emptyProgram(): Promise<Command> {
  const { Command } = await import('commander')
  return new Command('petri')
    .description('An offline sandbox of the Lab Testing and Health Data Service.')
    .version(version.petri, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', examples)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void currentContext().stdout.write(text),
      writeErr: (text) => void currentContext().stderr.write(text),
    })
}

/** Prints the error, unless commander has done so, and returns the exit status. */
function explain(error: unknown, asJson: boolean): number {
  const print = (message: string, answer: object = { detail: message }) =>
    printError(asJson ? JSON.stringify(answer) : message)
  if (error instanceof CommandFailed) return REFUSED
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
