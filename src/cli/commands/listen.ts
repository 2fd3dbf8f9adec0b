import type { Command } from 'commander'
import { wallClock } from '../../kernel/clock.ts'
import { toIso } from '../../kernel/instant.ts'
import { pause } from '../../kernel/pause.ts'
import { type Client, createClient } from '../client.ts'
import { CliError, readClientConfig, UsageProblem } from '../config.ts'
import { print, printError } from '../context.ts'
import { eventsOf } from '../event-stream.ts'
import { type Forwarded, forwardEvent } from '../forward.ts'
import { paint } from '../output.ts'
import { exampleText, type TargetOptions, wholeNumber, withTarget } from '../remote.ts'

interface ForwardOptions extends TargetOptions {
  readonly forwardTo: string
  readonly events?: readonly string[]
  readonly count?: string
}

/** Milliseconds before it reconnects. */
const RECONNECT_MS = 1000

export function registerForward(program: Command): void {
  withTarget(
    program
      .command('listen')
      .description('bring the webhooks of a Petri anywhere to an address that this machine can reach')
      .requiredOption('--forward-to <url>', 'where your program receives webhooks')
      .option('--events <types...>', 'only these event types')
      .option('--count <number>', 'stop after so many'),
  )
    .addHelpText(
      'after',
      exampleText([
        'petri listen --forward-to http://127.0.0.1:3000/webhooks',
        'petri listen --forward-to URL --events labtest.order.created labtest.order.updated',
        'petri listen --forward-to URL --url http://petri.internal:4080 --json',
      ]),
    )
    .action(listen)
}

async function listen(options: ForwardOptions): Promise<void> {
  const { forwardTo, events, count, json } = options
  if (!/^https?:\/\//.test(forwardTo) || !URL.canParse(forwardTo))
    throw new UsageProblem(`--forward-to should be an http or https URL; it is "${forwardTo}".`)
  const most = count === undefined ? Number.POSITIVE_INFINITY : wholeNumber('--count', count, 1, 1e9)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
  const petri = createClient(readClientConfig(options))
  const tell = (forwarded: Forwarded) => print(json ? JSON.stringify(forwarded) : describe(forwarded))
  let forwarded = 0
  const forward: OnEvent = async ({ id, type, secret }) => {
    if (events && !events.includes(type)) return
    tell(await forwardEvent(petri, { id, secret, to: forwardTo }))
    if (++forwarded === most) process.exit(0)
  }
  await follow(petri, options, forward)
}

/** Called with each event of the world and the secret the world signs with. */
type OnEvent = (event: {
  readonly id: string
  readonly type: string
  readonly secret: string
}) => Promise<void>

/** The position in the event stream. */
interface Position {
  /** The id of the last event that was handled. */
  lastId: string | undefined
}

/** Reads the events of the world for ever. A stream that ends is reopened after its last event. */
async function follow(petri: Client, { forwardTo, json }: ForwardOptions, onEvent: OnEvent): Promise<void> {
  const position: Position = { lastId: undefined }
  let wasConnected = false
  for (;;) {
    try {
      const { name, webhook_secret: secret } = await petri.get<World>('/_petri/world')
      const query = { kinds: 'event' }
      const stream = await petri.stream('/_petri/events', { query, lastEventId: position.lastId })
      if (!wasConnected)
        printReady({ world: name, from: petri.config.url, to: forwardTo, webhook_secret: secret }, json)
      wasConnected = true
      await readStream(stream, position, (event) => onEvent({ ...event, secret }))
      printError('Petri has ended the stream; connecting again.')
    } catch (error) {
      // Without a first connection the address is wrong, and a refused call would be refused again.
      if (!(error instanceof CliError) || !wasConnected || 'status' in error.answer) throw error
      printError(`${error.message.split('\n')[0]} Trying again.`)
      await pause(RECONNECT_MS)
    }
  }
}

interface World {
  readonly name: string
  readonly webhook_secret: string
}

async function readStream(
  stream: ReadableStream<Uint8Array>,
  position: Position,
  onEvent: (event: { readonly id: string; readonly type: string }) => Promise<void>,
): Promise<void> {
  for await (const { id, event, data } of eventsOf(stream)) {
    const { last_id, message_id, event_type } = JSON.parse(data) as Readonly<Record<string, string>>
    if (event === 'hello') position.lastId ??= last_id
    if (event === 'reload') printError('Events may be missing: what happened meanwhile is not known.')
    if (event === 'event' && message_id && event_type) await onEvent({ id: message_id, type: event_type })
    position.lastId = id ?? position.lastId
  }
}

function printReady(about: Readonly<Record<string, string>>, json = false): void {
  if (json) print(JSON.stringify(about))
  else
    print(
      `Forwarding the webhooks of world "${about.world}" at ${about.from} to ${about.to}\n` +
        `They are signed with ${about.webhook_secret}`,
    )
}

function describe({ event_type, id, status, ms, error }: Forwarded): string {
  const result =
    status !== null && status >= 200 && status < 300 ? paint(String(status), 'green') : String(status ?? '')
  const why = error === undefined ? '' : paint(error, 'red')
  const parts = [toIso(wallClock()).slice(11, 19), event_type, id, result, `${ms} ms`, why]
  return parts.filter((part) => part !== '').join('  ')
}
