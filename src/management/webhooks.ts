import * as z from 'zod'
import { boolean, integer, maybe, oneOf, text } from '../api/fields.ts'
import { pageAfter, pageOf } from '../api/pagination.ts'
import { instant, nullableText, type Parsed, schema, texts, unnamed } from '../api/schema.ts'
import { filterFields } from '../kernel/fields.ts'
import { isSuccess } from '../kernel/http-call.ts'
import { SECOND_MS, toWire } from '../kernel/instant.ts'
import * as endpoints from '../webhooks/endpoints.ts'
import { assertKnownTypes, customHeaders, receiverUrl } from '../webhooks/fields.ts'
import { SECRET_PATTERN } from '../webhooks/signature.ts'
import { type Endpoint, messages } from '../webhooks/table.ts'
import { earlierWorkDone } from '../world/earlier-work.ts'
import type { World } from '../world/world.ts'

import { managed } from './operation.ts'

const filterTypes = () => maybe(z.array(text()).min(1))

/** An endpoint without its secret. Source: docs/contract/webhooks.md#endpoints. */
const ManagedWebhook = schema('ManagedWebhook', () => ({
  id: z.string(),
  description: nullableText(),
  rate_limit: z.int().nullable(),
  url: z.string(),
  disabled: z.boolean().nullable(),
  filter_types: texts().nullable(),
  created_at: instant(),
  updated_at: instant(),
}))

const ManagedWebhookList = schema('ManagedWebhookList', () => pageOf(ManagedWebhook()))

const WebhookQuery = unnamed(() => ({
  limit: integer({ ge: 1, le: 250 }).default(50),
  next_cursor: maybe(text()),
}))

const WebhookInput = schema('ManagedWebhookInput', () => ({
  description: text().default(''),
  rate_limit: maybe(integer({ ge: 1 })),
  url: receiverUrl(),
  disabled: boolean().default(false),
  filter_types: filterTypes(),
  secret: maybe(text().regex(SECRET_PATTERN)),
}))

const WebhookPatch = schema('ManagedWebhookPatch', () => ({
  description: maybe(text()),
  rate_limit: maybe(integer({ ge: 1 })),
  url: maybe(receiverUrl()),
  disabled: maybe(boolean()),
  filter_types: filterTypes(),
}))

const WebhookHeaders = schema('ManagedWebhookHeaders', () => ({
  headers: z.record(z.string(), z.string()),
  sensitive: texts(),
}))
const WebhookHeadersInput = schema('ManagedWebhookHeadersInput', () => ({ headers: customHeaders() }))

const WebhookSecret = schema('ManagedWebhookSecret', () => ({ key: z.string() }))
const WebhookSecretInput = schema('ManagedWebhookSecretInput', () => ({
  key: maybe(text().regex(SECRET_PATTERN)),
}))

/** Seconds between two values of a metric. */
const intervals = { '5m': 300, '15m': 900, '1h': 3600, '1d': 86_400 } as const
const MetricQuery = unnamed(() => ({ interval: oneOf(['5m', '15m', '1h', '1d']).default('1h') }))

const DeliveryMetric = schema('EventDeliveryMetric', () => ({
  status: z.literal('success'),
  data: z.object({
    resultType: z.literal('matrix'),
    result: z.array(
      z.object({
        metric: z.record(z.string(), z.string()),
        /** Seconds since 1970, and the count. */
        values: z.array(z.tuple([z.number(), z.string()]).meta({ items: {} })),
      }),
    ),
  }),
}))

export const webhookOperations = [
  managed({
    id: 'list_webhooks',
    route: 'GET /v1/org/{org_id}/team/{team_id}/{environment}/webhook',
    summary: 'List the webhook endpoints of a team',
    query: WebhookQuery,
    returns: ManagedWebhookList,
    run(world, { query: { limit, next_cursor } }) {
      const { items, nextCursor } = pageAfter(
        {
          of: ['endpoints', world.identity.teamId],
          rows: endpoints.listEndpoints(world),
          idOf: ({ id }) => id,
          keyOf: (endpoint) => endpoint.created_at,
        },
        next_cursor,
        limit,
      )
      return { data: items.map(present), next_cursor: nextCursor }
    },
  }),
  managed({
    id: 'create_webhook',
    route: 'POST /v1/org/{org_id}/team/{team_id}/{environment}/webhook',
    summary: 'Add a webhook endpoint with its own secret to a team',
    body: WebhookInput,
    returns: ManagedWebhook,
    run(world, { body: { filter_types: event_types, secret, ...input } }) {
      assertKnownTypes(event_types, 'filter_types')
      endpoints.assertRoomForEndpoint(world)
      // Without a secret, one is generated, as in the live service.
      const endpoint = { ...input, event_types, secret: secret ?? endpoints.newSecret(world) }
      return present(endpoints.addEndpoint(world, endpoint))
    },
  }),
  managed({
    id: 'get_webhook',
    route: 'GET /v1/org/{org_id}/team/{team_id}/{environment}/webhook/{webhook_id}',
    summary: 'Get an endpoint',
    returns: ManagedWebhook,
    run: (world, { params }) => present(endpoints.getEndpoint(world, params.webhook_id)),
  }),
  managed({
    id: 'patch_webhook',
    route: 'PATCH /v1/org/{org_id}/team/{team_id}/{environment}/webhook/{webhook_id}',
    summary: 'Change an endpoint; null as filter means all events',
    body: WebhookPatch,
    returns: ManagedWebhook,
    /** Null clears optional fields and leaves the others unchanged. */
    async run(world, { params, body: { filter_types: event_types, ...change } }) {
      assertKnownTypes(event_types, 'filter_types')
      await earlierWorkDone(world)
      const changed = await endpoints.changeEndpoint(world, params.webhook_id, { ...change, event_types })
      return present(changed)
    },
  }),
  managed({
    id: 'delete_webhook',
    route: 'DELETE /v1/org/{org_id}/team/{team_id}/{environment}/webhook/{webhook_id}',
    summary: 'Remove an endpoint; its pending messages are given up',
    async run(world, { params }) {
      await earlierWorkDone(world)
      await endpoints.removeEndpoint(world, params.webhook_id)
    },
  }),
  managed({
    id: 'get_webhook_headers',
    route: 'GET /v1/org/{org_id}/team/{team_id}/{environment}/webhook/{webhook_id}/headers',
    summary: 'Get the headers sent with each delivery; values of sensitive ones are hidden',
    returns: WebhookHeaders,
    run(world, { params }) {
      const { headers } = endpoints.getEndpoint(world, params.webhook_id)
      return {
        headers: filterFields(headers, (name) => !SENSITIVE.test(name)),
        sensitive: Object.keys(headers).filter((name) => SENSITIVE.test(name)),
      }
    },
  }),
  managed({
    id: 'update_webhook_headers',
    route: 'PUT /v1/org/{org_id}/team/{team_id}/{environment}/webhook/{webhook_id}/headers',
    summary: 'Replace the headers sent with each delivery',
    body: WebhookHeadersInput,
    async run(world, { params, body }) {
      await earlierWorkDone(world)
      await endpoints.changeEndpoint(world, params.webhook_id, body)
    },
  }),
  managed({
    id: 'get_webhook_secret',
    route: 'GET /v1/org/{org_id}/team/{team_id}/{environment}/webhook/{webhook_id}/secret',
    summary: 'Get the secret that signs an endpoint’s deliveries',
    returns: WebhookSecret,
    run: (world, { params }) => ({ key: endpoints.getEndpoint(world, params.webhook_id).secret }),
  }),
  managed({
    id: 'rotate_webhook_secret',
    route: 'POST /v1/org/{org_id}/team/{team_id}/{environment}/webhook/{webhook_id}/secret/rotate',
    summary: 'Give an endpoint a new secret; the old one also signs for one day',
    body: WebhookSecretInput,
    async run(world, { params, body }) {
      await earlierWorkDone(world)
      endpoints.rotateSecret(world, params.webhook_id, body.key)
    },
  }),
  managed({
    id: 'get_team_event_delivery_metric',
    route: 'GET /v1/org/{org_id}/team/{team_id}/{environment}/event_delivery_metric',
    summary: 'Count the delivery attempts by their outcome',
    query: MetricQuery,
    returns: DeliveryMetric,
    run: (world, { query }) => deliveryMetric(world, query.interval),
  }),
]

const present = (endpoint: Endpoint): Parsed<typeof ManagedWebhook> => ({
  id: endpoint.id,
  description: endpoint.description,
  rate_limit: endpoint.rate_limit,
  url: endpoint.url,
  disabled: endpoint.disabled,
  filter_types: endpoint.event_types,
  created_at: toWire(endpoint.created_at),
  updated_at: toWire(endpoint.updated_at),
})

/** Headers whose values are never shown again. */
const SENSITIVE = /^(proxy-)?authorization$|^(www|proxy)-authenticate$|cookie|token|secret|password|api-?key/

/** The number of values of a metric, including the latest. */
const VALUES = 24

/** Delivery attempts by outcome over the latest intervals. */
function deliveryMetric(world: World, interval: keyof typeof intervals): Parsed<typeof DeliveryMetric> {
  const step = intervals[interval]
  const last = Math.ceil(world.clock.now() / SECOND_MS / step) * step
  const counts = { success: new Map<number, number>(), failure: new Map<number, number>() }
  for (const message of world.db.all(messages)) {
    for (const { at, status } of message.attempts) {
      const bucket = Math.ceil(at / SECOND_MS / step) * step
      const counted = isSuccess(status) ? counts.success : counts.failure
      counted.set(bucket, (counted.get(bucket) ?? 0) + 1)
    }
  }
  const instants = Array.from({ length: VALUES }, (_, at) => last - (VALUES - 1 - at) * step)
  const result = Object.entries(counts).map(([status, counted]) => ({
    metric: { status },
    values: instants.map((instant): [number, string] => [instant, String(counted.get(instant) ?? 0)]),
  }))
  return { status: 'success', data: { resultType: 'matrix', result } }
}
