import { toIso } from '../kernel/instant.ts'
import { BASE62 } from '../kernel/random.ts'
import { appendOperationalEvent } from '../world/append-event.ts'
import type { World } from '../world/world.ts'
import { faultsOfMessage } from './delivery-faults.ts'
import { recordFailure, recordSuccess } from './endpoints.ts'
import { ATTEMPT, type AttemptOptions, DUPLICATE } from './jobs.ts'
import { enqueue, subscribers } from './messages.ts'
import { isSuccess, WAITS_SECONDS, waitAfter } from './retry-schedule.ts'
import { type Attempt, type Endpoint, endpoints, type Message, messages, scheduledAttempts } from './table.ts'

/** Announces that a message was given up. Its own failures are not announced. */
const EXHAUSTED = 'message.attempt.exhausted'

/** Marks that say why a message was sent when it was. */
const TIMING_MARKS = new Set(['burst', 'reorder', 'delay'])

export interface FinishedAttempt {
  readonly attempt: Attempt
  readonly retryAfter: string | undefined
  readonly wallNow: number
  readonly options: AttemptOptions
}

/** Stores an attempt and decides what follows: nothing, a duplicate, a retry, or giving the message up. */
export function settle(world: World, id: string, finished: FinishedAttempt): void {
  const before = world.db.find(messages, id)
  if (!before) return
  const { attempt, options } = finished
  const { marks = [] } = attempt
  const allMarks = [...before.marks.filter((mark) => TIMING_MARKS.has(mark)), ...marks]
  const delivered = isSuccess(attempt.status)
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
  if (delivered) {
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
  const { attempt, options, retryAfter, wallNow } = finished
  if (attempt.manual) return options.reopened ? 'failed' : message.status
  if (message.status !== 'pending') return message.status
  const waitMs = waitAfter(scheduledAttempts(message), { status: attempt.status, retryAfter }, wallNow)
  const endpoint = world.db.find(endpoints, message.endpoint_id)
  if (!endpoint || endpoint.disabled) return 'failed'
  if (waitMs === undefined) {
    announceExhausted(world, message, endpoint)
    return 'failed'
  }
  const due = world.clock.now() + world.paced(waitMs)
  world.agenda.schedule({ due, kind: ATTEMPT, subject: message.id, paced: true, data: options })
  return 'pending'
}

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
