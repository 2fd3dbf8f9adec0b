import * as z from 'zod'
import { pageOrigin } from '../api/call-origin.ts'
import { boolean, field, maybe, oneOf, text } from '../api/fields.ts'
import { valueError } from '../api/issue.ts'
import { type AnyOperation, operation } from '../api/operation.ts'
import { pageAfter, pageOf, pageQuery } from '../api/pagination.ts'
import { nullableText, type Parsed, schema, texts, unnamed } from '../api/schema.ts'
import { redactHeaders, redactText, redactValue } from '../api/secrets.ts'
import { findOperation, nearestOperation } from '../faults/schema.ts'
import { headerNames } from '../kernel/headers.ts'
import { toIso } from '../kernel/instant.ts'
import { perOwner } from '../kernel/kept.ts'
import { badRequest, orNotFound } from '../kernel/problem.ts'
import { hasWords } from '../kernel/words.ts'
import { type Message, messageId, messages } from '../webhooks/table.ts'
import { events } from '../world/events.ts'
import { MAX_REQUESTS, type RequestRecord, requestId } from '../world/requests.ts'
import { apiKeysOf } from '../world/settings.ts'
import type { World } from '../world/world.ts'
import { instant } from './fields.ts'
import { ignoredFields, nearestFields, parseBody } from './ignored-fields.ts'
import { statusOf } from './webhooks/service.ts'

export const RequestSummary = schema('PetriRequestSummary', () => ({
  id: z.string(),
  at: z.iso.datetime({ offset: true }),
  sequence: z.int().describe('Its place among the calls and messages of the world since the last start.'),
  /** Null if no operation has this path. */
  operation: nullableText(),
  method: z.string(),
  /** The path with the query, without secrets. */
  path: z.string(),
  status: z.int(),
  duration_ms: z.int(),
  /** `page` for a call by Petri's page; null for all others. */
  from: nullableText(),
  /** The number of ignored fields and query parameters. */
  ignored_count: z.int(),
  fault_id: nullableText().describe('The injected fault that applied to the call.'),
}))

export const RequestList = schema('PetriRequestList', () => pageOf(RequestSummary()))

const Caused = schema('PetriCausedEvent', () => ({
  event_id: z.string(),
  event_type: z.string(),
  subject_status: nullableText(),
  at: z.iso.datetime({ offset: true }),
  messages: z.array(z.object({ id: z.string(), endpoint_id: z.string(), status: z.string() })),
}))

export const RequestView = schema('PetriRequest', () =>
  RequestSummary().extend({
    headers: z.record(z.string(), z.string()),
    body: z.unknown().describe('JSON or text; null if there is none.'),
    response: z.unknown().describe('JSON or text; null for files, or if there is none.'),
    /** Fields and query parameters that Petri ignored. */
    ignored: texts(),
    nearest_fields: z
      .record(z.string(), z.string())
      .describe('The most similar known field, by ignored field.'),
    /** The events the call caused, directly or by jobs it scheduled, and their messages. */
    caused: z.array(Caused()),
    /** For an unknown path: the most similar operations. */
    nearest: texts(),
    adopted_users: texts().describe(
      'Users that were created because the call named them; see the feature `adopt_users`.',
    ),
  }),
)

const statusOrClass = () =>
  field({ type: 'string', pattern: '^[1-5](xx|\\d\\d)$', examples: ['404', '5xx'] }, (input) =>
    typeof input === 'string' && /^[1-5](xx|\d\d)$/i.test(input)
      ? input.toLowerCase()
      : valueError('a status is a number such as 404, or a class such as 4xx'),
  )

const RequestQuery = unnamed(() => ({
  operation: maybe(text()).describe('An id or a route.'),
  status: maybe(statusOrClass()),
  method: maybe(oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], { fold: true })),
  path: maybe(text()).describe('Prefix of the path.'),
  since: maybe(instant()),
  order_id: maybe(text()).describe('Calls with this order in their path, body or response.'),
  user_id: maybe(text()).describe('Calls with this user in their path, body or response.'),
  q: maybe(text()).describe(
    'Words in any order, parts of the method, the path, the operation, the body or the response.',
  ),
  ignored: maybe(boolean()).describe('Only calls with ignored fields, or only those without.'),
  order: oneOf(['asc', 'desc']).default('asc'),
  ...pageQuery(),
}))

export const requestOperations = (mirrored: readonly AnyOperation[]) => [
  operation({
    id: 'petri_requests_list',
    route: 'GET /_petri/requests',
    summary: "List the last calls of this world's clients, newest last, without calls of the control API",
    tool: {
      name: 'list_requests',
      description:
        'This tool lists the newest first, 20 at a time. With ignored=true only those with ignored fields, which are usually mistakes of the program under test',
      defaults: { limit: 20, order: 'desc' },
    },
    query: RequestQuery,
    returns: RequestList,
    run: (world, { query }) => listRequests(world, query, mirrored),
  }),
  operation({
    id: 'petri_requests_get',
    route: 'GET /_petri/requests/{request_id}',
    summary: 'Show one call by its x-request-id: request, response, ignored fields, and what it caused',
    tool: { name: 'get_request' },
    params: unnamed(() => ({ request_id: text() })),
    returns: RequestView,
    run(world, { params: { request_id } }) {
      const missing = `There is no request ${request_id}; only the latest are kept, in memory.`
      return describeRequest(world, orNotFound(world.requests.find(request_id), missing), mirrored)
    },
  }),
  operation({
    id: 'petri_requests_delete',
    route: 'DELETE /_petri/requests',
    summary: 'Delete all recorded calls',
    run: (world) => world.requests.clear(),
  }),
]

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
  throw badRequest(detail)
}

function listRequests(world: World, query: Parsed<typeof RequestQuery>, operations: Operations) {
  const { limit, cursor, order, ...filter } = query
  const { operation, status, method, path, since, ignored } = filter
  const id = operation ? getOperation(operation, operations).id : undefined
  const isFound = query.q ? hasWords(query.q) : () => true
  const found = [...world.requests.all()].filter(
    (record) =>
      (id === undefined || record.operation === id) &&
      (!status || isOfStatus(record.status, status)) &&
      (!method || record.method === method) &&
      (!path || record.url.startsWith(path)) &&
      (!since || record.at >= since) &&
      [query.order_id, query.user_id].every((text) => !text || mentions(record, text)) &&
      isFound(textOf(record)) &&
      (ignored == null || ignoredCount(world, record, operations) > 0 === ignored),
  )
  const { items, nextCursor } = pageAfter(
    {
      of: ['requests', world.identity.teamId, order, filter],
      rows: found,
      idOf: ({ ordinal }) => requestId(ordinal),
      keyOf: ({ ordinal }) => ordinal,
      order,
    },
    cursor,
    limit,
  )
  return { data: items.map((record) => summarise(world, record, operations)), next_cursor: nextCursor }
}

/** Whether a text occurs in the path, the body or the response. */
export const mentions = ({ url, body, response }: RequestRecord, text: string): boolean =>
  url.includes(text) || body.includes(text) || response?.includes(text) === true

const textOf = ({ method, url, operation, body, response }: RequestRecord): string =>
  [method, url, operation, body, response].join('\n')

const ignoredCounts = perOwner<World['requests'], Map<number, number>>(() => new Map())

/** The number of ignored fields and query parameters of a call; computed once for each call. */
export function ignoredCount(world: World, record: RequestRecord, operations: Operations): number {
  const { requests } = world
  const counts = ignoredCounts(requests)
  const known = counts.get(record.ordinal)
  if (known !== undefined) return known
  if (counts.size >= 2 * MAX_REQUESTS) counts.clear()
  const operation = operations.find(({ id }) => id === record.operation)
  const count = ignoredFields(operation, record.url, record.body).length
  counts.set(record.ordinal, count)
  return count
}

/** Whether a status is this one, or of this class: `4xx`. */
export const isOfStatus = (status: number, wanted: string): boolean =>
  wanted.endsWith('xx') ? String(status)[0] === wanted[0] : String(status) === wanted

export function summarise(
  world: World,
  record: RequestRecord,
  operations: Operations,
): Parsed<typeof RequestSummary> {
  const { ordinal, at, sequence = 0, operation, method, url, status, duration_ms, fault_id } = record
  return {
    id: requestId(ordinal),
    at: toIso(at),
    sequence,
    operation,
    method,
    path: redactText(url, secretsOf(world)),
    status,
    duration_ms,
    from: record.headers[headerNames.origin] === pageOrigin ? pageOrigin : null,
    ignored_count: ignoredCount(world, record, operations),
    fault_id,
  }
}

function describeRequest(
  world: World,
  record: RequestRecord,
  operations: Operations,
): Parsed<typeof RequestView> {
  const { headers, url, events: caused, nearest } = record
  const secrets = secretsOf(world)
  const operation = operations.find(({ id }) => id === record.operation)
  const body = parseBody(record.body)
  const ignored = ignoredFields(operation, url, record.body)
  const safe = (name: string) => redactText(name, secrets)
  return {
    ...summarise(world, record, operations),
    headers: redactHeaders(headers, secrets),
    body: redactValue(body, secrets),
    response: record.response === null ? null : redactValue(parseBody(record.response), secrets),
    ignored: ignored.map(({ path }) => safe(path)),
    nearest_fields: Object.fromEntries(
      Object.entries(nearestFields(ignored)).map(([path, near]) => [safe(path), near]),
    ),
    caused: caused.flatMap((id) => describeCaused(world, id)),
    nearest: [...nearest],
    adopted_users: [...(record.adoptedUsers ?? [])],
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
  const { event_type, payload, at } = event
  return [{ event_id: eventId, event_type, subject_status: statusOf(payload), at: toIso(at), messages: sent }]
}
