import { pageAfter } from '../../api/pagination.ts'
import type { Parsed } from '../../api/schema.ts'
import { SECOND_MS, toWire } from '../../kernel/instant.ts'
import * as endpoints from '../../webhooks/endpoints.ts'
import { isSuccess } from '../../webhooks/retry-schedule.ts'
import { type Endpoint, messages } from '../../webhooks/table.ts'
import type { World } from '../../world/world.ts'
import {
  type DeliveryMetric,
  intervals,
  type ManagedWebhook,
  type WebhookHeaders,
  type WebhookInput,
  type WebhookPatch,
  type WebhookQuery,
} from './schema.ts'

type Webhook = Parsed<typeof ManagedWebhook>

const present = (endpoint: Endpoint): Webhook => ({
  id: endpoint.id,
  description: endpoint.description,
  rate_limit: endpoint.rate_limit,
  url: endpoint.url,
  disabled: endpoint.disabled,
  filter_types: endpoint.event_types && [...endpoint.event_types],
  created_at: toWire(endpoint.created_at),
  updated_at: toWire(endpoint.updated_at),
})

export function listWebhooks(world: World, { limit, next_cursor }: Parsed<typeof WebhookQuery>) {
  const all = endpoints.listEndpoints(world).map(present)
  const { items, nextCursor } = pageAfter(all, ({ id }) => id, next_cursor, limit)
  return { data: [...items], next_cursor: nextCursor }
}

export const getWebhook = (world: World, id: string): Webhook => present(endpoints.getEndpoint(world, id))

/** Without a secret, one is generated, as in the live service. */
export const makeWebhook = (
  world: World,
  { filter_types, secret, ...input }: Parsed<typeof WebhookInput>,
): Webhook =>
  present(
    endpoints.addEndpoint(world, {
      ...input,
      event_types: filter_types,
      secret: secret ?? endpoints.newSecret(world),
    }),
  )

/** Null clears optional fields and leaves the others unchanged. */
export const changeWebhook = async (
  world: World,
  id: string,
  change: Parsed<typeof WebhookPatch>,
): Promise<Webhook> =>
  present(
    await endpoints.changeEndpoint(world, id, {
      description: change.description,
      rate_limit: change.rate_limit,
      event_types: change.filter_types,
      disabled: change.disabled ?? undefined,
      ...(change.url && { url: change.url }),
    }),
  )

/** Headers whose values are never shown again. */
const SENSITIVE = /^(proxy-)?authorization$|^(www|proxy)-authenticate$|cookie|token|secret|password|api-?key/

export function describeHeaders(world: World, id: string): Parsed<typeof WebhookHeaders> {
  const all = Object.entries(endpoints.getEndpoint(world, id).headers)
  return {
    headers: Object.fromEntries(all.filter(([name]) => !SENSITIVE.test(name))),
    sensitive: all.map(([name]) => name).filter((name) => SENSITIVE.test(name)),
  }
}

/** The number of values of a metric, including the latest. */
const VALUES = 24

/** Delivery attempts by outcome over the latest intervals. */
export function deliveryMetric(
  world: World,
  interval: keyof typeof intervals,
): Parsed<typeof DeliveryMetric> {
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
