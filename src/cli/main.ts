#!/usr/bin/env node
import type { Command } from 'commander'
import { version } from '../contract/version.ts'
import { readFlags, UsageProblem } from './config.ts'

/** Gives the program a command, or a family of them. */
type RegisterCommand = (program: Command) => void

/** Each command is loaded when it is called, and all of them when somebody asks for help. */
const commands: Readonly<Record<string, () => Promise<RegisterCommand>>> = {
  start: async () => (await import('./commands/start.ts')).registerStart,
  scenario: async () => (await import('./commands/scenario.ts')).registerScenario,
  health: async () => (await import('./commands/health.ts')).registerHealth,
}

const examples = `
Examples:
  petri start                                  listen on http://127.0.0.1:4080, keep data in .petri
  petri start --port 0 --data memory           any free port, nothing kept
  petri start --frozen --now 2026-01-05T09:00:00Z
  petri scenario try happy-path                what an order goes through, and when
  PETRI_WEBHOOK_URL=http://127.0.0.1:3000/hook petri start

"petri help <command>" tells what a command takes. Every setting of "petri start" is a PETRI_* variable too.`

async function run(args: readonly string[]): Promise<void> {
  const [name, ...rest] = args
  if (name !== 'start' || rest.some((arg) => arg === '--help' || arg === '-h')) return runProgram(args)
  // Starting is what has to be quick, so it does without the parser that serves all other commands.
  const { start } = await import('./commands/start.ts')
  await start(readFlags(rest))
}

async function runProgram(args: readonly string[]): Promise<void> {
  const { Command } = await import('commander')
  const program = new Command('petri')
    .description('An offline sandbox of the Lab Testing and Health Data Service.')
    .version(version.petri, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', examples)
    .showHelpAfterError('(petri --help tells what there is)')
  const called = commands[args[0] ?? '']
  for (const load of called ? [called] : Object.values(commands)) (await load())(program)
  await program.parseAsync(args, { from: 'user' })
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof UsageProblem ? error.message : error)
  process.exitCode = 1
}
