import type { Command } from 'commander'
import { createClient } from '../client.ts'
import { CliError, readClientConfig } from '../config.ts'
import { print, printError } from '../context.ts'
import { eventsOf } from '../event-stream.ts'
import { paint, readable } from '../output.ts'
import { exampleText, type TargetOptions, wholeNumber, withTarget } from '../remote.ts'

interface EventsOptions extends TargetOptions {
  readonly count?: string
  readonly kinds?: string
}

export function registerEvents(program: Command): void {
  withTarget(
    program
      .command('events')
      .description('follow calls, order moves, events and deliveries as they happen, a line each')
      .option('--count <number>', 'stop after so many')
      .option('--kinds <list>', 'only these, such as order,delivery'),
  )
    .addHelpText(
      'after',
      exampleText([
        'petri events',
        'petri events --kinds order,delivery --count 5',
        'petri events --json | jq .kind',
      ]),
    )
    .action(follow)
}

async function follow(options: EventsOptions): Promise<void> {
  const max = options.count === undefined ? undefined : wholeNumber('--count', options.count, 1, 1e9)
  const config = readClientConfig(options)
  const stream = await createClient(config).stream('/_petri/events', { query: { kinds: options.kinds } })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
  // The pipe was closed by its reader.
  process.stdout.once('error', () => process.exit(0))
  printError(`Following what happens at ${config.url}`)
  let printed = 0
  for await (const { event, data } of eventsOf(stream)) {
    if (event === 'hello') continue
    if (event === 'dropped')
      throw new CliError('Petri closed the stream, because the lines were read too slowly.')
    print(options.json ? data : describe(JSON.parse(data)))
    if (++printed === max) return
  }
  throw new CliError('Petri has ended the stream: it stopped, or the world was reset, restored or dropped.')
}

function describe({ at, kind, ...what }: { at: string; kind: string; [field: string]: unknown }): string {
  const words = Object.entries(what)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  return `${paint(readable(at), 'dim')}  ${kind.padEnd(8)}  ${words.join(' ')}`
}
