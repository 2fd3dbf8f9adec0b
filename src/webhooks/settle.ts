import { toIso } from '../kernel/instant.ts'
import { BASE62 } from '../kernel/random.ts'
import { appendOperationalEvent } from '../world/events.ts'
import type { World } from '../world/world.ts'
import { noteFailure, noteSuccess } from './endpoints.ts'
import { ATTEMPT, type AttemptOrder, DUPLICATE } from './jobs.ts'
import { enqueue, subscribers } from './messages.ts'
import { isSuccess, WAITS_SECONDS, waitAfter } from './retry-schedule.ts'
import { rulesOfMessage } from './rules.ts'
import { type Attempt, type Endpoint, endpoints, type Message, messages, scheduledAttempts } from './table.ts'

/** The news that a message is given up; it has its own envelope and is told of no failures of its own. */
const EXHAUSTED = 'message.attempt.exhausted'

/** Marks of a message that say how it came to be sent when it was. */
const ON_THE_WAY = new Set(['burst', 'reorder', 'delay'])

export interface Finished {
  readonly attempt: Attempt
  readonly retryAfter: string | undefined
  readonly wallNow: number
  readonly order: AttemptOrder
}

/** Writes an attempt down and decides how the message goes on. */
export function settle(world: World, id: string, finished: Finished): void {
  const before = world.db.find(messages, id)
  if (!before) return
  const { attempt, order } = finished
  const { marks = [] } = attempt
  const told = [...before.marks.filter((mark) => ON_THE_WAY.has(mark)), ...marks]
  const delivered = isSuccess(attempt.status)
  const left = (order.duplicates ?? 1) - 1
  world.agenda.record('delivery', {
    message_id: id,
    endpoint_id: before.endpoint_id,
    event_type: before.event_type,
    status: attempt.status ?? 'error',
    ...(attempt.error !== undefined && { detail: attempt.error }),
    ...(told.length > 0 && { marks: told }),
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
  if (delivered) {
    world.agenda.remove(ATTEMPT, id)
    log.change({ ...message, status: 'delivered' }, before)
    if (endpoint) noteSuccess(world, endpoint)
    const more = before.status === 'pending' ? (rulesOfMessage(world, before).duplicate ?? 0) : left
    deliverAgain(world, before, more)
    return
  }
  log.change({ ...message, status: afterFailedAttempt(world, message, finished) }, before)
  if (endpoint && !endpoint.disabled) noteFailure(world, endpoint)
  deliverAgain(world, before, left)
}

function deliverAgain(world: World, { id, endpoint_id }: Message, duplicates: number): void {
  if (duplicates < 1) return
  const data: AttemptOrder = { endpointId: endpoint_id, duplicates }
  world.agenda.add({ due: world.clock.now(), kind: DUPLICATE, subject: id, data })
}

/** Schedules the next attempt, or gives the message up. */
function afterFailedAttempt(world: World, message: Message, finished: Finished): Message['status'] {
  const { attempt, order, retryAfter, wallNow } = finished
  if (attempt.manual) return order.reopened ? 'failed' : message.status
  if (message.status !== 'pending') return message.status
  const waitMs = waitAfter(scheduledAttempts(message), { status: attempt.status, retryAfter }, wallNow)
  const endpoint = world.db.find(endpoints, message.endpoint_id)
  if (!endpoint || endpoint.disabled) return 'failed'
  if (waitMs === undefined) {
    tellExhausted(world, message, endpoint)
    return 'failed'
  }
  const due = world.clock.now() + world.paced(waitMs)
  world.agenda.add({ due, kind: ATTEMPT, subject: message.id, paced: true, data: order })
  return 'pending'
}

/** Source: contract/webhooks.md §9. */
function tellExhausted(world: World, message: Message, failing: Endpoint): void {
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
