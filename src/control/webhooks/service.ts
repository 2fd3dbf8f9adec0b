import type { Parsed } from '../../api/schema.ts'
import { redactHeaders } from '../../api/secrets.ts'
import { toIso } from '../../kernel/instant.ts'
import { bufferedUntil } from '../../webhooks/buffer.ts'
import type { EndpointInput } from '../../webhooks/endpoints.ts'
import { ATTEMPT, DUPLICATE, RESEND } from '../../webhooks/jobs.ts'
import type { Attempt, Endpoint, Message } from '../../webhooks/table.ts'
import { events } from '../../world/events.ts'
import type { World } from '../../world/world.ts'
import type { NewWebhookEndpoint, RotatedWebhookEndpoint, WebhookEndpoint, WebhookMessage } from './schema.ts'

/** What a body says of an endpoint. Only `description` and `event_types` can be null. */
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

export function presentMessage(world: World, message: Message): Parsed<typeof WebhookMessage> {
  const { id, event_id, created_at, attempts, marks, ...rest } = message
  const payload = world.db.find(events, event_id)?.payload
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
    marks: [...marks],
    next_attempt_at: due === undefined ? null : toIso(due),
  }
}

const presentAttempt = ({ marks, ...attempt }: Attempt, wallHeaders: Readonly<Record<string, string>>) => ({
  ...attempt,
  ...(marks && { marks: [...marks] }),
  at: toIso(attempt.at),
  request: { headers: { ...redactHeaders(attempt.request.headers), ...wallHeaders } },
})
