import type { AnyOperation } from '../../api/operation.ts'
import { pageAfter } from '../../api/pagination.ts'
import type { Parsed } from '../../api/schema.ts'
import { redactHeaders, redactText, redactValue } from '../../api/secrets.ts'
import { findOperation, nearestOperation } from '../../faults/schema.ts'
import { toIso } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import { type Message, messageId, messages } from '../../webhooks/table.ts'
import { apiKeysOf } from '../../world/api-keys.ts'
import { events } from '../../world/events.ts'
import { MAX_REQUESTS, type RequestRecord, requestId } from '../../world/requests.ts'
import type { World } from '../../world/world.ts'
import type { Request, RequestQuery, RequestSummary } from './schema.ts'
import { nearestFields, parseBody, unreadIn, unreadOf } from './unread.ts'

type Operations = readonly AnyOperation[]

/** Secrets of a world that redaction does not recognise by their format. */
export const secretsOf = ({ identity }: World): string[] => [
  ...apiKeysOf(identity).map(({ value }) => value),
  identity.webhookSecret,
]

/** The operation with this id or route. Throws an error that names the nearest. */
export function getOperation(name: string, operations: Operations) {
  const found = findOperation(name, operations)
  if (found) return found
  const detail = `There is no operation "${name}" of the service.${nearestOperation(name, operations)}`
  throw new Problem('bad_request', detail)
}

export function listRequests(world: World, query: Parsed<typeof RequestQuery>, operations: Operations) {
  const { operation, status, method, path, since, unread, limit, cursor } = query
  const id = operation ? getOperation(operation, operations).id : undefined
  const found = [...world.requests.all()].filter(
    (record) =>
      (id === undefined || record.operation === id) &&
      (!status || isOfStatus(record.status, status)) &&
      (!method || record.method === method) &&
      (!path || record.url.startsWith(path)) &&
      (!since || record.at >= since) &&
      [query.order_id, query.user_id, query.q].every((text) => !text || mentions(record, text)) &&
      (unread == null || unreadCount(world, record, operations) > 0 === unread),
  )
  const sorted = query.order === 'desc' ? found.reverse() : found
  const { items, nextCursor } = pageAfter(sorted, ({ ordinal }) => requestId(ordinal), cursor, limit)
  return { data: items.map((record) => summarise(world, record, operations)), next_cursor: nextCursor }
}

/** Whether a text occurs in the path, the body or the response. */
export const mentions = ({ url, body, response }: RequestRecord, text: string): boolean =>
  url.includes(text) || body.includes(text) || response?.includes(text) === true

const unreadCounts = new WeakMap<World['requests'], Map<number, number>>()

/** The number of fields and query parameters of a call that no handler reads; computed once for each call. */
export function unreadCount(world: World, record: RequestRecord, operations: Operations): number {
  const { requests } = world
  const counts = unreadCounts.get(requests) ?? new Map<number, number>()
  unreadCounts.set(requests, counts)
  const known = counts.get(record.ordinal)
  if (known !== undefined) return known
  if (counts.size >= 2 * MAX_REQUESTS) counts.clear()
  const operation = operations.find(({ id }) => id === record.operation)
  const count = unreadIn(operation, record.url, record.body).length
  counts.set(record.ordinal, count)
  return count
}

/** Whether a status is this one, or of this class: `4xx`. */
export const isOfStatus = (status: number, wanted: string): boolean =>
  wanted.endsWith('xx') ? String(status)[0] === wanted[0] : String(status) === wanted

export function getRequest(world: World, id: string): RequestRecord {
  const record = world.requests.find(id)
  if (record) return record
  throw new Problem('not_found', `There is no request ${id}; only the latest are kept, in memory.`)
}

export function summarise(
  world: World,
  record: RequestRecord,
  operations: Operations,
): Parsed<typeof RequestSummary> {
  const { ordinal, at, operation, method, url, status, duration_ms, fault_id } = record
  return {
    id: requestId(ordinal),
    at: toIso(at),
    operation,
    method,
    path: redactText(url, secretsOf(world)),
    status,
    duration_ms,
    from: record.headers[FROM] === 'page' ? 'page' : null,
    unread_count: unreadCount(world, record, operations),
    fault_id,
  }
}

/** The header that marks calls by Petri's page. */
const FROM = 'x-petri-from'

export function describeRequest(
  world: World,
  record: RequestRecord,
  operations: Operations,
): Parsed<typeof Request> {
  const { headers, url, events: caused, nearest } = record
  const secrets = secretsOf(world)
  const operation = operations.find(({ id }) => id === record.operation)
  const body = parseBody(record.body)
  const unread = unreadOf(operation, url.split('?')[1] ?? '', body)
  const safe = (name: string) => redactText(name, secrets)
  return {
    ...summarise(world, record, operations),
    headers: redactHeaders(headers, secrets),
    body: redactValue(body, secrets),
    response: record.response === null ? null : redactValue(parseBody(record.response), secrets),
    unread: unread.map(({ path }) => safe(path)),
    nearest_fields: Object.fromEntries(
      Object.entries(nearestFields(unread)).map(([path, near]) => [safe(path), near]),
    ),
    caused: caused.flatMap((id) => describeCaused(world, id)),
    nearest: [...nearest],
  }
}

/** The messages of an event, one for each endpoint. */
export function messagesOfEvent(world: World, eventId: string): Message[] {
  const sent: Message[] = []
  for (let ordinal = 1; ; ordinal++) {
    const message = world.db.find(messages, messageId(eventId, ordinal))
    if (!message) return sent
    sent.push(message)
  }
}

function describeCaused(world: World, eventId: string) {
  const event = world.db.find(events, eventId)
  if (!event) return []
  const sent = messagesOfEvent(world, eventId).map(({ id, endpoint_id, status }) => ({
    id,
    endpoint_id,
    status,
  }))
  return [{ event_id: eventId, event_type: event.event_type, at: toIso(event.at), messages: sent }]
}
