import type { Command } from 'commander'
import type { Endpoint, Message } from '../../client/responses.ts'
import type { Client } from '../client.ts'
import { wholeId, wholeIdOf } from '../ids.ts'
import { columns, paint, plural } from '../output.ts'
import { listOf, registerRemote, remote, segment, textOf } from '../remote.ts'
import { deliveryCommand } from './webhook-delivery.ts'
import { registerListen } from './webhook-listen.ts'
import {
  describeEndpoint,
  describeMessage,
  endpointHeads,
  messageHeads,
  rowOfEndpoint,
  rowOfMessage,
} from './webhook-views.ts'

export function registerWebhook(program: Command): void {
  const family = program
    .command('webhook')
    .description('webhooks: the messages, their endpoints, how they misbehave, and a receiver')
  registerRemote(family, [...messageCommands, ...endpointCommands, deliveryCommand])
  registerListen(family)
}

interface Page<Item> {
  readonly data: readonly Item[]
  readonly next_cursor: string | null
}

const messageCommands = [
  remote({
    usage: 'messages',
    summary: 'list the messages, newest last',
    options: [
      ['--status <status>', 'pending, delivered or failed'],
      ['--type <event>', 'only this event type'],
      ['--order <order>', 'only about this order'],
      ['--user <user>', 'only about this user'],
      ['--endpoint <endpoint>', 'only to this endpoint'],
      ['--limit <count>', 'at most so many'],
      ['--cursor <id>', 'those after this one'],
    ],
    examples: ['petri webhook messages --status failed', 'petri webhook messages --order 5f3a… --json'],
    run: async (petri, _, { status, type, order, user, endpoint, limit, cursor }) =>
      petri.get<Page<Message>>('/_petri/webhooks/messages', {
        status: textOf(status),
        event_type: textOf(type),
        order_id: await wholeIdOf(petri, 'order', textOf(order)),
        user_id: await wholeIdOf(petri, 'user', textOf(user)),
        endpoint_id: await wholeIdOf(petri, 'endpoint', textOf(endpoint)),
        limit: textOf(limit),
        cursor: textOf(cursor),
      }),
    print: ({ data, next_cursor }) => {
      if (data.length === 0) return 'No messages.'
      const more = next_cursor === null ? '' : `\n${paint(`more with --cursor ${next_cursor}`, 'dim')}`
      return `${columns(data.map(rowOfMessage), messageHeads)}${more}`
    },
  }),
  remote({
    usage: 'show <message>',
    summary: 'show one message: its body, and every attempt to deliver it',
    run: async (petri, [id]) => petri.get<Message>(await messagePath(petri, id)),
    print: describeMessage,
  }),
  remote({
    usage: 'resend <message>',
    summary: 'send a message again now',
    run: async (petri, [id]) => petri.post<Message>(`${await messagePath(petri, id)}/resend`),
    print: ({ id }) => `${id} is being sent; "petri webhook show ${id}" shows the result.`,
  }),
  remote({
    usage: 'recover',
    summary: 'send all messages again that have failed since an instant',
    options: [
      ['--since <instant>', 'such as 2026-01-05T09:00:00Z (default: the beginning)'],
      ['--endpoint <endpoint>', 'only to this endpoint'],
    ],
    run: async (petri, _, { since, endpoint }) =>
      petri.post<{ resent: number }>('/_petri/webhooks/recover', {
        since: textOf(since) ?? '1970-01-01T00:00:00Z',
        endpoint_id: await wholeIdOf(petri, 'endpoint', textOf(endpoint)),
      }),
    print: ({ resent }) => `${plural(resent, 'message')} on the way again.`,
  }),
]

const messagePath = async (petri: Client, id: string | undefined) =>
  `/_petri/webhooks/messages/${segment(await wholeId(petri, 'message', id))}`

const endpointPath = async (petri: Client, id: string | undefined) =>
  `/_petri/webhooks/endpoints/${segment(await wholeId(petri, 'endpoint', id))}`

const endpointCommands = [
  remote({
    usage: 'endpoints',
    summary: 'list the webhook endpoints of this world',
    run: (petri) => petri.get<Page<Endpoint>>('/_petri/webhooks/endpoints'),
    print: ({ data }) =>
      data.length === 0
        ? 'None; "petri webhook add URL" makes one.'
        : columns(data.map(rowOfEndpoint), endpointHeads),
  }),
  remote({
    usage: 'add <url>',
    summary: 'add a webhook endpoint',
    options: [
      ['--secret <secret>', "what they are signed with (default: the world's)"],
      ['--type <event...>', 'only these event types'],
    ],
    examples: [
      'petri webhook add http://127.0.0.1:3000/hook',
      'petri webhook add URL --type labtest.order.updated',
    ],
    run: (petri, [url], { secret, type }) =>
      petri.post<Endpoint>('/_petri/webhooks/endpoints', {
        url,
        secret: textOf(secret),
        event_types: listOf(type),
      }),
    print: describeEndpoint,
  }),
  remote({
    usage: 'remove <endpoint>',
    summary: 'remove a webhook endpoint',
    run: async (petri, [id]) => petri.delete(await endpointPath(petri, id)),
    print: (_, [id]) => `${id} is removed.`,
  }),
  remote({
    usage: 'rotate <endpoint>',
    summary: 'give an endpoint a new secret; for one day the old one also signs',
    options: [['--secret <secret>', 'the new one (default: made up)']],
    run: async (petri, [id], { secret }) =>
      petri.post<Endpoint>(`${await endpointPath(petri, id)}/rotate-secret`, { secret: textOf(secret) }),
    print: describeEndpoint,
  }),
]
