import type { Command } from 'commander'
import type { Parsed } from '../../api/schema.ts'
import type { Endpoint, Message, Triggered, WebhookFaults } from '../../client/responses.ts'
import type * as webhooks from '../../control/webhooks/schema.ts'
import { omit } from '../../kernel/fields.ts'
import { compact } from '../../kernel/list.ts'
import { plural, readableInstant, roughly } from '../../kernel/readable.ts'
import type { Client } from '../../terminal/client.ts'
import { printError } from '../../terminal/context.ts'
import { UsageProblem } from '../../terminal/errors.ts'
import { columns, paint } from '../../terminal/output.ts'
import { type Input, type RemoteCommand, registerRemote } from '../remote.ts'

export function register(program: Command): void {
  const webhook = program.command('webhook').description('webhook messages, endpoints and webhook faults')
  registerRemote(webhook, [...messageCommands, ...endpointCommands, webhookFaults])
  registerRemote(program, [trigger])
}

const messageCommands: readonly RemoteCommand[] = [
  {
    usage: 'messages',
    summary: 'list the messages, newest last',
    options: [
      [
        '--status <status>',
        'pending, delivered, failed, failing (given up, or refused and pending), or no_endpoint',
      ],
      ['--type <event>', 'only of this event type'],
      ['--order <order>', 'only about this order'],
      ['--user <user>', 'only about this user'],
      ['--endpoint <endpoint>', 'only to this endpoint'],
      ['--limit <number>', 'maximum number'],
      ['--cursor <id>', 'cursor of the next page, from an earlier list'],
    ],
    examples: ['petri webhook messages --status failing', 'petri webhook messages --order 5f3a… --json'],
    fields: { type: 'event_type' },
    run: listMessages,
    print: ({ data, next_cursor }: MessageList) =>
      data.length === 0
        ? 'No messages.'
        : tableOfMessages(data) +
          moreAfter(next_cursor, data[0]?.status === 'no_endpoint' ? '--status no_endpoint ' : ''),
  },
  {
    usage: 'show <message>',
    summary: 'show a message: its body, and every delivery attempt',
    route: 'GET /_petri/webhooks/messages/{message_id}',
    print: describeMessage,
  },
  {
    usage: 'resend [message]',
    summary: 'send again now what was given up or waits for its next attempt, or one message',
    options: [
      ['--order <order>', 'only about this order'],
      ['--endpoint <endpoint>', 'only to this endpoint'],
      ['--since <instant>', 'only created since then, such as 2026-01-05T09:00:00Z'],
    ],
    examples: ['petri webhook resend', 'petri webhook resend msg_…', 'petri webhook resend --endpoint ep_…'],
    route: 'POST /_petri/webhooks/resend',
    print: ({ resent, reason }: Parsed<typeof webhooks.Resent>) =>
      reason ?? `Sending ${plural(resent, 'message')} again.`,
  },
]

/**
 * The messages, and the events that were sent to no endpoint unless one of the two is asked for. Pages are of one of them, because
 * each has its own cursor.
 */
async function listMessages(petri: Client, input: Input): Promise<MessageList> {
  const list = (status: unknown) =>
    petri.call<MessageList>('GET /_petri/webhooks/messages', { ...input, status })
  const sent = await list(input.status)
  if ([input.status, input.endpoint_id, input.cursor].some((given) => given !== undefined)) return sent
  const unsent = await list('no_endpoint')
  if (sent.data.length === 0) return unsent
  if (unsent.data.length === 0) return sent
  if (sent.next_cursor !== null || unsent.next_cursor !== null) {
    printError(
      '"npx petri-sandbox webhook messages --status no_endpoint" lists the events that were sent to no endpoint.',
    )
    return sent
  }
  const data = [...sent.data, ...unsent.data].sort(
    (a, b) => Date.parse(a.created_at) - Date.parse(b.created_at),
  )
  return { data, next_cursor: null }
}

type MessageList = Parsed<typeof webhooks.WebhookMessageList>

/** The line below a page of a list that has more pages. */
export const moreAfter = (cursor: string | null, filter = ''): string =>
  cursor === null ? '' : `\n${paint(`more with ${filter}--cursor ${cursor}`, 'dim')}`

const marked = (marks: readonly string[] = []) => (marks.length > 0 ? `(${marks.join(', ')})` : '')

const messageHeads = ['at', 'message', 'status', 'tries', 'next attempt', 'event', 'order', 'last failure']

export const rowOfMessage = (message: Message): string[] => [
  readableInstant(message.created_at),
  message.id,
  message.status.replace('_', ' '),
  `${message.attempt_count}x`,
  message.next_attempt_at === null ? '' : readableInstant(message.next_attempt_at),
  message.event_type,
  message.order_id?.slice(0, 8) ?? '',
  [message.last_error, marked(message.marks)].filter(Boolean).join(' '),
]

/** Messages as a table, with the advice on their failures once below it. */
const tableOfMessages = (messages: readonly Message[]): string =>
  columns(messages.map(rowOfMessage), messageHeads) + adviceOn(messages.map(({ last_advice }) => last_advice))

/** The lines below a table with the advice on failures, each once. */
export const adviceOn = (advice: readonly (string | null | undefined)[]): string =>
  [...new Set(compact(advice))].map((line) => `\n${line}`).join('')

const statusColours = { delivered: 'green', failed: 'red', pending: 'yellow', no_endpoint: 'dim' } as const

function describeMessage(message: Message): string {
  const { id, event_type, endpoint_id, status, attempts, marks, next_attempt_at, payload } = message
  const headers = Object.entries(attempts.at(-1)?.request.headers ?? {})
    .filter(([name]) => name.startsWith('svix-'))
    .map(([name, value]) => paint(`${name}: ${value}`, 'dim'))
  const rows = attempts.map(({ at, status, error, marks, response }, nth) => [
    `#${nth + 1}`,
    readableInstant(at),
    waitBefore(message, nth),
    String(status ?? 'no response'),
    [error, marked(marks), response?.body.slice(0, 200)].filter(Boolean).join(' '),
  ])
  const next = next_attempt_at === null ? [] : [`next attempt at ${readableInstant(next_attempt_at)}`]
  return [
    `${id}  ${paint(status, statusColours[status])}  ${event_type}  to ${endpoint_id}  ${marked(marks)}`.trimEnd(),
    ...headers,
    JSON.stringify(payload, null, 2),
    columns(rows) + adviceOn(attempts.map(({ advice }) => advice)),
    ...next,
  ].join('\n')
}

/** `after 5m`: the time since the attempt before. */
function waitBefore({ attempts }: Message, nth: number): string {
  const before = attempts[nth - 1]
  const attempt = attempts[nth]
  return before && attempt ? `after ${roughly(Date.parse(attempt.at) - Date.parse(before.at))}` : ''
}

const endpointCommands: readonly RemoteCommand[] = [
  {
    usage: 'endpoints',
    summary: 'list the webhook endpoints of this world',
    route: 'GET /_petri/webhooks/endpoints',
    print({ data }: Parsed<typeof webhooks.WebhookEndpointList>) {
      if (data.length === 0) return 'No endpoints; "npx petri-sandbox webhook add URL" adds one.'
      const rows = data.map(({ id, url, secret, event_types, disabled }) => [
        id,
        url,
        disabled ? 'disabled' : 'enabled',
        event_types?.join(', ') ?? 'all',
        secret,
      ])
      const disabled = data.filter((endpoint) => endpoint.disabled).map(describeDisabled)
      return [columns(rows, ['endpoint', 'url', 'state', 'events', 'secret']), ...disabled].join('\n')
    },
  },
  {
    usage: 'add <url>',
    summary: 'add a webhook endpoint',
    options: [
      ['--secret <secret>', "signing secret (default: the world's)"],
      ['--type <event...>', 'only these event types'],
      ['--resend <number>', 'also send it this many of the last events'],
    ],
    examples: [
      'petri webhook add http://127.0.0.1:3000/hook',
      'petri webhook add URL --type labtest.order.updated',
    ],
    fields: { type: 'event_types' },
    run: addEndpoint,
    print(endpoint: Endpoint & { readonly earlier_events: number }) {
      const { earlier_events: count, id } = endpoint
      if (count === 0) return describeEndpoint(endpoint)
      const earlier = plural(count, 'earlier event was', 'earlier events were')
      return `${describeEndpoint(endpoint)}\n${earlier} not sent to it. To send them, remove ${id} and add it with --resend ${count}.`
    },
  },
  {
    usage: 'enable <endpoint>',
    summary: 'enable an endpoint; the count of its failures starts again',
    route: 'PATCH /_petri/webhooks/endpoints/{endpoint_id}',
    toInput: (given) => ({ ...given, disabled: false }),
    print: describeEndpoint,
  },
  {
    usage: 'disable <endpoint>',
    summary: 'disable an endpoint; its pending messages are given up',
    route: 'PATCH /_petri/webhooks/endpoints/{endpoint_id}',
    toInput: (given) => ({ ...given, disabled: true }),
    print: describeEndpoint,
  },
  {
    usage: 'remove <endpoint>',
    summary: 'remove a webhook endpoint',
    route: 'DELETE /_petri/webhooks/endpoints/{endpoint_id}',
    print: (_, { endpoint_id }) => `Removed ${endpoint_id}.`,
  },
  {
    usage: 'rotate <endpoint>',
    summary: 'give an endpoint a new secret; for one day the old one also signs',
    options: [['--secret <secret>', 'the new secret (default: a generated one)']],
    route: 'POST /_petri/webhooks/endpoints/{endpoint_id}/rotate-secret',
    print: describeEndpoint,
  },
]

async function addEndpoint(petri: Client, input: Input): Promise<Endpoint> {
  const added = await petri.call<Endpoint>('POST /_petri/webhooks/endpoints', input)
  await warnIfUnreachable(
    petri,
    added,
    `Failed webhooks are sent again by "npx petri-sandbox webhook resend --endpoint ${added.id}" once it listens.`,
  )
  return added
}

/** Warns if Petri, which may run in a container or on another host, cannot connect to an endpoint. */
export async function warnIfUnreachable(petri: Client, { id, url }: Endpoint, advice: string): Promise<void> {
  const { reachable, detail } = await petri.call<Parsed<typeof webhooks.Reachability>>(
    'POST /_petri/webhooks/endpoints/{endpoint_id}/reach',
    { endpoint_id: id },
  )
  if (reachable) return
  printError(`warning: Petri at ${petri.config.url} cannot reach ${url}. ${detail}.\n${advice}`)
}

function describeEndpoint({ id, url, secret, event_types, disabled }: Endpoint): string {
  const state = disabled ? paint('disabled', 'red') : 'enabled'
  const line = `${id}  ${url}  ${state}  ${event_types?.join(', ') ?? 'all events'}`
  return `${line}\n${paint(`  secret ${secret}`, 'dim')}`
}

const describeDisabled = ({ id, disabled_reason }: Endpoint): string =>
  paint(`${id} is disabled: ${disabled_reason}. Enable it: npx petri-sandbox webhook enable ${id}`, 'red')

/** The webhook faults: shown without options, set with options, removed with `--off`. */
const webhookFaults: RemoteCommand = {
  usage: 'faults',
  summary: 'show or set the webhook faults; setting some removes the others',
  options: [
    ['--duplicate <number>', 'deliver each message this many extra times, with the same svix-id'],
    ['--reorder [number]', 'collect this many messages (2 by default), and send them in reverse order'],
    ['--delay <duration>', 'delay the first attempt of each message'],
    ['--drop-first <number>', 'lose this many first attempts of each message'],
    ['--bad-signature', 'sign another body; a receiver should reject it'],
    ['--stale-timestamp', 'sign with a timestamp ten minutes old; a receiver should reject it'],
    ['--burst <number>', 'collect this many messages, then send them all'],
    ['--respell', 'send the same JSON with other spacing, escapes and key order, signed as it is sent'],
    ['--endpoint <endpoint>', 'only to this endpoint'],
    ['--off', 'remove the webhook faults'],
  ],
  examples: [
    'petri webhook faults --duplicate 1 --reorder',
    'petri webhook faults --bad-signature --endpoint ep_…',
    'petri webhook faults --off',
  ],
  run: setFaults,
  print: (faults: WebhookFaults) => [faults, ...faults.endpoints].map(describeFaults).join('\n'),
}

async function setFaults(petri: Client, { off, endpoint_id, ...faults }: Input): Promise<WebhookFaults> {
  const isSetting = Object.values(faults).some((value) => value !== undefined)
  if (off && isSetting) throw new UsageProblem('With --off, only --endpoint can be given.')
  if (isSetting) return petri.call('PUT /_petri/webhooks/faults', { ...faults, endpoint_id })
  if (off) await petri.call('DELETE /_petri/webhooks/faults', { endpoint_id })
  return petri.call('GET /_petri/webhooks/faults', { endpoint_id })
}

function describeFaults({ endpoint_id, ...faults }: Partial<WebhookFaults>): string {
  const rows = Object.entries(omit(faults, 'endpoints'))
    .filter(([, value]) => value !== null && value !== false && value !== 0)
    .map(([fault, value]) => [`  ${paint(fault, 'yellow')}`, String(value)])
  const target = endpoint_id ? `to ${endpoint_id}` : 'to all endpoints'
  return rows.length === 0 ? `${target}: no webhook faults` : `${target}:\n${columns(rows)}`
}

const trigger: RemoteCommand = {
  usage: 'trigger <event>',
  summary: 'send an event of the catalogue about an object, without changing it',
  options: [
    ['--order <order>', 'about this order'],
    ['--user <user>', 'about this user'],
    ['--provider <provider>', 'about the connection to this provider'],
    ['--appointment <appointment>', 'about this appointment'],
    ['--job <job>', 'about this job'],
  ],
  examples: [
    'petri trigger labtest.order.updated --order ORDER_ID',
    'petri trigger provider.connection.created --user USER_ID --provider oura',
  ],
  route: 'POST /_petri/trigger',
  fields: { event: 'event_type' },
  print({ event_id, event_type, made_up, messages }: Triggered) {
    const title = `${event_id}  ${event_type}${made_up ? '  (an example: the object has no such data)' : ''}`
    return messages.length === 0
      ? `${title}\nNo endpoint subscribes to it; "npx petri-sandbox webhook add URL" adds one.`
      : `${title}\n${tableOfMessages(messages)}`
  },
}
