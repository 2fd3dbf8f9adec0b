import { webhookLimits } from '../api/limits.ts'
import { DAY_MS } from '../kernel/instant.ts'
import { conflict, orNotFound } from '../kernel/problem.ts'
import { BASE62 } from '../kernel/random.ts'
import { runInSlices } from '../kernel/slices.ts'
import { webhookSecret } from '../world/new-world.ts'
import type { World } from '../world/world.ts'
import { DISABLE } from './jobs.ts'
import { giveUpMessages } from './messages.ts'
import { afterFailure, shouldDisable } from './retry-schedule.ts'
import { type Endpoint, endpoints, webhookFaults } from './table.ts'

type SettableField = 'url' | 'secret' | 'description' | 'event_types' | 'headers' | 'rate_limit' | 'disabled'

/** The fields of an endpoint that a user can set. Null clears a nullable field and leaves other fields unchanged. */
export type EndpointInput = { readonly [Field in SettableField]?: Endpoint[Field] | null | undefined }

const nullableFields = new Set(['description', 'event_types', 'rate_limit'])

/** How long a replaced secret still signs, and the maximum number of such secrets. Source: docs/contract/webhooks.md#signatures. */
const OLD_SECRET_MS = DAY_MS
const MAX_OLD_SECRETS = 10

export function addEndpoint(world: World, input: EndpointInput & { readonly url: string }): Endpoint {
  assertRoomForEndpoint(world)
  const now = world.clock.now()
  return world.db.put(endpoints, {
    id: `ep_${world.ids.letters(`endpoint/${world.next('endpoint')}`, BASE62, 27)}`,
    url: input.url,
    secret: input.secret ?? world.identity.webhookSecret,
    previous_secrets: [],
    description: input.description ?? null,
    event_types: input.event_types ?? null,
    headers: input.headers ?? {},
    rate_limit: input.rate_limit ?? null,
    disabled: input.disabled ?? false,
    failing: null,
    created_at: now,
    updated_at: now,
  })
}

export const assertRoomForEndpoint = (world: World): void =>
  assertNumberOfEndpoints(world.db.count(endpoints) + 1)

/** Refuses more endpoints than a world can have. */
export function assertNumberOfEndpoints(number: number): void {
  if (number > webhookLimits.endpoints)
    throw conflict(
      `A world can have ${webhookLimits.endpoints} webhook endpoints, and this would be number ${number}; remove one first.`,
    )
}

export const getEndpoint = (world: World, endpointId: string): Endpoint =>
  orNotFound(world.db.find(endpoints, endpointId), `No webhook endpoint ${endpointId}`)

export const listEndpoints = (world: World): Endpoint[] => [...world.db.all(endpoints)]

/** Changes the given fields. The pending messages of a disabled endpoint are given up. */
export async function changeEndpoint(
  world: World,
  endpointId: string,
  input: EndpointInput,
): Promise<Endpoint> {
  const endpoint = getEndpoint(world, endpointId)
  const change = Object.fromEntries(
    Object.entries(input).filter(([field, value]) =>
      nullableFields.has(field) ? value !== undefined : value != null,
    ),
  )
  const disabled = input.disabled ?? endpoint.disabled
  const changed = world.db.put(endpoints, {
    ...endpoint,
    ...change,
    failing: endpoint.disabled && !disabled ? null : endpoint.failing,
    updated_at: world.clock.now(),
  })
  if (disabled && !endpoint.disabled) await runInSlices(giveUpMessages(world, endpointId))
  return changed
}

export async function removeEndpoint(world: World, endpointId: string): Promise<void> {
  getEndpoint(world, endpointId)
  world.db.delete(endpoints, endpointId)
  world.db.delete(webhookFaults, endpointId)
  await runInSlices(giveUpMessages(world, endpointId))
}

/** A new secret, different from those of all endpoints. */
export const newSecret = (world: World): string =>
  webhookSecret(world.ids.letters(`webhook-secret/${world.next('webhook_secret')}`, BASE62, 24))

/** Replaces the secret; the old one also signs for a day. */
export function rotateSecret(world: World, endpointId: string, secret?: string | null): Endpoint {
  const endpoint = getEndpoint(world, endpointId)
  const now = world.clock.now()
  const old = { secret: endpoint.secret, valid_until: now + OLD_SECRET_MS }
  return world.db.put(endpoints, {
    ...endpoint,
    secret: secret ?? newSecret(world),
    previous_secrets: [old, ...endpoint.previous_secrets].slice(0, MAX_OLD_SECRETS),
    updated_at: now,
  })
}

/** The secrets that sign at an instant, newest first. */
export const validSecrets = (endpoint: Endpoint, now: number): string[] => [
  endpoint.secret,
  ...endpoint.previous_secrets.filter(({ valid_until }) => valid_until > now).map(({ secret }) => secret),
]

/** Clears an endpoint's record of failures after a success. */
export function recordSuccess(world: World, endpoint: Endpoint): void {
  if (endpoint.failing) world.db.put(endpoints, { ...endpoint, failing: null })
}

/** Counts a failure. If an endpoint has failed for too long, a job disables it and gives up its messages. */
export function recordFailure(world: World, endpoint: Endpoint): void {
  const now = world.clock.now()
  const failing = afterFailure(endpoint.failing, now)
  if (!shouldDisable(failing)) {
    world.db.put(endpoints, { ...endpoint, failing })
    return
  }
  // In a frozen world, a delivery may end during an advance or outside; both must find the same endpoints.
  const due = world.clock.frozen ? now + 1 : now
  world.agenda.schedule({ due, kind: DISABLE, subject: endpoint.id })
}

export const EVERY_DELIVERY_FAILED = 'Every delivery failed for five days'

/** Disables an endpoint in steps, unless it was enabled, removed or successful meanwhile. */
export function* disableFailing(world: World, id: string): Generator<void, void> {
  const now = world.clock.now()
  const endpoint = world.db.find(endpoints, id)
  if (!endpoint?.failing || endpoint.disabled) return
  const failing = afterFailure(endpoint.failing, now)
  if (!shouldDisable(failing)) return
  world.db.put(endpoints, { ...endpoint, failing, disabled: true, updated_at: now })
  world.agenda.record('endpoint_disabled', {
    endpoint_id: id,
    detail: EVERY_DELIVERY_FAILED,
  })
  world.warn('A webhook endpoint was disabled', {
    endpoint_id: id,
    url: endpoint.url,
    reason: EVERY_DELIVERY_FAILED,
    enable: `npx petri-sandbox webhook enable ${id}`,
  })
  yield* giveUpMessages(world, id)
}
