import type { Endpoint, Message } from '../../client/responses.ts'
import { columns, paint, readable } from '../output.ts'

const marked = (marks: readonly string[] = []) => (marks.length > 0 ? `(${marks.join(', ')})` : '')

export const messageHeads = ['at', 'message', 'status', 'tries', 'event', 'order', '']

export const rowOfMessage = ({ id, event_type, order_id, created_at, status, attempts, marks }: Message) => [
  readable(created_at),
  id,
  status,
  `${attempts.length}x`,
  event_type,
  order_id?.slice(0, 8) ?? '',
  marked(marks),
]

export function describeMessage(message: Message): string {
  const { id, event_type, endpoint_id, status, attempts, marks, next_attempt_at, payload } = message
  const colour = status === 'delivered' ? 'green' : status === 'failed' ? 'red' : 'yellow'
  const headers = Object.entries(attempts.at(-1)?.request.headers ?? {}).filter(([name]) =>
    /^svix-/.test(name),
  )
  return [
    `${id}  ${paint(status, colour)}  ${event_type}  to ${endpoint_id}  ${marked(marks)}`.trimEnd(),
    ...headers.map(([name, value]) => paint(`${name}: ${value}`, 'dim')),
    JSON.stringify(payload, null, 2),
    columns(
      attempts.map(({ at, status, error, marks, response }) => [
        readable(at),
        String(status ?? 'no reply'),
        [error, marked(marks), response?.body.slice(0, 200)].filter(Boolean).join(' '),
      ]),
    ),
    ...(next_attempt_at === null ? [] : [`next attempt at ${readable(next_attempt_at)}`]),
  ].join('\n')
}

export const endpointHeads = ['endpoint', 'url', 'state', 'events', 'secret']

export const rowOfEndpoint = ({ id, url, secret, event_types, disabled }: Endpoint) => [
  ...[id, url, disabled ? 'disabled' : 'enabled', event_types?.join(', ') ?? 'all'],
  secret,
]

export const describeEndpoint = ({ id, url, secret, event_types, disabled }: Endpoint): string =>
  `${id}  ${url}  ${disabled ? paint('disabled', 'red') : 'enabled'}  ${event_types?.join(', ') ?? 'all events'}\n` +
  paint(`  secret ${secret}`, 'dim')
