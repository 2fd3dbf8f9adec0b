import type { Parsed } from '../../api/schema.ts'
import { redactHeaders } from '../../api/secrets.ts'
import { writeDuration } from '../../kernel/duration.ts'
import { omit } from '../../kernel/fields.ts'
import { isoOrNull, toIso } from '../../kernel/instant.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { badRequest, orNotFound } from '../../kernel/problem.ts'
import { runInSlices } from '../../kernel/slices.ts'
import { eventTypeHint, eventTypeNames } from '../../resources/event-types.ts'
import { EVERY_DELIVERY_FAILED } from '../../webhooks/endpoints.ts'
import { bufferedUntil, faultsOfScope, type NewWebhookFaults, WORLD } from '../../webhooks/faults.ts'
import { ATTEMPT, DUPLICATE, RESEND } from '../../webhooks/jobs.ts'
import { pageOfMessages, pageOfUnsent, unsentMessage } from '../../webhooks/messages.ts'
import { shouldDisable } from '../../webhooks/retry-schedule.ts'
import { attemptKey, deliveryState } from '../../webhooks/state.ts'
import { type Endpoint, type Message, messages, webhookFaults } from '../../webhooks/table.ts'
import { events } from '../../world/events.ts'
import { requestId } from '../../world/requests.ts'
import type { World } from '../../world/world.ts'
import type {
  RotatedWebhookEndpoint,
  WebhookEndpoint,
  WebhookEvent,
  WebhookFaults,
  WebhookFaultsInput,
  WebhookMessage,
  WebhookMessageQuery,
} from './schema.ts'

export function presentEndpoint(world: World, endpoint: Endpoint): Parsed<typeof WebhookEndpoint> {
  const { failing, created_at, updated_at, ...shown } = omit(
    endpoint,
    'previous_secrets',
    'rate_limit',
    'from_setting',
  )
  return {
    ...shown,
    disabled_reason: endpoint.disabled ? whyDisabled(world, endpoint) : null,
    failing_since: failing && toIso(failing.first_at),
    created_at: toIso(created_at),
    updated_at: toIso(updated_at),
  }
}

/** Petri itself disables an endpoint only after failures, which are kept until it is enabled. */
function whyDisabled(world: World, { id, failing }: Endpoint): string {
  if (!failing || !shouldDisable(failing)) return 'Disabled by a call or on the page'
  const error = lastErrorOf(world, id)
  return error === undefined ? EVERY_DELIVERY_FAILED : `${EVERY_DELIVERY_FAILED}, lastly: ${error}`
}

function lastErrorOf(world: World, endpointId: string): string | undefined {
  const attempts = world.db.by(messages, 'endpoint', endpointId).flatMap((message) => message.attempts)
  return attempts.sort((a, b) => a.at - b.at).at(-1)?.error
}

export const presentRotated = (world: World, endpoint: Endpoint): Parsed<typeof RotatedWebhookEndpoint> => ({
  ...presentEndpoint(world, endpoint),
  previous_secrets: endpoint.previous_secrets.map(({ secret, valid_until }) => ({
    secret,
    valid_until: toIso(valid_until),
  })),
})

/** Throws a Problem for a name that is not an event type. Those of the delivery itself begin with `message.`. */
export function assertEventType(type: string | null | undefined): void {
  if (typeof type !== 'string' || eventTypeNames().has(type) || type.startsWith('message.')) return
  throw badRequest(`There is no event type "${type}".${eventTypeHint(type)}`)
}

export async function listMessages(world: World, query: Parsed<typeof WebhookMessageQuery>) {
  assertEventType(query.event_type)
  const { limit, cursor, q, fields, order, status, ...rest } = query
  const options = { limit, cursor, q, order, onlyFailing: status === 'failing' }
  const { page, next } =
    status === 'no_endpoint'
      ? await runInSlices(pageOfUnsent(world, rest, options))
      : await runInSlices(
          pageOfMessages(world, { ...rest, ...(status !== 'failing' && { status }) }, options),
        )
  const data = page.map((each) => presentMessage(world, 'payload' in each ? unsentMessage(each) : each))
  const shown = fields === 'summary' ? data.map((each) => ({ ...each, payload: null, attempts: [] })) : data
  return { data: shown, next_cursor: next }
}

export function presentMessage(
  world: World,
  message: Message | ReturnType<typeof unsentMessage>,
): Parsed<typeof WebhookMessage> {
  const { id, event_id, created_at, attempts, marks, ...rest } = message
  const event = world.db.find(events, event_id)
  const payload = event?.payload
  const cause = world.requests.causeOf(event_id)
  const dueAs = (kind: string) => world.agenda.find(kind, id)?.due
  const due = dueAs(RESEND) ?? dueAs(DUPLICATE) ?? dueAs(ATTEMPT) ?? bufferedUntil(world, id)
  const last = attempts.at(-1)
  return {
    id,
    svix_id: event_id,
    ...rest,
    subject_status: statusOf(payload),
    created_at: toIso(created_at),
    sequence: world.requests.placeOf(event_id),
    payload: (payload as JsonObject | undefined) ?? null,
    attempts: attempts.map((attempt, at) => ({
      ...attempt,
      at: toIso(attempt.at),
      request: {
        headers: {
          ...redactHeaders(attempt.request.headers),
          ...deliveryState(world).wallHeaders.get(attemptKey(id, at)),
        },
      },
    })),
    attempt_count: attempts.length,
    last_status: last?.status ?? null,
    last_error: last?.error ?? null,
    last_advice: last?.advice ?? null,
    request_id: cause ? requestId(cause.ordinal) : null,
    caused_by: event?.by_call ? 'call' : 'job',
    marks,
    next_attempt_at: isoOrNull(due),
  }
}

/** The status of what an event is about, if its body has one. */
export function statusOf(payload: unknown): string | null {
  const data = (payload as { data?: { status?: unknown; last_event?: { status?: unknown } } } | undefined)
    ?.data
  const status = data?.last_event?.status ?? data?.status
  return typeof status === 'string' ? status : null
}

export function presentEvent(world: World, id: string): Parsed<typeof WebhookEvent> {
  const event = orNotFound(world.db.find(events, id), `There is no event ${id}; only the latest are kept.`)
  return { ...event, at: toIso(event.at), payload: event.payload as JsonObject }
}

/** The webhook faults that a body asks for. */
export const toWebhookFaults = ({
  delay,
  ...input
}: Parsed<typeof WebhookFaultsInput>): NewWebhookFaults => ({
  ...omit(input, 'endpoint_id'),
  delay_ms: delay,
})

/** The rules of one endpoint, or of the world with all endpoints that have their own. */
export function describeFaults(world: World, endpointId: string | null = null): Parsed<typeof WebhookFaults> {
  const others = endpointId === null ? world.db.ids(webhookFaults).filter((id) => id !== WORLD) : []
  return { ...presentFaults(world, endpointId), endpoints: others.map((id) => presentFaults(world, id)) }
}

const noFaults = {
  duplicate: 0,
  reorder: 0,
  delay: null,
  drop_first: 0,
  bad_signature: false,
  stale_timestamp: false,
  burst: 0,
  respell: false,
}

function presentFaults(world: World, endpointId: string | null) {
  const { delay_ms, ...faults } = faultsOfScope(world, endpointId)
  const delay = delay_ms ? writeDuration(delay_ms) : null
  return { ...noFaults, ...faults, delay, endpoint_id: endpointId }
}
