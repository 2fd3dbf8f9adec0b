import { Readable } from 'node:stream'
import type { Command } from 'commander'
import type { Route } from '../api/operation.ts'
import { didYouMean } from '../kernel/nearest.ts'
import { reasonOf } from '../kernel/reason.ts'
import { type Client, createClient } from '../terminal/client.ts'
import { escapeReply, print as printLine, printStream } from '../terminal/context.ts'
import { CliError, UsageProblem } from '../terminal/errors.ts'
import { printJson } from '../terminal/output.ts'
import { readClientConfig } from './config.ts'
import { isIdKind, wholeId } from './ids.ts'

/** The arguments and options of a command, by field name; see `RemoteCommand.fields`. */
export type Input = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** A command that calls a running Petri; without `run`, the operation at `route`. */
export interface RemoteCommand<Body = unknown> {
  /** Its name and arguments, such as `resend <message>`. A `<number>` is read as one, and the name of an id is that of its kind. */
  readonly usage: string
  readonly summary: string
  /** Whether it is the default command of its group. */
  readonly isDefault?: boolean
  readonly options?: readonly (readonly [flags: string, help: string])[]
  readonly examples?: readonly string[]
  readonly route?: Route
  /** Field names that differ. By default `--drop-first` is `drop_first`, and `--order` and other kinds of ids are `order_id`. */
  readonly fields?: Readonly<Record<string, string>>
  /** Turns arguments and options into the input of the operation, where they are not its fields. */
  readonly toInput?: (given: Input) => object
  run?(petri: Client, input: Input): Promise<Body>
  /** The readable output; JSON by default. With `--json` the response is printed unchanged. */
  print?(body: Body, input: Input): string
}

export interface TargetOptions {
  readonly url?: string
  readonly apiKey?: string
  readonly json?: boolean
}

/** Adds the options of every command that calls a running Petri. */
export const withTarget = (command: Command): Command =>
  command
    .option(
      '--url <url>',
      'URL of a running Petri [PETRI_URL, or from PETRI_HOST and PETRI_PORT, or that of the folder .petri]',
    )
    .option('--api-key <key>', 'API key of the world [PETRI_API_KEY]')
    .option('--json', 'print JSON')

export function registerRemote(parent: Command, commands: readonly RemoteCommand[]): void {
  for (const declaration of commands) {
    const { usage, summary, isDefault = false, options = [], examples = [] } = declaration
    const command = parent.command(usage, { isDefault }).description(summary)
    if (isDefault) command.allowExcessArguments()
    for (const [flags, help] of options) command.option(flags, help)
    withTarget(command).addHelpText('after', examples.length > 0 ? exampleText(examples) : '')
    command.action(() => runRemote(command, declaration))
  }
}

/** Throws for `petri clock foo`, which commander takes as an argument of the default command. */
function assertNoUnknownCommand({ args, parent, registeredArguments }: Command): void {
  const unknown = args[registeredArguments.length]
  if (unknown === undefined || registeredArguments.at(-1)?.variadic) return
  const hint = didYouMean(unknown, parent?.commands.map((command) => command.name()) ?? [])
  const group = parent?.name()
  throw new UsageProblem(
    `There is no command "${group} ${unknown}".${hint}\n(see "npx petri-sandbox ${group} --help")`,
  )
}

async function runRemote(command: Command, declaration: RemoteCommand): Promise<void> {
  if (declaration.isDefault) assertNoUnknownCommand(command)
  const target = command.opts<TargetOptions>()
  const petri = createClient(readClientConfig(target))
  const input = await readInput(petri, command, declaration)
  const { run, route, toInput = (given: Input) => given, print } = declaration
  const body = run ? await run(petri, input) : route && (await petri.call(route, toInput(input)))
  if (body instanceof Readable) {
    await printStream(body).catch((error) => {
      throw new CliError(`The output is incomplete: ${reasonOf(error)}`)
    })
  } else if (target.json || !print) printJson(body ?? null)
  else printLine(print(escapeReply(body), input))
}

const targetOptions = new Set(['url', 'api-key', 'json'])

async function readInput(petri: Client, command: Command, { fields = {} }: RemoteCommand): Promise<Input> {
  const input: Record<string, Input[string]> = {}
  const read = async (name: string, value: unknown, placeholder: string, label: string) => {
    const field = fields[name] ?? (isIdKind(name) ? `${name}_id` : name.replaceAll('-', '_'))
    input[field] = await readValue(petri, value as Input[string], placeholder, label)
  }
  for (const [at, argument] of command.registeredArguments.entries()) {
    const name = argument.name()
    await read(name, command.processedArgs[at], name, `<${name}>`)
  }
  for (const option of command.options) {
    const name = option.name()
    if (targetOptions.has(name)) continue
    await read(name, command.opts()[option.attributeName()], placeholderOf(option.flags), `--${name}`)
  }
  return input
}

/** The placeholder of an option: `event` of `--type <event...>`. */
export const placeholderOf = (flags: string): string => /[<[](\w+)/.exec(flags)?.[1] ?? ''

async function readValue(petri: Client, value: Input[string], placeholder: string, label: string) {
  // The words of a route, such as `POST /v2/user`, may be given without quotes.
  if (placeholder === 'operation' && typeof value === 'object') return value.join(' ')
  if (typeof value !== 'string') return value
  if (placeholder === 'number') return readNumber(label, value)
  return isIdKind(placeholder) ? wholeId(petri, placeholder, value) : value
}

/** Parses `ferritin=7`; `noun` and `example` are for the message. */
export function readPair(
  text: string,
  noun: string,
  example: string,
): readonly [name: string, value: string] {
  const [, name, value] = /^([^=]+)=(.+)$/s.exec(text) ?? []
  if (name !== undefined && value !== undefined) return [name, value]
  throw new UsageProblem(`Write a ${noun} as name=value, such as ${example}; "${text}" has no value.`)
}

/** Parses a number; Petri checks its range. */
function readNumber(label: string, text: string): number {
  const number = Number(text)
  if (text.trim() !== '' && Number.isFinite(number)) return number
  throw new UsageProblem(`${label} should be a number; it is "${text}".`)
}

export const exampleText = (lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`
