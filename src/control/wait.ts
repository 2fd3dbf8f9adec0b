import * as z from 'zod'
import { field, integer, oneOf, text, uuid } from '../api/fields.ts'
import { valueError } from '../api/issue.ts'
import { type AnyOperation, operation } from '../api/operation.ts'
import { nullableText, type Parsed, schema } from '../api/schema.ts'
import { parseDuration } from '../kernel/duration.ts'
import { isoOrNull, toIso } from '../kernel/instant.ts'
import { didYouMean } from '../kernel/nearest.ts'
import { inNextTurn, startTimer } from '../kernel/pause.ts'
import { badRequest, conflict, Problem } from '../kernel/problem.ts'
import { plural } from '../kernel/readable.ts'
import { runAtOnce } from '../kernel/slices.ts'
import {
  dotted,
  legalMoves,
  readStatus,
  statusSpellings,
  topStatusOf,
} from '../resources/orders/lifecycle.ts'
import { Order } from '../resources/orders/schema.ts'
import { getOrder } from '../resources/orders/service.ts'
import { methodOf, statusHistoryOf, workflowOf } from '../resources/orders/table.ts'
import { findMessages, pageOfMessages } from '../webhooks/messages.ts'
import { endpoints, type Message, messageStatuses, messages } from '../webhooks/table.ts'
import type { World } from '../world/world.ts'
import { getOperation, isOfStatus, RequestSummary, summarise } from './requests.ts'
import { WebhookMessage } from './webhooks/schema.ts'
import { assertEventType, presentMessage } from './webhooks/service.ts'

/** The longest timeout, in milliseconds. */
const MAX_WAIT_MS = 600_000

const timeout = () =>
  field({ type: 'string', examples: ['10s', '1m'] }, (input) => {
    const wait = typeof input === 'string' ? parseDuration(input) : undefined
    return wait !== undefined && wait <= MAX_WAIT_MS
      ? Math.round(wait)
      : valueError('a timeout is a duration of up to 10m, such as "10s"')
  })

/** Exactly one condition: the status of an order, a message, or a request. */
const Wait = schema('PetriWait', () =>
  z.strictObject({
    order_id: uuid().optional(),
    status: text().optional().describe('The low-level or dotted status to wait for.'),
    message: z
      .strictObject({
        event_type: text().optional(),
        order_id: text().optional(),
        user_id: text().optional(),
        status: oneOf(messageStatuses).default('delivered'),
      })
      .optional(),
    request: z
      .strictObject({
        operation: text().describe('An id or a route.'),
        status: z
          .union([z.int(), z.string()])
          .optional()
          .describe('Such as 200 or "4xx"; any status by default.'),
      })
      .optional(),
    times: integer({ ge: 1, le: 1000 }).default(1),
    timeout: timeout()
      .optional()
      .describe(
        'In wall-clock time; 10s by default. In a frozen world a call without one fails at once when only time can help.',
      ),
  }),
)

/** The order, or the messages or requests, latest last. */
export const Found = schema('PetriFound', () => ({
  order: Order().optional(),
  messages: z.array(WebhookMessage()).optional(),
  requests: z.array(RequestSummary()).optional(),
}))

export const Missed = schema('PetriMissed', () => ({
  detail: z.string(),
  /** The nearest match as a sentence; null if there is none. */
  nearest: nullableText(),
  next_due: nullableText(),
  /** What happened, oldest first. */
  timeline: z.array(z.object({ at: z.string(), what: z.string() })),
}))

export const waitOperation = (mirrored: readonly AnyOperation[]) =>
  operation({
    id: 'petri_wait',
    route: 'POST /_petri/wait',
    summary:
      'Wait until an order has reached a status, a message was delivered or a call was received; answers immediately if that is already true',
    tool: { name: 'wait', description: 'Give order_id and status, or message, or request' },
    body: Wait,
    returns: Found,
    alsoReturns: { 408: Missed },
    async run(world, { body }, { clientSignal }) {
      return waitFor(world, conditionOf(world, body, mirrored), body.timeout, clientSignal())
    },
  })

function conditionOf(
  world: World,
  { order_id, status, message, request, times }: Parsed<typeof Wait>,
  operations: readonly AnyOperation[],
): Condition {
  const given = [order_id, message, request].filter((input) => input !== undefined)
  if (given.length === 1) {
    if (order_id !== undefined && status !== undefined) return orderCondition(world, order_id, status, times)
    if (message && status === undefined) return messageCondition(world, message, times)
    if (request && status === undefined) return requestCondition(world, request, times, operations)
  }
  throw badRequest('Give exactly one of "order_id" with "status", "message" and "request".')
}

/** The maximum number of waiting calls and streams of one world. */
const MAX_WAITS = 1000
const DEFAULT_WAIT_MS = 10_000

/**
 * Resolves once the condition is met. After the timeout, in milliseconds of the wall clock, or if it can never be met,
 * throws a 408 with the nearest match. Without a timeout, a wait in a frozen world ends at once if only an advance can
 * meet the condition.
 */
function waitFor(
  world: World,
  condition: Condition,
  given: number | undefined,
  clientSignal: AbortSignal,
): Promise<Parsed<typeof Found>> {
  if (world.agenda.bus.subscribers >= MAX_WAITS) {
    throw new Problem('too_many', `${MAX_WAITS} calls already wait in this world.`)
  }
  const timeoutMs = given ?? DEFAULT_WAIT_MS
  return new Promise((resolve, reject) => {
    let isOver = false
    let isCheckScheduled = false
    const end = (settle: () => void) => {
      if (isOver) return
      isOver = true
      stop()
      stopTimer()
      settle()
    }
    const check = () => {
      isCheckScheduled = false
      try {
        const found = condition.find()
        const impossible = found ? undefined : condition.impossible()
        if (found) end(() => resolve(found))
        else if (impossible) throw missed(world, condition, `${impossible}; the condition can never be met.`)
      } catch (error) {
        end(() => reject(error))
      }
    }
    // Effects are published before they are stored, so the rows are read at the end of the turn.
    const checkSoon = () => {
      if (isCheckScheduled) return
      isCheckScheduled = true
      inNextTurn(check)
    }
    const stopTimer = startTimer(timeoutMs, () => {
      check()
      end(() =>
        reject(
          missed(world, condition, `Waited ${timeoutMs} ms for ${condition.words}. ${clockState(world)}`),
        ),
      )
    })
    const subscriber = {
      onEffect: checkSoon,
      onEnd: () => inNextTurn(() => end(() => reject(gone()))),
    }
    const stop = world.agenda.bus.subscribe(subscriber, condition.topic)
    clientSignal.addEventListener('abort', () => end(() => reject(gone())))
    if (clientSignal.aborted) return end(() => reject(gone()))
    check()
    if (isOver || given !== undefined || !condition.needsTime()) return
    world.agenda.settled().then(() => {
      check()
      if (world.clock.frozen) end(() => reject(missed(world, condition, clockState(world))))
    }, reject)
  })
}

const gone = () => conflict('This world was reset, restored or deleted meanwhile.')

export function missed(world: World, condition: Condition, detail: string): Problem {
  return new Problem('timed_out', detail, {
    also: {
      nearest: condition.nearest(),
      next_due: isoOrNull(world.agenda.nextDue()),
      timeline: condition.timeline(),
    },
  })
}

/** The time of the world, and how to reach the next job. */
function clockState({ clock, agenda }: World): string {
  const due = agenda.nextDue()
  const next = due === undefined ? 'no job is pending' : `the next job is due at ${toIso(due)}`
  if (!clock.frozen) return `It is ${toIso(clock.now())} in this world; ${next}.`
  const advice =
    due === undefined ? '' : ` Advance the clock: POST /_petri/clock/advance {"to": "${toIso(due)}"}.`
  return `The clock of this world is frozen at ${toIso(clock.now())}, and ${next}.${advice}`
}

/** A condition to wait for. */
interface Condition {
  /** A phrase that completes "Waited for …". */
  readonly words: string
  /** The order, user, event type or operation it is about; undefined for any. */
  readonly topic: string | undefined
  /** The result, once the condition is met. */
  find(): Parsed<typeof Found> | undefined
  /** Whether the condition can be met only if the clock advances. */
  needsTime(): boolean
  /** Why the condition can never be met. */
  impossible(): string | undefined
  nearest(): string | null
  timeline(): { at: string; what: string }[]
}

/** The maximum number of timeline entries. */
const MAX_TIMELINE = 20

const often = (times: number) => (times === 1 ? '' : ` ${times} times`)

export function orderCondition(world: World, orderId: string, status: string, times = 1): Condition {
  const order = getOrder(world, orderId)
  const method = methodOf(order)
  const lowOf = (text: string) => {
    const low = readStatus(text)?.low
    return low && topStatusOf(method, low) && low
  }
  const low = lowOf(status)
  if (!low) {
    const hint = didYouMean(status, statusSpellings().filter(lowOf))
    throw badRequest(`"${status}" is not a status of ${method}.${hint}`)
  }
  const wanted = dotted(method, low)
  const current = () => getOrder(world, orderId)
  return {
    topic: orderId,
    words: `order ${orderId} to be ${wanted}${often(times)}`,
    find() {
      const row = current()
      return statusHistoryOf(row).filter((each) => each === low).length >= times ? { order: row } : undefined
    },
    needsTime: () => true,
    impossible() {
      const row = current()
      const legal = legalMoves(workflowOf(row), statusHistoryOf(row))
      return legal.length === 0 ? `The order is ${row.last_event.status}, which is final` : undefined
    },
    nearest() {
      const { last_event } = current()
      return `The order is ${last_event.status} since ${last_event.created_at}.`
    },
    timeline: () =>
      current()
        .events.slice(-MAX_TIMELINE)
        .map(({ created_at, status: what }) => ({ at: created_at, what })),
  }
}

function messageCondition(
  world: World,
  input: NonNullable<Parsed<typeof Wait>['message']>,
  times: number,
): Condition {
  const { status, ...about } = input
  assertEventType(about.event_type)
  const given = Object.entries(about)
  const nearest = () => nearestMessages(world, given, status)
  return {
    topic: about.order_id ?? about.user_id ?? about.event_type,
    words: `a message${given.map(([field, value]) => ` of ${field} ${value}`).join('')} to be ${status}${often(times)}`,
    find() {
      const found = runAtOnce(findMessages(world, input))
      if (found.length < times) return undefined
      return { messages: found.slice(-times).map((message) => presentMessage(world, message)) }
    },
    // A message that does not exist yet can be caused by a call; a pending one only by time.
    needsTime: () =>
      about.order_id !== undefined ||
      runAtOnce(pageOfMessages(world, { ...about, status: 'pending' }, { limit: 1 })).page.length > 0,
    impossible: () => (world.db.count(endpoints) === 0 ? 'The world has no endpoint' : undefined),
    nearest() {
      const best = nearest().at(-1)
      return best ? `${inWords(best)}.` : null
    },
    timeline: () =>
      nearest()
        .sort((a, b) => a.created_at - b.created_at)
        .map((message) => ({ at: toIso(message.created_at), what: inWords(message) })),
  }
}

/** The latest messages that have most of the fields, the best last. They are compared as texts, which need not be read. */
function nearestMessages(
  world: World,
  fields: readonly (readonly [string, unknown])[],
  status: string,
): Message[] {
  const parts = fields.map(([field, value]) => `"${field}":${JSON.stringify(value)}`)
  const found: string[][] = [...parts, ''].map(() => [])
  for (const id of world.db.ids(messages)) {
    const { text } = world.db.text(messages, id)
    const alike = parts.filter((part) => text.includes(part)).length
    const isMatch = alike === parts.length && text.includes(`"status":"${status}"`)
    if (!isMatch && (alike > 0 || parts.length === 0)) found[alike]?.push(id)
  }
  return found
    .flat()
    .slice(-MAX_TIMELINE)
    .map((id) => world.db.get(messages, id))
}

function inWords(message: Message): string {
  const { event_type, status, attempts } = message
  const error = attempts.at(-1)?.error
  const tries = attempts.length === 0 ? 'not tried yet' : plural(attempts.length, 'attempt')
  return `${event_type}${subjectOf(message)} is ${status} (${tries}${error ? `; ${error}` : ''})`
}

function subjectOf({ order_id, user_id }: Message): string {
  if (order_id) return ` of order ${order_id}`
  return user_id ? ` of user ${user_id}` : ''
}

function requestCondition(
  world: World,
  { operation: name, status }: NonNullable<Parsed<typeof Wait>['request']>,
  times: number,
  operations: readonly AnyOperation[],
): Condition {
  const { id, route } = getOperation(name, operations)
  const wanted = status === undefined ? undefined : String(status).toLowerCase()
  if (wanted !== undefined && !/^[1-5](xx|\d\d)$/.test(wanted)) {
    throw badRequest(`"${status}" is not a status; give a number such as 404, or a class such as "4xx".`)
  }
  const matching = () => [...world.requests.all()].filter(({ operation }) => operation === id)
  const line = (record: ReturnType<typeof matching>[number]) => {
    const { method, path, status: code } = summarise(world, record, operations)
    return `${method} ${path} answered ${code}`
  }
  return {
    topic: id,
    words: `a call of ${route}${wanted === undefined ? '' : ` that is answered ${wanted}`}${often(times)}`,
    find() {
      const found = matching().filter((record) => wanted === undefined || isOfStatus(record.status, wanted))
      if (found.length < times) return undefined
      return { requests: found.slice(-times).map((record) => summarise(world, record, operations)) }
    },
    needsTime: () => false,
    impossible: () => undefined,
    nearest() {
      const best = matching().at(-1) ?? [...world.requests.all()].at(-1)
      return best ? `${line(best)}.` : null
    },
    timeline: () =>
      [...world.requests.all()]
        .slice(-MAX_TIMELINE)
        .map((record) => ({ at: toIso(record.at), what: line(record) })),
  }
}
