import QuickLRU from 'quick-lru'
import type { DeliveryFaults } from '../api/delivery.ts'
import { version } from '../api/version.ts'
import { MINUTE_MS, SECOND_MS, toIso } from '../kernel/instant.ts'
import { BASE62 } from '../kernel/random.ts'
import type { Job } from '../scheduler/job.ts'
import { appendOperationalEvent, payloadText } from '../world/append-event.ts'
import { events } from '../world/events.ts'
import type { World } from '../world/world.ts'
import { faultsOfMessage } from './delivery-faults.ts'
import { recordFailure, recordSuccess, validSecrets } from './endpoints.ts'
import { ATTEMPT, type AttemptOptions, DUPLICATE, RESEND } from './jobs.ts'
import { KeyedMutex } from './keyed-mutex.ts'
import { EventLog } from './log.ts'
import { enqueue, subscribers } from './messages.ts'
import type { Outcome, OutgoingCalls } from './outgoing.ts'
import { isSuccess, WAITS_SECONDS, waitAfter } from './retry-schedule.ts'
import { signatures } from './signature.ts'
import { type Attempt, type Endpoint, endpoints, type Message, messages, scheduledAttempts } from './table.ts'
import type { TransportRequest } from './transport.ts'

export interface DeliveryOptions {
  readonly outgoing: OutgoingCalls
  readonly wall: () => number
}

type Headers = Readonly<Record<string, string>>
type PreparedRequest = Omit<TransportRequest, 'timeoutMs'>

/** The maximum number of attempts whose wall-clock headers are remembered. */
const MAX_WALL_HEADERS = 2048

/** The state of a world's deliveries while the world is open; it is not stored. */
export class DeliveryState {
  /** One delivery at a time per endpoint. */
  readonly mutex = new KeyedMutex()
  readonly rateLimiter = new RateLimiter()
  readonly log: EventLog
  readonly wallHeaders = new QuickLRU<string, Headers>({ maxSize: MAX_WALL_HEADERS })
  /** Resolves when all earlier attempts are settled: a frozen world settles attempts in the order they were due. */
  settled: Promise<unknown> = Promise.resolve()
  /** Whether the world was dropped, reset or closed. */
  closed = false

  constructor(world: World) {
    this.log = new EventLog(world)
  }
}

/** Limits the number of messages to an endpoint per second of the world's clock. */
class RateLimiter {
  /** When the next message can be sent, by endpoint. */
  readonly #nextAt = new Map<string, number>()

  /** Reserves the next time at an endpoint's rate, and returns it in milliseconds since 1970. */
  reserve(endpointId: string, perSecond: number, now: number): number {
    const at = Math.max(now, this.#nextAt.get(endpointId) ?? 0)
    this.#nextAt.set(endpointId, at + SECOND_MS / perSecond)
    return Math.ceil(at)
  }
}

/** Makes one attempt: prepares the request and sends it. Returns the function that settles the message. */
export async function attempt(
  world: World,
  state: DeliveryState,
  job: Job,
  { outgoing, wall }: DeliveryOptions,
): Promise<(() => void) | undefined> {
  const storing = world.agenda.advancing ? undefined : storeEvent(world, job.subject)
  if (storing) await storing
  const found = findDeliverable(world, state, job)
  if (!found) return undefined
  const { message, endpoint } = found
  const faults = faultsOfMessage(world, message)
  const isDropped = job.kind === ATTEMPT && scheduledAttempts(message) < (faults.drop_first ?? 0)
  const at = world.clock.now()
  const { frozen } = world.clock
  const startedAt = wall()
  const request = prepare(world, endpoint, message, { startedAt, faults })
  const outcome = isDropped ? LOST : await outgoing.post(endpoint.id, request, world.agenda.currentRun)
  const endedAt = wall()
  const marks = marksOf(request, faults, { isDropped, isDuplicate: job.kind === DUPLICATE })
  const { reply } = outcome
  const made: Attempt = {
    at,
    status: reply?.status ?? null,
    duration_ms: frozen ? 0 : Math.round(endedAt - startedAt),
    ...(outcome.error !== undefined && { error: outcome.error }),
    ...(job.kind === RESEND && { manual: true }),
    ...(marks.length > 0 && { marks }),
    request: { headers: frozen ? withoutWallHeaders(request.headers) : request.headers },
    ...(reply && {
      response: {
        headers: frozen ? withoutWallHeaders(reply.headers) : reply.headers,
        body: reply.body.slice(0, MAX_KEPT_BODY),
      },
    }),
  }
  return () => {
    if (state.closed) return
    if (frozen) state.wallHeaders.set(`${message.id}/${message.attempts.length}`, wallHeadersOf(request))
    settle(world, message.id, {
      attempt: made,
      retryAfter: reply?.headers['retry-after'],
      endedAt,
      options: job.data as AttemptOptions,
    })
  }
}

/**
 * Stores an event before it is sent, because it could be lost otherwise. An interrupted advance is repeated from the
 * stored state.
 */
function storeEvent(world: World, messageId: string): Promise<void> | undefined {
  const event = world.db.find(messages, messageId)?.event_id
  return event === undefined ? undefined : world.db.storing(events, event)?.catch(() => undefined)
}

/** The message of a job and its endpoint; undefined if there is nothing left to send. */
function findDeliverable(
  world: World,
  state: DeliveryState,
  { kind, subject }: Job,
): { readonly message: Message; readonly endpoint: Endpoint } | undefined {
  const message = state.closed ? undefined : world.db.find(messages, subject)
  const endpoint = message && world.db.find(endpoints, message.endpoint_id)
  if (!endpoint || endpoint.disabled || (kind === ATTEMPT && message.status !== 'pending')) return undefined
  return { message, endpoint }
}

/** Begins like that of the service. Source: contract/webhooks.md §6. */
const USER_AGENT = `Svix-Webhooks/1.62.0 (Petri/${version.petri})`

/** More than the five minutes that verifiers accept. Source: contract/webhooks.md §6. */
const STALE_MS = 10 * MINUTE_MS

/** The request of a delivery. Its timestamp is of the wall clock, because verifiers compare it with theirs. */
function prepare(
  world: World,
  endpoint: Endpoint,
  { event_id }: Message,
  { startedAt, faults }: { readonly startedAt: number; readonly faults: DeliveryFaults },
): PreparedRequest {
  const body = payloadText(world, event_id)
  const timestamp = Math.floor((startedAt - (faults.stale_timestamp ? STALE_MS : 0)) / 1000)
  const secrets = validSecrets(endpoint, world.clock.now())
  const signed = faults.bad_signature ? `${body} ` : body
  return {
    url: endpoint.url,
    headers: {
      ...endpoint.headers,
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

/** The outcome of an attempt that delivery faults drop before it is sent. */
const LOST: Outcome = {
  error: 'Lost on the way, as the delivery rules say (drop_first); the receiver never saw it',
}

/** The marks of an attempt in the log. */
function marksOf(
  { headers }: PreparedRequest,
  faults: DeliveryFaults,
  { isDropped, isDuplicate }: { readonly isDropped: boolean; readonly isDuplicate: boolean },
): string[] {
  const applied = {
    duplicate: isDuplicate,
    drop_first: isDropped,
    bad_signature: faults.bad_signature,
    stale_timestamp: faults.stale_timestamp,
    rotated_secret: headers['svix-signature']?.includes(' '),
  }
  return Object.entries(applied).flatMap(([mark, isApplied]) => (isApplied ? [mark] : []))
}

/** The maximum stored length of a reply's body, in characters. */
const MAX_KEPT_BODY = 4096

/** Headers that depend on the wall clock. A frozen world does not store them, because equal calls must leave equal rows. */
const WALL_HEADERS = new Set(['svix-timestamp', 'svix-signature', 'date'])

const withoutWallHeaders = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !WALL_HEADERS.has(name)))

const wallHeadersOf = ({ headers }: PreparedRequest): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => WALL_HEADERS.has(name)))

interface FinishedAttempt {
  readonly attempt: Attempt
  readonly retryAfter: string | undefined
  /** Wall clock, in milliseconds since 1970. */
  readonly endedAt: number
  readonly options: AttemptOptions
}

/** Marks that explain the time of a message. */
const TIMING_MARKS = new Set(['burst', 'reorder', 'delay'])

/** Stores an attempt and decides what follows: nothing, a duplicate, a retry, or giving the message up. */
function settle(world: World, id: string, finished: FinishedAttempt): void {
  const before = world.db.find(messages, id)
  if (!before) return
  const { attempt, options } = finished
  const { marks = [] } = attempt
  const allMarks = [...before.marks.filter((mark) => TIMING_MARKS.has(mark)), ...marks]
  const left = (options.duplicates ?? 1) - 1
  world.agenda.record('delivery', {
    message_id: id,
    endpoint_id: before.endpoint_id,
    event_type: before.event_type,
    status: attempt.status ?? 'error',
    ...(attempt.error !== undefined && { detail: attempt.error }),
    ...(allMarks.length > 0 && { marks: allMarks }),
    ...(before.order_id !== undefined && { order_id: before.order_id }),
    ...(before.user_id !== null && { user_id: before.user_id }),
  })
  const message: Message = {
    ...before,
    attempts: [...before.attempts, attempt],
    marks: [...new Set([...before.marks, ...marks])],
  }
  const log = world.parts.webhooks.logOf(world)
  const endpoint = world.db.find(endpoints, before.endpoint_id)
  if (isSuccess(attempt.status)) {
    world.agenda.cancel(ATTEMPT, id)
    log.change({ ...message, status: 'delivered' }, before)
    if (endpoint) recordSuccess(world, endpoint)
    const more = before.status === 'pending' ? (faultsOfMessage(world, before).duplicate ?? 0) : left
    scheduleDuplicate(world, before, more)
    return
  }
  log.change({ ...message, status: afterFailedAttempt(world, message, finished) }, before)
  if (endpoint && !endpoint.disabled) recordFailure(world, endpoint)
  scheduleDuplicate(world, before, left)
}

function scheduleDuplicate(world: World, { id, endpoint_id }: Message, duplicates: number): void {
  if (duplicates < 1) return
  const data: AttemptOptions = { endpointId: endpoint_id, duplicates }
  world.agenda.schedule({ due: world.clock.now(), kind: DUPLICATE, subject: id, data })
}

/** Schedules the next attempt, or gives the message up. */
function afterFailedAttempt(world: World, message: Message, finished: FinishedAttempt): Message['status'] {
  const { attempt, options, retryAfter, endedAt } = finished
  if (attempt.manual) return options.reopened ? 'failed' : message.status
  if (message.status !== 'pending') return message.status
  const waitMs = waitAfter(scheduledAttempts(message), { status: attempt.status, retryAfter }, endedAt)
  const endpoint = world.db.find(endpoints, message.endpoint_id)
  if (!endpoint || endpoint.disabled) return 'failed'
  if (waitMs === undefined) {
    announceExhausted(world, message, endpoint)
    return 'failed'
  }
  const due = world.clock.now() + waitMs
  world.agenda.schedule({ due, kind: ATTEMPT, subject: message.id, data: options })
  return 'pending'
}

/** The event for a message that was given up. It is not announced for messages about itself. */
const EXHAUSTED = 'message.attempt.exhausted'

/** Source: contract/webhooks.md §9. */
function announceExhausted(world: World, message: Message, failing: Endpoint): void {
  if (message.event_type === EXHAUSTED) return
  const last = message.attempts.at(-1)
  const event = appendOperationalEvent(world, EXHAUSTED, {
    appId: `app_${world.random.letters('app', BASE62, 27)}`,
    appUid: world.identity.teamId,
    endpointId: failing.id,
    msgId: message.event_id,
    msgEventId: null,
    lastAttempt: {
      id: `atmpt_${world.random.letters(`attempt/${message.id}/${WAITS_SECONDS.length + 1}`, BASE62, 27)}`,
      responseStatusCode: last?.status ?? 0,
      timestamp: toIso(last?.at ?? world.clock.now()),
    },
  })
  const others = subscribers(world, EXHAUSTED).filter(
    ({ id, event_types }) => id !== failing.id && event_types === null,
  )
  enqueue(world, event, others)
}
