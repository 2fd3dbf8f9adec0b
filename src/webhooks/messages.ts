import { pageInSteps } from '../api/pagination.ts'
import { compact } from '../kernel/list.ts'
import { Problem } from '../kernel/problem.ts'
import { plural } from '../kernel/readable.ts'
import { Slices } from '../kernel/slices.ts'
import type { Job } from '../scheduler/job.ts'
import type { Table } from '../storage/table.ts'
import { payloadText } from '../world/append-event.ts'
import { type EventHead, events } from '../world/events.ts'
import type { World } from '../world/world.ts'
import { bufferedUntil, removeFromBuffer } from './faults.ts'
import { ATTEMPT, type AttemptOptions, attemptOptionsOf, firstAttempt, RESEND } from './jobs.ts'
import { deliveryState } from './state.ts'
import { type Endpoint, endpoints, eventIdOf, type Message, messageId, messages } from './table.ts'

/** Creates a message for each endpoint and queues its first attempt. */
export function enqueue(world: World, event: EventHead, targets: readonly Endpoint[]): void {
  const { log } = deliveryState(world)
  let ordinal = 1
  for (const endpoint of targets) {
    while (world.db.has(messages, messageId(event.id, ordinal))) ordinal++
    const message = log.put(newMessage(event, endpoint.id, ordinal), undefined)
    world.agenda.scheduleTransient(firstAttempt(message))
  }
  log.opened(event.id)
}

/** Sends the last kept events to a new endpoint, in steps. Returns how many earlier ones it has not been sent. */
export function* replayEvents(world: World, endpoint: Endpoint, count: number): Generator<void, number> {
  const wanted: string[] = []
  for (const id of world.db.ids(events)) {
    const event = world.db.find(events, id)
    if (event && (endpoint.event_types?.includes(event.event_type) ?? true)) wanted.push(id)
    yield
  }
  const sent = count === 0 ? [] : wanted.slice(-count)
  for (const id of sent) {
    const event = world.db.find(events, id)
    if (event) enqueue(world, { ...event, at: world.clock.now() }, [endpoint])
    yield
  }
  return wanted.length - sent.length
}

/**
 * Continues with pending messages when a world is opened, in steps: first attempts have no rows, and the process may
 * have ended while messages were being given up.
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

/** Whether a user has requested that a failed message is sent again. */
function isReopened(world: World, id: string): boolean {
  const requested = world.agenda.find(RESEND, id)
  return requested !== undefined && attemptOptionsOf(requested).hadFailed === true
}

/** Whether a stored job or the buffer will send the message. A resend counts only if the message had failed before. */
function hasScheduledAttempt(world: World, { id }: Message): boolean {
  return (
    isReopened(world, id) ||
    world.agenda.find(ATTEMPT, id) !== undefined ||
    bufferedUntil(world, id) !== undefined
  )
}

const newMessage = (event: EventHead, endpointId: string, ordinal: number): Message => ({
  id: messageId(event.id, ordinal),
  event_id: event.id,
  event_type: event.event_type,
  user_id: event.user_id,
  order_id: event.order_id,
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
  if (!message)
    throw new Problem(
      'not_found',
      world.db.has(events, id)
        ? `The event ${id} was sent to no endpoint; GET /_petri/events/${id} shows it`
        : `No webhook message ${id}`,
    )
  return message
}

/** Makes one more attempt now, which is not retried if it fails. */
export function resendMessage(world: World, id: string): Message {
  const message = getMessage(world, id)
  const endpoint = world.db.find(endpoints, message.endpoint_id)
  if (!endpoint) throw new Problem('conflict', `The endpoint ${message.endpoint_id} has been removed`)
  if (endpoint.disabled) {
    throw new Problem('conflict', `The endpoint ${endpoint.id} is disabled; enable it first`)
  }
  const hadFailed = message.status === 'failed' || isReopened(world, id)
  const data: AttemptOptions = { endpointId: endpoint.id, hadFailed }
  world.agenda.schedule({ due: world.clock.now(), kind: RESEND, subject: id, data })
  if (message.status !== 'failed') return message
  return deliveryState(world).log.change({ ...message, status: 'pending' }, message)
}

/** Which messages a recovery or a retry is about; all by default. */
export interface MessageSelection {
  readonly message_id?: string | null | undefined
  readonly endpoint_id?: string | null | undefined
  readonly order_id?: string | null | undefined
}

/** Resends all messages that failed since an instant, in slices; returns how many, and the reason if there are none. */
export async function recover(
  world: World,
  since: number,
  { endpoint_id: endpointId, order_id }: Omit<MessageSelection, 'message_id'> = {},
): Promise<{ readonly resent: number; readonly reason?: string }> {
  assertEndpoint(world, endpointId)
  let resent = 0
  let earlier = 0
  const unsendable = new Map<string, number>()
  await forEachMessage(world, { status: 'failed', endpoint_id: endpointId, order_id }, (message) => {
    const { id, endpoint_id, created_at } = message
    if (created_at < since) earlier++
    else if (world.db.find(endpoints, endpoint_id)?.disabled !== false) {
      unsendable.set(endpoint_id, (unsendable.get(endpoint_id) ?? 0) + 1)
    } else {
      resendMessage(world, id)
      resent++
    }
  })
  if (resent > 0) return { resent }
  if (unsendable.size > 0) return { resent, reason: whyUnsendable(world, unsendable) }
  const before = earlier > 0 ? `; ${plural(earlier, 'message')} failed before` : ''
  const waiting = await countWaiting(world, { endpoint_id: endpointId, order_id })
  const hint =
    waiting > 0 ? ` Waiting for the next attempt: ${plural(waiting, 'message')}; a retry sends now.` : ''
  return { resent, reason: `No message has failed since then${before}.${hint}` }
}

function assertEndpoint(world: World, endpointId: string | null | undefined): void {
  if (endpointId == null || world.db.has(endpoints, endpointId)) return
  throw new Problem('not_found', `No webhook endpoint ${endpointId}`)
}

/** Why failed messages cannot be sent: the state of each of their endpoints, with the number of messages. */
function whyUnsendable(world: World, counts: ReadonlyMap<string, number>): string {
  const reasons = [...counts].map(([id, count]) => {
    const ofMessages = `of ${plural(count, 'failed message')}`
    return world.db.has(endpoints, id)
      ? `the endpoint ${id} ${ofMessages} is disabled; enable it first`
      : `the endpoint ${id} ${ofMessages} was removed`
  })
  return `No message was sent: ${reasons.join(', and ')}.`
}

/** Calls a function with each message that matches a filter, in slices. */
async function forEachMessage(
  world: World,
  filter: MessageFilter,
  act: (message: Message) => void,
): Promise<void> {
  const find = finderOf(world, messages, filter)
  const slices = new Slices()
  for (const id of world.db.ids(messages)) {
    if (slices.isOver) await slices.next()
    const message = find(id)
    if (message) act(message)
  }
}

/** The job of a pending message's next attempt, if it is not due yet. */
function waitingAttempt(world: World, id: string): Job | undefined {
  const job = world.agenda.find(ATTEMPT, id)
  return job && job.due > world.clock.now() ? job : undefined
}

async function countWaiting(world: World, selection: Omit<MessageSelection, 'message_id'>): Promise<number> {
  let waiting = 0
  await forEachMessage(world, { status: 'pending', ...selection }, ({ id }) => {
    if (waitingAttempt(world, id)) waiting++
  })
  return waiting
}

/**
 * Makes the next attempt of waiting messages now, in slices: of one message, of those to an endpoint or about an order, or
 * of all. The attempts after it keep their schedule.
 */
export async function retryNow(
  world: World,
  { message_id: messageId, endpoint_id: endpointId, order_id }: MessageSelection = {},
): Promise<{ readonly retried: number; readonly reason?: string }> {
  assertEndpoint(world, endpointId)
  if (messageId != null) assertWaiting(world, messageId)
  let retried = 0
  await forEachMessage(world, { status: 'pending', endpoint_id: endpointId, order_id }, ({ id }) => {
    const job = messageId == null || id === messageId ? waitingAttempt(world, id) : undefined
    if (!job) return
    world.agenda.schedule({ due: world.clock.now(), kind: ATTEMPT, subject: id, data: job.data })
    retried++
  })
  if (retried > 0) return { retried }
  return { retried, reason: 'No message waits for another attempt.' }
}

/** Throws the reason if a message has no attempt that could be made earlier. */
function assertWaiting(world: World, id: string): void {
  const { status } = getMessage(world, id)
  if (status !== 'pending') {
    throw new Problem(
      'conflict',
      `The message ${id} is ${status}; only a pending message is retried. Resend it instead.`,
    )
  }
  if (bufferedUntil(world, id) !== undefined) {
    throw new Problem(
      'conflict',
      `The message ${id} is held back by the webhook faults; remove them to send it.`,
    )
  }
}

/** Fails the pending messages of a disabled or removed endpoint, in steps; if interrupted, the next start continues. */
export function* giveUpMessages(world: World, endpointId: string): Generator<void, void> {
  const find = finderOf(world, messages, { endpoint_id: endpointId, status: 'pending' })
  for (const id of world.db.ids(messages)) {
    const message = find(id)
    if (message) giveUp(world, message)
    yield
  }
}

function giveUp(world: World, message: Message): void {
  const mark = world.db.has(endpoints, message.endpoint_id) ? 'endpoint_disabled' : 'endpoint_removed'
  removeFromBuffer(world, message.id)
  world.agenda.cancel(ATTEMPT, message.id)
  world.agenda.cancel(RESEND, message.id)
  const failed: Message = { ...message, status: 'failed', marks: [...message.marks, mark] }
  deliveryState(world).log.change(failed, message)
}

type FilterField = 'event_type' | 'order_id' | 'user_id' | 'endpoint_id' | 'status'

/** The required fields of a message; null and missing values match any message. */
export type MessageFilter = { readonly [Field in FilterField]?: Message[Field] | null | undefined }

/** Finds the messages that match a filter, oldest first, in steps. */
export function* findMessages(world: World, filter: MessageFilter): Generator<void, Message[]> {
  const find = finderOf(world, messages, filter)
  const found: Message[] = []
  for (const id of world.db.ids(messages)) {
    const message = find(id)
    if (message) found.push(message)
    yield
  }
  return found
}

/**
 * Returns a function that finds a message by id if it matches. Values are searched in the JSON first, because parsing
 * a row takes ten times as long.
 */
function finderOf<Row extends object>(
  world: World,
  table: Table<Row, string>,
  filter: MessageFilter,
): (id: string) => Row | undefined {
  const wanted = Object.entries(filter).filter(([, value]) => value != null)
  const parts = wanted.map(([field, value]) => `"${field}":${JSON.stringify(value)}`)
  return (id) => {
    const text = world.db.has(table, id) ? world.db.text(table, id).text : ''
    if (text === '' || !parts.every((part) => text.includes(part))) return undefined
    const row = world.db.get(table, id)
    return wanted.every(([field, value]) => row[field as keyof Row] === value) ? row : undefined
  }
}

export interface MessagePageOptions {
  readonly limit: number
  readonly cursor?: string | null | undefined
  /** Part of an id, the event type or the payload. */
  readonly q?: string | null | undefined
  readonly order?: 'asc' | 'desc'
  /** Only messages that were given up, or were refused and wait for their next attempt. */
  readonly onlyFailing?: boolean
}

/** A page of the log, found in steps; `next` is the cursor of the next page, or null. */
export function pageOfMessages(world: World, filter: MessageFilter, options: MessagePageOptions) {
  const failing = options.onlyFailing ? new Set(world.db.idsBy(messages, 'failing', 'yes')) : undefined
  const isListed = (id: string) => failing?.has(id) !== false
  return pageOf(world, messages, { filter, keyOf: ({ created_at }) => created_at, isListed }, options)
}

/** What a list of messages shows of an event that was sent to no endpoint. */
export const unsentMessage = (event: EventHead) =>
  ({ ...newMessage(event, '', 1), status: 'no_endpoint' }) as const

/** A page of the events that were sent to no endpoint, found in steps. */
export const pageOfUnsent = (
  world: World,
  filter: Omit<MessageFilter, 'status'>,
  options: MessagePageOptions,
) =>
  pageOf(
    world,
    events,
    { filter, keyOf: ({ at }) => at, isListed: (id) => !world.db.has(messages, id) },
    options,
  )

interface Listing<Row> {
  readonly filter: MessageFilter
  readonly keyOf: (row: Row) => number
  readonly isListed: (id: string) => boolean
}

function* pageOf<Row extends object>(
  world: World,
  table: Table<Row, string>,
  { filter, keyOf, isListed }: Listing<Row>,
  { limit, cursor, q, order = 'asc', onlyFailing = false }: MessagePageOptions,
): Generator<void, { readonly page: Row[]; readonly next: string | null }> {
  const find = finderOf(world, table, filter)
  const list = {
    of: [table.name, world.identity.teamId, order, onlyFailing, q, filter],
    rows: world.db.ids(table),
    idOf: (id: string) => id,
    keyOf(id: string) {
      const row = world.db.find(table, id)
      return row ? keyOf(row) : 0
    },
    isWanted: (id: string) => isListed(id) && mentions(world, id, q ?? '') && find(id) !== undefined,
    order,
  }
  const { items, nextCursor } = yield* pageInSteps(list, cursor, limit)
  return { page: compact(items.map((id) => world.db.find(table, id))), next: nextCursor }
}

/** The payload also contains the event type. */
const mentions = (world: World, id: string, text: string): boolean =>
  id.includes(text) ||
  (world.db.has(events, eventIdOf(id)) && payloadText(world, eventIdOf(id)).includes(text))
