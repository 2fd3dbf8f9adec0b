import { Problem } from '../kernel/problem.ts'
import { payloadText } from '../world/append-event.ts'
import type { EventHead } from '../world/events.ts'
import type { World } from '../world/world.ts'
import { bufferedUntil, removeFromBuffer } from './buffer.ts'
import { ATTEMPT, type AttemptOptions, firstAttempt, RESEND } from './jobs.ts'
import { type Endpoint, endpoints, type Message, type MessageStatus, messageId, messages } from './table.ts'

/** Makes one message for each endpoint and queues its first attempt. */
export function enqueue(world: World, event: EventHead, targets: readonly Endpoint[]): void {
  const { webhooks } = world.parts
  const log = webhooks.logOf(world)
  targets.forEach((endpoint, at) => {
    const message = log.put(newMessage(event, endpoint.id, at + 1), undefined)
    if (!webhooks.queueBehindCurrent(world, message)) world.agenda.scheduleTransient(firstAttempt(message))
  })
  log.opened(event.id)
}

/**
 * Goes on with pending messages when a world is opened, in steps: the jobs of first attempts have no rows, and the process may
 * have ended while messages were given up.
 */
export function* resumePending(world: World): Generator<void, void> {
  for (const message of world.db.all(messages)) {
    if (message.status === 'pending') {
      if (world.db.find(endpoints, message.endpoint_id)?.disabled !== false) giveUp(world, message)
      else if (!hasScheduledAttempt(world, message)) world.agenda.scheduleTransient(firstAttempt(message))
    }
    yield
  }
}

/** Whether a stored job or the buffer will send the message. A resend counts only if the message had failed before. */
function hasScheduledAttempt(world: World, { id }: Message): boolean {
  const requested = world.agenda.find(RESEND, id)?.data as AttemptOptions | undefined
  return (
    requested?.reopened === true ||
    world.agenda.find(ATTEMPT, id) !== undefined ||
    bufferedUntil(world, id) !== undefined
  )
}

const newMessage = (event: EventHead, endpointId: string, ordinal: number): Message => ({
  id: messageId(event.id, ordinal),
  event_id: event.id,
  event_type: event.event_type,
  user_id: event.user_id,
  ...(event.order_id !== undefined && { order_id: event.order_id }),
  endpoint_id: endpointId,
  created_at: event.at,
  status: 'pending',
  attempts: [],
  marks: [],
})

/** The enabled endpoints that subscribe to an event type. */
export const subscribers = (world: World, eventType: string): Endpoint[] =>
  world.db
    .ids(endpoints)
    .map((id) => world.db.get(endpoints, id))
    .filter(({ disabled, event_types }) => !disabled && (event_types?.includes(eventType) ?? true))

export function getMessage(world: World, id: string): Message {
  const message = world.db.find(messages, id)
  if (!message) throw new Problem('not_found', `No webhook message ${id}`)
  return message
}

/** Attempts a delivery once more, now; if it fails, it is not retried. */
export function resendMessage(world: World, id: string): Message {
  const message = getMessage(world, id)
  const endpoint = world.db.find(endpoints, message.endpoint_id)
  if (!endpoint) throw new Problem('conflict', `The endpoint ${message.endpoint_id} has been removed`)
  if (endpoint.disabled) {
    throw new Problem('conflict', `The endpoint ${endpoint.id} is disabled; enable it first`)
  }
  const requested = world.agenda.find(RESEND, id)?.data as AttemptOptions | undefined
  const reopened = message.status === 'failed' || requested?.reopened === true
  const data: AttemptOptions = { endpointId: endpoint.id, reopened }
  world.agenda.schedule({ due: world.clock.now(), kind: RESEND, subject: id, data })
  if (message.status !== 'failed') return message
  return world.parts.webhooks.logOf(world).change({ ...message, status: 'pending' }, message)
}

/** Resends all messages that failed since an instant; returns how many. */
export function recover(world: World, since: number, endpointId?: string): number {
  if (endpointId !== undefined && !world.db.has(endpoints, endpointId)) {
    throw new Problem('not_found', `No webhook endpoint ${endpointId}`)
  }
  const failed = [...world.db.all(messages)].filter(
    ({ status, created_at, endpoint_id }) =>
      status === 'failed' &&
      created_at >= since &&
      (endpointId === undefined || endpoint_id === endpointId) &&
      world.db.find(endpoints, endpoint_id)?.disabled === false,
  )
  for (const { id } of failed) resendMessage(world, id)
  return failed.length
}

/** Fails the pending messages of an endpoint that was disabled or removed, in steps; the next start does what is left of it. */
export function* giveUpMessages(world: World, endpointId: string): Generator<void, void> {
  for (const id of world.db.ids(messages)) {
    const message = world.db.find(messages, id)
    if (message?.endpoint_id === endpointId && message.status === 'pending') giveUp(world, message)
    yield
  }
}

function giveUp(world: World, message: Message): void {
  const mark = world.db.has(endpoints, message.endpoint_id) ? 'endpoint_disabled' : 'endpoint_removed'
  removeFromBuffer(world, message.id)
  world.agenda.cancel(ATTEMPT, message.id)
  world.agenda.cancel(RESEND, message.id)
  const failed: Message = { ...message, status: 'failed', marks: [...message.marks, mark] }
  world.parts.webhooks.logOf(world).change(failed, message)
}

export interface MessageFilter {
  readonly event_type?: string | undefined
  readonly order_id?: string | undefined
  readonly user_id?: string | undefined
  readonly endpoint_id?: string | undefined
  readonly status?: MessageStatus | undefined
}

/** Messages that match a filter, newest last. */
export function* findMessages(world: World, filter: MessageFilter): IterableIterator<Message> {
  const wanted = Object.entries(filter).filter(([, value]) => value !== undefined)
  for (const message of world.db.all(messages)) {
    if (wanted.every(([field, value]) => message[field as keyof MessageFilter] === value)) yield message
  }
}

export interface MessagePageOptions {
  readonly limit: number
  /** The id of the last message of the page before. */
  readonly after?: string | undefined
  /** Part of an id, the event type or the payload. */
  readonly q?: string | undefined
  readonly newestFirst?: boolean
}

/** A page of the log; `next` is where the next one starts, null at the end. */
export function pageOfMessages(
  world: World,
  filter: MessageFilter,
  { limit, after, q, newestFirst = false }: MessagePageOptions,
): { readonly page: Message[]; readonly next: string | null } {
  const passed = after === undefined ? new Set() : idsUpTo(world, after, newestFirst)
  const found = [...findMessages(world, filter)].filter(
    (message) => !passed.has(message.id) && (!q || mentions(world, message, q)),
  )
  if (newestFirst) found.reverse()
  const page = found.slice(0, limit)
  return { page, next: limit < found.length ? (page.at(-1)?.id ?? null) : null }
}

/** The message of a cursor and those before it, whether or not they match a filter any longer. */
function idsUpTo(world: World, cursor: string, newestFirst: boolean): ReadonlySet<string> {
  const ids = world.db.ids(messages)
  const at = ids.indexOf(cursor)
  if (at === -1) throw new Problem('bad_request', 'Invalid cursor')
  return new Set(newestFirst ? ids.slice(at) : ids.slice(0, at + 1))
}

const mentions = (world: World, { id, event_id, event_type }: Message, text: string): boolean =>
  id.includes(text) || event_type.includes(text) || payloadText(world, event_id).includes(text)

/** See `Webhooks.earlierDelivered`. */
export const earlierDelivered = (world: World): Promise<void> => world.parts.webhooks.earlierDelivered(world)

/** Resolves once nothing that is due now is left to deliver. */
export const messagesSettled = (world: World): Promise<void> => world.parts.webhooks.settled(world)
