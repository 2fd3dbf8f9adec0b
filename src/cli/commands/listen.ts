import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Command, Option } from 'commander'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { Parsed } from '../../api/schema.ts'
import type { Endpoint, World } from '../../client/responses.ts'
import type { WebhookEvent } from '../../control/webhooks/schema.ts'
import { wallClock } from '../../kernel/clock.ts'
import { isSuccess, urlOf } from '../../kernel/http-call.ts'
import { toIso } from '../../kernel/instant.ts'
import { asText, type JsonObject, parseJson } from '../../kernel/json.ts'
import { pause, startTimer } from '../../kernel/pause.ts'
import { readLimited } from '../../kernel/read-limited.ts'
import { readableInstant } from '../../kernel/readable.ts'
import { messageOf, reasonOf } from '../../kernel/reason.ts'
import { type Client, createClient, unlessRefused } from '../../terminal/client.ts'
import { print, printError } from '../../terminal/context.ts'
import { CliError, httpUrl, UsageProblem, wholeNumber } from '../../terminal/errors.ts'
import { paint, printable } from '../../terminal/output.ts'
import { sign, verificationError } from '../../webhooks/signature.ts'
import { readClientConfig } from '../config.ts'
import { exampleText, type TargetOptions, withTarget } from '../remote.ts'
import { warnIfUnreachable } from './webhooks.ts'

export function register(program: Command): void {
  const listen = program
    .command('listen')
    .description('receive webhooks, verify their signatures and print them; or forward them to a local URL')
    .option('--add', 'add this receiver to the running Petri until it stops')
    .option('--port <number>', 'port to listen on; 0 picks a free one', '3000')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--secret <secret...>', 'signing secret [PETRI_WEBHOOK_SECRET]')
    .option('--status <code>', 'response status for valid signatures; others get 401', '200')
    .addOption(
      new Option('--forward-to <url>', 'forward the webhooks of a running Petri to this URL').conflicts([
        'add',
        'port',
        'host',
        'secret',
        'status',
      ]),
    )
    .option('--events <event...>', 'only these event types; with --add or --forward-to')
    .option('--count <number>', 'stop after this many')
  withTarget(listen)
    .addHelpText(
      'after',
      exampleText([
        'petri listen --add                  all events of the running Petri, as they arrive',
        'petri listen --port 0 --status 500  see Petri retry',
        'petri listen --json | jq .payload.event_type',
        'petri listen --forward-to http://127.0.0.1:3000/webhooks --events labtest.order.updated',
      ]),
    )
    .action(({ forwardTo, ...options }: ListenOptions) =>
      forwardTo === undefined ? receiveWebhooks(options) : forwardWebhooks({ ...options, forwardTo }),
    )
  const events = program
    .command('events')
    .description('follow requests, order moves, events and deliveries as they happen, one line each')
    .option('--count <number>', 'stop after this many')
    .option('--kinds <list>', 'only these, such as order,delivery')
  withTarget(events)
    .addHelpText(
      'after',
      exampleText([
        'petri events',
        'petri events --kinds order,delivery --count 5',
        'petri events --json | jq .kind',
      ]),
    )
    .action(printEvents)
}

type ListenOptions = ReceiverOptions & Partial<ForwardOptions>

const readCount = (count: string | undefined): number =>
  count === undefined ? Number.POSITIVE_INFINITY : wholeNumber('--count', count, 1, 1e9)

function onSignal(stop: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
}

interface EventsOptions extends TargetOptions {
  readonly count?: string
  readonly kinds?: string
}

async function printEvents({ count, kinds, json, ...target }: EventsOptions): Promise<void> {
  const max = readCount(count)
  const petri = createClient(readClientConfig(target))
  const stream = await petri.stream('GET /_petri/events', { kinds })
  onSignal(() => process.exit(0))
  // The pipe was closed by its reader.
  process.stdout.once('error', () => process.exit(0))
  printError(`Following what happens at ${petri.config.url}`)
  let printed = 0
  for await (const { event, data } of eventsOf(stream)) {
    if (event === 'hello') continue
    if (event === 'dropped')
      throw new CliError('Petri closed the stream, because the lines were read too slowly.')
    print(json ? data : describeEvent(JSON.parse(data)))
    if (++printed === max) return
  }
  throw new CliError('Petri ended the stream: it stopped, or the world was reset, restored or deleted.')
}

function describeEvent({ at, kind, ...fields }: JsonObject): string {
  const words = Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${asText(value)}`)
  return `${paint(readableInstant(String(at)), 'dim')}  ${String(kind).padEnd(8)}  ${words.join(' ')}`
}

/** The longest event of a stream, in characters. */
const MAX_EVENT_LENGTH = 16 * 1024 * 1024

/** Parses server-sent events. */
async function* eventsOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<EventSourceMessage> {
  const decoder = new TextDecoder()
  let events: EventSourceMessage[] = []
  const parser = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent: (event) => void events.push(event),
  })
  try {
    for await (const bytes of stream) {
      events = []
      parser.feed(decoder.decode(bytes, { stream: true }))
      yield* events
    }
  } catch (error) {
    throw new CliError(`The stream was interrupted: ${messageOf(error)}.`)
  }
}

interface ForwardOptions extends TargetOptions {
  readonly forwardTo: string
  readonly events?: readonly string[]
  readonly count?: string
}

/** Milliseconds before it reconnects. */
const RECONNECT_MS = 1000

/** Forwards the events of the world until it is stopped, or has forwarded as many as it should. */
async function forwardWebhooks({ forwardTo, events, count, json, ...target }: ForwardOptions): Promise<void> {
  httpUrl('--forward-to', forwardTo)
  const max = readCount(count)
  await assertEventTypes(events)
  onSignal(() => process.exit(0))
  const petri = createClient(readClientConfig(target))
  const from = petri.config.url
  const announce = ({ name, webhook_secret }: World) => {
    const ready = `Forwarding the webhooks of world "${name}" at ${from} to ${forwardTo}\nSigning secret: ${webhook_secret}`
    print(json ? JSON.stringify({ world: name, from, to: forwardTo, webhook_secret }) : ready)
  }
  let forwarded = 0
  for await (const message of messagesOf(petri, events, announce)) {
    const result = await forwardMessage(message, forwardTo)
    print(json ? JSON.stringify(result) : describeForwarded(result))
    if (++forwarded === max) return
  }
}

async function assertEventTypes(events: readonly string[] = []): Promise<void> {
  const { eventTypeHint, eventTypeNames } = await import('../../resources/event-types.ts')
  for (const type of events)
    if (!eventTypeNames().has(type))
      throw new UsageProblem(`There is no event type "${type}".${eventTypeHint(type)}`)
}

interface StreamedMessage {
  readonly id: string
  readonly secret: string
  /** Undefined if Petri no longer has it. */
  readonly event: Parsed<typeof WebhookEvent> | undefined
}

/** The messages of the world as they are created, of all types by default. */
function messagesOf(
  petri: Client,
  types: readonly string[] | undefined,
  onFirst: (world: World) => void,
): AsyncGenerator<StreamedMessage> {
  let secret = ''
  return followWorld(petri, 'event', {
    async onConnected(isFirst) {
      const world = await petri.call<World>('GET /_petri/world')
      secret = world.webhook_secret
      if (isFirst) onFirst(world)
    },
    async read({ event, data }) {
      const { message_id, event_type } = JSON.parse(data) as Readonly<Record<string, string>>
      if (event === 'reload') printError('Events may be missing: the stream could not resume where it ended.')
      if (event !== 'event' || !message_id || !event_type || types?.includes(event_type) === false)
        return undefined
      const finding = petri.call<Parsed<typeof WebhookEvent>>('GET /_petri/events/{event_id}', {
        event_id: message_id,
      })
      return { id: message_id, secret, event: await unlessRefused(finding, 404) }
    },
  })
}

interface Following<Item> {
  readonly onConnected: (isFirst: boolean) => Promise<void>
  /** Reads an item from an event; undefined for none. */
  readonly read: (event: EventSourceMessage) => Promise<Item | undefined>
}

/** The events of the world. A stream that ends, as after a reset or a restart, is reopened after its last event. */
async function* followWorld<Item>(
  petri: Client,
  kinds: string,
  { onConnected, read }: Following<Item>,
): AsyncGenerator<Item> {
  let isFirst = true
  let lastId: string | undefined
  for (;;) {
    try {
      const stream = await petri.stream('GET /_petri/events', { kinds }, lastId)
      await onConnected(isFirst)
      isFirst = false
      for await (const each of eventsOf(stream)) {
        if (each.event === 'hello') lastId ??= (JSON.parse(each.data) as { last_id?: string }).last_id
        const item = await read(each)
        if (item !== undefined) yield item
        lastId = each.id ?? lastId
      }
      printError('Petri ended the stream; connecting again.')
    } catch (error) {
      // Without a first connection the address is wrong, and a refused call would be refused again.
      if (!(error instanceof CliError) || isFirst || 'status' in error.answer) throw error
      printError(`${error.message} Trying again.`)
      await pause(RECONNECT_MS)
    }
  }
}

/** A forwarded event, and the response. */
interface Forwarded {
  readonly id: string
  readonly event_type: string
  readonly status: number | null
  readonly ms: number
  /** Why there is no response. */
  readonly error?: string
}

/** The timeout of a delivery in milliseconds, as in the service. */
const TIMEOUT_MS = 15_000

/** Forwards an event with a fresh signature. There is no retry. */
async function forwardMessage({ id, secret, event }: StreamedMessage, to: string): Promise<Forwarded> {
  if (!event) return { id, event_type: '', status: null, ms: 0, error: 'Petri no longer has this event' }
  const body = JSON.stringify(event.payload)
  const startedAt = wallClock()
  const timestamp = Math.floor(startedAt / 1000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Petri-listen',
    'svix-id': id,
    'svix-timestamp': String(timestamp),
    'svix-signature': sign(secret, id, timestamp, body),
  }
  const timeout = new AbortController()
  const stopTimer = startTimer(TIMEOUT_MS, () => timeout.abort())
  const result = await fetch(to, {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
    signal: timeout.signal,
  })
    .then(async (response) => {
      await response.body?.cancel()
      return { status: response.status }
    })
    .catch((error: unknown) => ({
      status: null,
      error: timeout.signal.aborted ? `No response within ${TIMEOUT_MS / 1000} s` : reasonOf(error),
    }))
    .finally(stopTimer)
  return { id, event_type: event.event_type, ms: wallClock() - startedAt, ...result }
}

function describeForwarded({ event_type, id, status, ms, error = '' }: Forwarded): string {
  const result = isSuccess(status) ? paint(String(status), 'green') : String(status ?? '')
  const time = toIso(wallClock()).slice(11, 19)
  const parts = [time, event_type, id, result, `${ms} ms`, error && paint(error, 'red')]
  return parts.filter((part) => part !== '').join('  ')
}

interface ReceiverOptions extends TargetOptions {
  readonly port: string
  readonly host: string
  readonly secret?: readonly string[]
  readonly status: string
  readonly events?: readonly string[]
  readonly count?: string
  readonly add?: boolean
}

async function receiveWebhooks(options: ReceiverOptions): Promise<void> {
  const { host, json, events } = options
  if (events && !options.add) throw new UsageProblem('--events needs --add or --forward-to.')
  await assertEventTypes(events)
  const config = readClientConfig(options)
  const status = wholeNumber('--status', options.status, 200, 599)
  const port = wholeNumber('--port', options.port, 0, 65_535)
  const max = readCount(options.count)
  const secrets = options.secret ?? [config.webhookSecret]
  const seen = new Set<string>()
  let received = 0
  const server = createServer(async (request, response) => {
    try {
      const delivery = await readDelivery(request, secrets, seen)
      const answered = delivery.refused === null ? status : 401
      const reply = delivery.refused === null ? {} : { detail: delivery.refused }
      response.writeHead(answered, { 'content-type': 'application/json' })
      await new Promise<void>((resolve) => response.end(JSON.stringify(reply), resolve))
      const { payload, ...rest } = delivery
      const result = { ...rest, answered, payload }
      print(json ? JSON.stringify(result) : describeDelivery(result))
      if (++received === max) void stop()
    } catch (error) {
      printError(String(error))
    }
  })
  await once(server.listen(port, host), 'listening').catch((error) => {
    throw new CliError(`Cannot listen on ${host}, port ${port}: ${messageOf(error)}`)
  })
  const url = `${urlOf(host, (server.address() as AddressInfo).port)}/`
  const petri = createClient(config)
  const endpoint = { url, secret: secrets[0], event_types: events }
  const add = () => petri.call<Endpoint>('POST /_petri/webhooks/endpoints', endpoint)
  let added: Endpoint | undefined
  const stop = async () => {
    server.close()
    server.closeIdleConnections()
    const endpoint = { endpoint_id: added?.id }
    if (added)
      await petri.call('DELETE /_petri/webhooks/endpoints/{endpoint_id}', endpoint).catch(() => undefined)
    process.exit(0)
  }
  onSignal(() => void stop())
  const announce = (hint = '') =>
    print(json ? JSON.stringify({ listening: url }) : `Listening on ${url}${hint}`)
  if (!options.add) return announce(`  ("npx petri-sandbox webhook add ${url}" sends events here)`)
  // Added once the world is followed, so that no reset after it goes unnoticed.
  const onConnected = async (isFirst: boolean) => {
    if (isFirst) {
      added = await add()
      await warnIfUnreachable(
        petri,
        added,
        `"npx petri-sandbox listen --forward-to ${url}" forwards its webhooks without that; or listen on an address that it can reach (--host 0.0.0.0), and add that one with "npx petri-sandbox webhook add".`,
      )
      return announce()
    }
    const { data } = await petri.call<{ data: readonly Endpoint[] }>('GET /_petri/webhooks/endpoints')
    if (data.some((endpoint) => endpoint.url === url)) return
    added = await add()
    printError('The world was reset; this receiver is added again.')
  }
  await followWorld(petri, 'world', { onConnected, read: async () => undefined }).next()
}

interface Delivery {
  readonly at: string
  readonly svix_id: string | null
  /** Why the signature is not valid; null if it is. */
  readonly refused: string | null
  /** Whether the message was received before. */
  readonly again: boolean
  readonly payload: unknown
}

/** The maximum size of a body, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024

async function readDelivery(
  request: IncomingMessage,
  secrets: readonly string[],
  seen: Set<string>,
): Promise<Delivery> {
  const bytes = await readLimited(request, MAX_BYTES)
  if (!bytes) throw new Error(`A request has more than ${MAX_BYTES} bytes.`)
  const body = bytes.toString('utf8')
  const now = wallClock()
  const { headers } = request
  const refused = verificationError(secrets, { headers, body }, Math.floor(now / 1000)) ?? null
  const id = headers['svix-id']
  const svix_id = typeof id === 'string' ? id : null
  const again = refused === null && svix_id !== null && seen.has(svix_id)
  if (refused === null && svix_id !== null) seen.add(svix_id)
  return { at: toIso(now), svix_id, refused, again, payload: parseJson(body) ?? null }
}

interface Payload {
  readonly event_type?: string
  readonly type?: string
  readonly data?: {
    readonly id?: string
    readonly order_id?: string
    readonly last_event?: { readonly status?: string }
  }
}

function describeDelivery({
  at,
  svix_id,
  refused,
  again,
  answered,
  payload,
}: Delivery & { answered: number }) {
  const { event_type, type, data } = (payload ?? {}) as Payload
  const about = [data?.last_event?.status, data?.order_id ?? data?.id, svix_id]
  const parts = [at.slice(11, 19), printable(event_type ?? type ?? 'no event')]
  for (const part of about) parts.push(printable(String(part ?? '-')))
  parts.push(String(answered))
  if (again) parts.push(paint('again', 'yellow'))
  parts.push(refused === null ? paint('verified', 'green') : paint(`REFUSED: ${refused}`, 'red'))
  return parts.join('  ')
}
