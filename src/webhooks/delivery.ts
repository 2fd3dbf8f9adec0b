import { version } from '../api/version.ts'
import type { WebhookFaults } from '../api/webhook-faults.ts'
import { keysOf } from '../kernel/fields.ts'
import { isSuccess } from '../kernel/http-call.ts'
import { MINUTE_MS, toIso } from '../kernel/instant.ts'
import { compact } from '../kernel/list.ts'
import { BASE62 } from '../kernel/random.ts'
import type { Job } from '../scheduler/job.ts'
import { appendOperationalEvent, payloadText } from '../world/append-event.ts'
import { events } from '../world/events.ts'
import type { World } from '../world/world.ts'
import { recordFailure, recordSuccess, validSecrets } from './endpoints.ts'
import { bufferFirstAttempt, faultsOfMessage } from './faults.ts'
import { ATTEMPT, type AttemptOptions, attemptOptionsOf, DUPLICATE, RESEND } from './jobs.ts'
import { enqueue, subscribers, TOO_MANY_WAITING } from './messages.ts'
import type { Outcome } from './outgoing.ts'
import { respell } from './respell.ts'
import { WAITS_SECONDS, waitAfter } from './retry-schedule.ts'
import { signatures } from './signature.ts'
import { attemptKey, deliveryState } from './state.ts'
import { type Attempt, type Endpoint, endpoints, type Message, messages, scheduledAttempts } from './table.ts'
import type { TransportRequest } from './transport.ts'

type Headers = Readonly<Record<string, string>>

/** A message that is about to be sent. */
interface Delivery {
  readonly job: Job
  readonly message: Message
  readonly endpoint: Endpoint
  readonly request: Omit<TransportRequest, 'timeoutMs'>
  /** Whether webhook faults drop the attempt. */
  readonly isDropped: boolean
  /** The faults that are applied. */
  readonly marks: readonly string[]
  /** Instants of the world's clock and of the wall clock. */
  readonly at: number
  readonly startedAt: number
  /** Whether the clock was frozen then. */
  readonly frozen: boolean
}

/** Delivers an event: prepares the request to each endpoint, sends all of them at once, and settles them in order. */
export async function deliver(world: World, jobs: readonly Job[]): Promise<void> {
  const due = jobs.filter((job) => !isPostponed(world, job))
  if (!world.agenda.advancing) await storeEvent(world, due)
  if (world.agenda.stopped) return
  const deliveries = compact(due.map((job) => prepare(world, job)))
  const sent = await Promise.all(deliveries.map((delivery) => send(world, delivery)))
  if (world.agenda.stopped) return
  for (const each of sent) settle(world, each)
}

/** Whether webhook faults or the endpoint's rate limit have rescheduled an attempt. */
const isPostponed = (world: World, job: Job): boolean =>
  (job.kind === ATTEMPT && bufferFirstAttempt(world, job)) || delayToRateLimit(world, job)

/** Schedules an attempt for later if the endpoint's rate limit is reached; returns whether it did. */
function delayToRateLimit(world: World, job: Job): boolean {
  const { kind, subject } = job
  const data = attemptOptionsOf(job)
  const limit = world.db.find(endpoints, data.endpointId)?.rate_limit
  if (!limit || data.wasRateLimited) return false
  const now = world.clock.now()
  const due = deliveryState(world).rateLimiter.reserve(data.endpointId, limit, now)
  if (due <= now) return false
  world.agenda.schedule({ due, kind, subject, data: { ...data, wasRateLimited: true } })
  return true
}

/**
 * Stores the event of messages before it is sent, because it could be lost otherwise. An interrupted advance is repeated
 * from the stored state.
 */
async function storeEvent(world: World, [first]: readonly Job[]): Promise<void> {
  const message = first && world.db.find(messages, first.subject)
  if (message) await world.db.storing(events, message.event_id)?.catch(() => undefined)
}

/** Begins like that of the service. Source: docs/contract/webhooks.md#signatures. */
const USER_AGENT = `Svix-Webhooks/1.62.0 (Petri/${version.petri})`

/** More than the five minutes that verifiers accept. Source: docs/contract/webhooks.md#signatures. */
const STALE_MS = 10 * MINUTE_MS

/** Prepares the attempt of a job; returns undefined if there is nothing left to send. */
function prepare(world: World, job: Job): Delivery | undefined {
  const message = world.db.find(messages, job.subject)
  const endpoint = message && world.db.find(endpoints, message.endpoint_id)
  if (!endpoint || endpoint.disabled || (job.kind === ATTEMPT && message.status !== 'pending'))
    return undefined
  const faults = faultsOfMessage(world, message)
  const secrets = validSecrets(endpoint, world.clock.now())
  const startedAt = world.clock.wall()
  const applied = {
    duplicate: job.kind === DUPLICATE,
    drop_first: job.kind === ATTEMPT && scheduledAttempts(message) < (faults.drop_first ?? 0),
    bad_signature: faults.bad_signature === true,
    stale_timestamp: faults.stale_timestamp === true,
    respell: faults.respell === true,
    rotated_secret: secrets.length > 1,
  }
  return {
    job,
    message,
    endpoint,
    request: requestOf(world, { message, endpoint, secrets, faults, startedAt }),
    isDropped: applied.drop_first,
    marks: keysOf(applied).filter((mark) => applied[mark]),
    at: world.clock.now(),
    startedAt,
    frozen: world.clock.frozen,
  }
}

interface RequestOptions extends Pick<Delivery, 'message' | 'endpoint' | 'startedAt'> {
  readonly secrets: readonly string[]
  readonly faults: WebhookFaults
}

/** The request of a delivery. Its timestamp is of the wall clock, because verifiers compare it with theirs. */
function requestOf(
  world: World,
  { message: { event_id }, endpoint: { url, headers }, secrets, faults, startedAt }: RequestOptions,
): Delivery['request'] {
  const written = payloadText(world, event_id)
  const body = faults.respell ? respell(written) : written
  const timestamp = Math.floor((startedAt - (faults.stale_timestamp ? STALE_MS : 0)) / 1000)
  const signed = faults.bad_signature ? `${body} ` : body
  return {
    url,
    headers: {
      ...headers,
      accept: '*/*',
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'svix-id': event_id,
      'svix-timestamp': String(timestamp),
      'svix-signature': signatures(secrets, event_id, timestamp, signed),
    },
    body,
  }
}

/** A delivery with its outcome. */
interface Sent extends Delivery, Outcome {
  /** Wall clock, in milliseconds since 1970. */
  readonly endedAt: number
}

/** Sends a request, unless webhook faults drop it. */
async function send(world: World, delivery: Delivery): Promise<Sent> {
  const { endpoint, request, isDropped } = delivery
  const outcome = isDropped
    ? { error: 'Lost on the way, as the webhook faults say (drop_first); the receiver never saw it' }
    : await world.services.outgoing.post(endpoint.id, request, world.agenda.currentRun)
  return { ...delivery, ...outcome, endedAt: world.clock.wall() }
}

/** The maximum stored length of a reply's body, in characters. */
const MAX_KEPT_BODY = 4096

/** Headers that depend on the wall clock. A frozen world does not store them, because equal calls must leave equal rows. */
const WALL_HEADERS = new Set(['svix-timestamp', 'svix-signature', 'date'])

/** These headers of a request or reply, or the others. */
const selectHeaders = (headers: Headers, areOfWall: boolean): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => WALL_HEADERS.has(name) === areOfWall))

/** An attempt as it is stored. */
function attemptOf({
  job,
  request,
  marks,
  at,
  startedAt,
  frozen,
  reply,
  error,
  advice,
  endedAt,
}: Sent): Attempt {
  return {
    at,
    status: reply?.status ?? null,
    duration_ms: frozen ? 0 : Math.round(endedAt - startedAt),
    error,
    advice,
    manual: job.kind === RESEND || undefined,
    marks: marks.length > 0 ? [...marks] : undefined,
    request: { headers: frozen ? selectHeaders(request.headers, false) : request.headers },
    response: reply && {
      headers: frozen ? selectHeaders(reply.headers, false) : reply.headers,
      body: reply.body.slice(0, MAX_KEPT_BODY),
    },
  }
}

/** Marks that explain the time of a message. */
const TIMING_MARKS = new Set(['burst', 'reorder', 'delay'])

/** Stores an attempt and decides what follows: nothing, a duplicate, a retry, or giving the message up. */
function settle(world: World, sent: Sent): void {
  const before = world.db.find(messages, sent.message.id)
  if (!before) return
  const { id } = before
  const { log, wallHeaders } = deliveryState(world)
  const options = attemptOptionsOf(sent.job)
  const attempt = attemptOf(sent)
  if (sent.frozen)
    wallHeaders.set(attemptKey(id, sent.message.attempts.length), selectHeaders(sent.request.headers, true))
  recordDelivery(world, before, attempt)
  const message: Message = {
    ...before,
    attempts: [...before.attempts, attempt],
    marks: [...new Set([...before.marks, ...sent.marks])],
  }
  const left = (options.duplicates ?? 1) - 1
  const endpoint = world.db.find(endpoints, before.endpoint_id)
  if (isSuccess(attempt.status)) {
    world.agenda.cancel(ATTEMPT, id)
    log.change({ ...message, status: 'delivered' }, before)
    if (endpoint) recordSuccess(world, endpoint)
    const more = before.status === 'pending' ? (faultsOfMessage(world, before).duplicate ?? 0) : left
    scheduleDuplicate(world, before, more)
    return
  }
  log.change(afterFailedAttempt(world, message, sent), before)
  if (endpoint && !endpoint.disabled) recordFailure(world, endpoint)
  scheduleDuplicate(world, before, left)
}

function recordDelivery(
  world: World,
  message: Message,
  { status, error, advice, marks = [] }: Attempt,
): void {
  const allMarks = [...message.marks.filter((mark) => TIMING_MARKS.has(mark)), ...marks]
  world.agenda.record('delivery', {
    message_id: message.id,
    endpoint_id: message.endpoint_id,
    event_type: message.event_type,
    status: status ?? 'error',
    detail: error,
    advice,
    marks: allMarks.length > 0 ? allMarks : undefined,
    order_id: message.order_id,
    user_id: message.user_id ?? undefined,
  })
}

function scheduleDuplicate(world: World, { id, endpoint_id }: Message, duplicates: number): void {
  if (duplicates < 1) return
  const data: AttemptOptions = { endpointId: endpoint_id, duplicates }
  world.agenda.schedule({ due: world.clock.now(), kind: DUPLICATE, subject: id, data })
}

/** Schedules the next attempt, or gives the message up. */
function afterFailedAttempt(world: World, message: Message, { job, reply, endedAt }: Sent): Message {
  const options = attemptOptionsOf(job)
  const failed: Message = { ...message, status: 'failed' }
  if (job.kind === RESEND) return options.hadFailed ? failed : message
  if (message.status !== 'pending') return message
  const failure = { status: reply?.status ?? null, retryAfter: reply?.headers['retry-after'] }
  const waitMs = waitAfter(scheduledAttempts(message), failure, endedAt)
  const endpoint = world.db.find(endpoints, message.endpoint_id)
  if (!endpoint || endpoint.disabled) return failed
  if (waitMs === undefined) {
    announceExhausted(world, message, endpoint)
    const { error, advice, status } = message.attempts.at(-1) ?? {}
    world.warn('A webhook message was given up', {
      message_id: message.id,
      event_type: message.event_type,
      url: endpoint.url,
      attempts: message.attempts.length,
      reason: error ?? status,
      advice: world.services.outgoing.adviceOnce(advice),
    })
    return failed
  }
  if (!deliveryState(world).log.hasRoomFor(0))
    return { ...failed, marks: [...message.marks, TOO_MANY_WAITING] }
  const due = world.clock.now() + waitMs
  world.agenda.schedule({ due, kind: ATTEMPT, subject: message.id, data: options })
  return message
}

/** The event for a message that was given up. It is not announced for messages about itself. */
const EXHAUSTED = 'message.attempt.exhausted'

/**
 * Announces a message that was given up to the endpoints that do not fail. Of an event that many endpoints have given
 * up, only the first are announced. Source: docs/contract/webhooks.md#delivery.
 */
function announceExhausted(world: World, message: Message, failing: Endpoint): void {
  if (message.event_type === EXHAUSTED) return
  if (!deliveryState(world).log.countAnnouncement(message.event_id)) return
  const last = message.attempts.at(-1)
  const event = appendOperationalEvent(world, EXHAUSTED, {
    appId: `app_${world.ids.letters('app', BASE62, 27)}`,
    appUid: world.identity.teamId,
    endpointId: failing.id,
    msgId: message.event_id,
    msgEventId: null,
    lastAttempt: {
      id: `atmpt_${world.ids.letters(`attempt/${message.id}/${WAITS_SECONDS.length + 1}`, BASE62, 27)}`,
      responseStatusCode: last?.status ?? 0,
      timestamp: toIso(last?.at ?? world.clock.now()),
    },
  })
  const others = subscribers(world, EXHAUSTED).filter(
    ({ id, event_types, failing: failure }) => id !== failing.id && event_types === null && failure === null,
  )
  enqueue(world, event, others)
}
