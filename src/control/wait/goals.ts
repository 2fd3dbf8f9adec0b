import type { AnyOperation } from '../../api/operation.ts'
import type { Parsed } from '../../api/schema.ts'
import { toIso } from '../../kernel/instant.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { Problem } from '../../kernel/problem.ts'
import { runAtOnce } from '../../kernel/slices.ts'
import { eventTypeNames } from '../../resources/event-types.ts'
import {
  dotted,
  dottedStatuses,
  legalMoves,
  lowStatuses,
  readStatus,
  topStatusOf,
} from '../../resources/orders/lifecycle.ts'
import { getOrder } from '../../resources/orders/service.ts'
import { methodOf, statusHistoryOf, workflowOf } from '../../resources/orders/table.ts'
import { findMessages, pageOfMessages } from '../../webhooks/messages.ts'
import { type Message, messages } from '../../webhooks/table.ts'
import type { World } from '../../world/world.ts'
import { getOperation, isOfStatus, summarise } from '../requests/service.ts'
import { presentMessage } from '../webhooks/service.ts'
import type { Found, Wait } from './schema.ts'

/** A condition to wait for. */
export interface Goal {
  /** A phrase that completes "Waited for …". */
  readonly words: string
  /** The order, user, event type or operation it is about; undefined for any. */
  readonly topic: string | undefined
  /** The result, once the condition is met. */
  find(): Parsed<typeof Found> | undefined
  /** Whether the condition can be met only if the clock advances. */
  needsTime(): boolean
  /** Why the condition can never be met. */
  impossible?(): string | undefined
  nearest(): string | null
  timeline(): { at: string; what: string }[]
}

type Input = Parsed<typeof Wait>

/** The maximum number of timeline entries. */
const MAX_TIMELINE = 20

const often = (times: number) => (times === 1 ? '' : ` ${times} times`)

export function orderGoal(world: World, orderId: string, status: string, times: number): Goal {
  const order = getOrder(world, orderId)
  const method = methodOf(order)
  const low = readStatus(status)?.low
  if (!low || !topStatusOf(method, low)) {
    const known = [...lowStatuses, ...dottedStatuses]
    throw new Problem('bad_request', `"${status}" is no status of ${method}.${didYouMean(status, known)}`)
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

export function messageGoal(world: World, input: NonNullable<Input['message']>, times: number): Goal {
  const { status, ...about } = input
  const { event_type: type } = about
  if (type !== undefined && !eventTypeNames().has(type) && !type.startsWith('message.')) {
    throw new Problem(
      'bad_request',
      `There is no event type "${type}".${didYouMean(type, [...eventTypeNames()])}`,
    )
  }
  const given = Object.entries(about).filter(([, value]) => value !== undefined)
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

function inWords({ event_type, order_id, user_id, status, attempts }: Message): string {
  const about = order_id ? ` of order ${order_id}` : user_id ? ` of user ${user_id}` : ''
  const error = attempts.at(-1)?.error
  const tries = attempts.length === 0 ? 'not tried yet' : `${attempts.length} attempts`
  return `${event_type}${about} is ${status} (${tries}${error ? `; ${error}` : ''})`
}

export function requestGoal(
  world: World,
  { operation: name, status }: NonNullable<Input['request']>,
  times: number,
  operations: readonly AnyOperation[],
): Goal {
  const { id, route } = getOperation(name, operations)
  const wanted = status === undefined ? undefined : String(status).toLowerCase()
  if (wanted !== undefined && !/^[1-5](xx|\d\d)$/.test(wanted)) {
    throw new Problem('bad_request', `"${status}" is no status; write 404, or "4xx" for all of them.`)
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
