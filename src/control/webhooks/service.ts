import type { Parsed } from '../../api/schema.ts'
import { redactHeaders } from '../../api/secrets.ts'
import { toIso } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import { runInSlices } from '../../kernel/slices.ts'
import { bufferedUntil } from '../../webhooks/delivery-faults.ts'
import type { EndpointInput } from '../../webhooks/endpoints.ts'
import { ATTEMPT, DUPLICATE, RESEND } from '../../webhooks/jobs.ts'
import { pageOfMessages } from '../../webhooks/messages.ts'
import type { Attempt, Endpoint, Message } from '../../webhooks/table.ts'
import { events } from '../../world/events.ts'
import { requestId } from '../../world/requests.ts'
import type { World } from '../../world/world.ts'
import type {
  NewWebhookEndpoint,
  RotatedWebhookEndpoint,
  WebhookEndpoint,
  WebhookEvent,
  WebhookMessage,
  WebhookMessageQuery,
} from './schema.ts'

/** The fields of an endpoint in a body. Only `description` and `event_types` can be null. */
export const toEndpointInput = (
  body: Partial<Parsed<typeof NewWebhookEndpoint>>,
): Partial<EndpointInput> => ({
  ...(body.url && { url: body.url }),
  secret: body.secret ?? undefined,
  description: body.description,
  event_types: body.event_types,
  headers: body.headers ?? undefined,
  disabled: body.disabled ?? undefined,
})

export const presentEndpoint = (endpoint: Endpoint): Parsed<typeof WebhookEndpoint> => ({
  id: endpoint.id,
  url: endpoint.url,
  secret: endpoint.secret,
  description: endpoint.description,
  event_types: endpoint.event_types && [...endpoint.event_types],
  headers: { ...endpoint.headers },
  disabled: endpoint.disabled,
  failing_since: endpoint.failing && toIso(endpoint.failing.first_at),
  created_at: toIso(endpoint.created_at),
  updated_at: toIso(endpoint.updated_at),
})

export const presentRotated = (endpoint: Endpoint): Parsed<typeof RotatedWebhookEndpoint> => ({
  ...presentEndpoint(endpoint),
  previous_secrets: endpoint.previous_secrets.map(({ secret, valid_until }) => ({
    secret,
    valid_until: toIso(valid_until),
  })),
})

export async function listMessages(world: World, query: Parsed<typeof WebhookMessageQuery>) {
  const { limit, cursor, q, fields, order, event_type, order_id, user_id, endpoint_id, status } = query
  const filter = {
    event_type: event_type ?? undefined,
    order_id: order_id ?? undefined,
    user_id: user_id ?? undefined,
    endpoint_id: endpoint_id ?? undefined,
    status: status ?? undefined,
  }
  const options = { limit, after: cursor ?? undefined, q: q ?? undefined, newestFirst: order === 'desc' }
  const { page, next } = await runInSlices(pageOfMessages(world, filter, options))
  const data = page.map((message) => presentMessage(world, message))
  const shown = fields === 'summary' ? data.map((each) => ({ ...each, payload: null, attempts: [] })) : data
  return { data: shown, next_cursor: next }
}

export function presentMessage(world: World, message: Message): Parsed<typeof WebhookMessage> {
  const { id, event_id, created_at, attempts, marks, ...rest } = message
  const payload = world.db.find(events, event_id)?.payload
  const cause = world.requests.causeOf(event_id)
  const dueAs = (kind: string) => world.agenda.find(kind, id)?.due
  const due = dueAs(RESEND) ?? dueAs(DUPLICATE) ?? dueAs(ATTEMPT) ?? bufferedUntil(world, id)
  return {
    id,
    svix_id: event_id,
    ...rest,
    created_at: toIso(created_at),
    payload: (payload as Record<string, unknown> | undefined) ?? null,
    attempts: attempts.map((attempt, at) =>
      presentAttempt(attempt, world.parts.webhooks.wallHeaders(world, message, at)),
    ),
    attempt_count: attempts.length,
    last_status: attempts.at(-1)?.status ?? null,
    last_error: attempts.at(-1)?.error ?? null,
    request_id: cause ? requestId(cause.ordinal) : null,
    marks: [...marks],
    next_attempt_at: due === undefined ? null : toIso(due),
  }
}

export function presentEvent(world: World, id: string): Parsed<typeof WebhookEvent> {
  const event = world.db.find(events, id)
  if (!event) throw new Problem('not_found', `There is no event ${id}; only the latest are kept.`)
  return { ...event, at: toIso(event.at), payload: event.payload as Record<string, unknown> }
}

const presentAttempt = ({ marks, ...attempt }: Attempt, wallHeaders: Readonly<Record<string, string>>) => ({
  ...attempt,
  ...(marks && { marks: [...marks] }),
  at: toIso(attempt.at),
  request: { headers: { ...redactHeaders(attempt.request.headers), ...wallHeaders } },
})
