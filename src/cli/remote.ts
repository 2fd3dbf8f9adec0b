import type { Command } from 'commander'
import { reasonOf } from '../kernel/reason.ts'
import { type Client, createClient } from './client.ts'
import { CliError, readClientConfig, UsageProblem } from './config.ts'
import { print as printLine, printStream } from './context.ts'
import { printJson } from './output.ts'

type Options = Readonly<Record<string, string | boolean | undefined | readonly string[]>>

/** A command that calls a running Petri. */
export interface RemoteCommand<Body = unknown> {
  /** Its name and arguments, such as `resend <message>`. */
  readonly usage: string
  readonly summary: string
  /** Whether it is the default command of its group. */
  readonly isDefault?: boolean
  readonly options?: readonly (readonly [flags: string, help: string])[]
  readonly examples?: readonly string[]
  /** A stream is printed as it comes. */
  run(petri: Client, args: readonly string[], options: Options): Promise<Body>
  /** The readable output; with `--json` the answer is printed unchanged. */
  print(body: Body, args: readonly string[]): string
}

/** Declares a command; exists so that `print` is typed by `run`. */
export const remote = <Body>(declaration: RemoteCommand<Body>): RemoteCommand => declaration

/** Adds the options of every command that calls a running Petri. */
export const withTarget = (command: Command): Command =>
  command
    .option('--url <url>', 'where Petri runs [PETRI_URL, or as PETRI_HOST and PETRI_PORT say]')
    .option('--api-key <key>', 'key of the world it is about [PETRI_API_KEY]')
    .option('--json', 'print JSON')

export interface TargetOptions {
  readonly url?: string
  readonly apiKey?: string
  readonly json?: boolean
}

export function registerRemote(parent: Command, commands: readonly RemoteCommand[]): void {
  for (const command of commands) registerCommand(parent, command)
}

function registerCommand(
  parent: Command,
  { usage, summary, isDefault = false, options = [], examples = [], run, print }: RemoteCommand,
): void {
  const command = parent.command(usage, { isDefault }).description(summary)
  for (const [flags, help] of options) command.option(flags, help)
  withTarget(command)
  if (examples.length > 0) command.addHelpText('after', exampleText(examples))
  command.action(async (...given: unknown[]) => {
    const args = command.processedArgs.flat().filter((arg): arg is string => typeof arg === 'string')
    const all = given.at(-2) as Options & TargetOptions
    const body = await run(createClient(readClientConfig(all)), args, all)
    if (body instanceof ReadableStream) await printStream(body).catch(isIncomplete)
    else if (all.json) printJson(body ?? null)
    else printLine(print(body, args))
  })
}

function isIncomplete(error: unknown): never {
  throw new CliError(`What was printed is not complete: ${reasonOf(error)}`)
}

export const exampleText = (lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`

/** The value of an option. */
export const textOf = (value: Options[string]): string | undefined =>
  typeof value === 'string' ? value : undefined

/** The values of a repeatable option. */
export const listOf = (value: Options[string]): string[] | undefined =>
  Array.isArray(value) ? [...value] : undefined

/** A name encoded as one segment of a path. */
export const segment = (name = ''): string => encodeURIComponent(name)

/** The value of a numeric option; Petri checks the range. */
export function numberOf(flag: string, value: Options[string]): number | undefined {
  const text = textOf(value)
  if (text === undefined) return undefined
  const number = Number(text)
  if (text.trim() !== '' && Number.isFinite(number)) return number
  throw new UsageProblem(`${flag} should be a number; it is "${text}".`)
}

export function wholeNumber(flag: string, text: string, low: number, high: number): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= low && number <= high) return number
  throw new UsageProblem(`${flag} should be a whole number from ${low} to ${high}; it is "${text}".`)
}
