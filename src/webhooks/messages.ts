import { pageInSteps } from '../api/pagination.ts'
import { compact } from '../kernel/list.ts'
import { badRequest, conflict, notFound } from '../kernel/problem.ts'
import { plural } from '../kernel/readable.ts'
import { runInSlices } from '../kernel/slices.ts'
import { hasWords } from '../kernel/words.ts'
import type { Table } from '../storage/table.ts'
import { payloadText } from '../world/append-event.ts'
import { type EventHead, events } from '../world/events.ts'
import type { World } from '../world/world.ts'
import { bufferedUntil, removeFromBuffer } from './faults.ts'
import { ATTEMPT, type AttemptOptions, attemptOptionsOf, firstAttempt, RESEND } from './jobs.ts'
import { deliveryState } from './state.ts'
import { type Endpoint, endpoints, eventIdOf, type Message, messageId, messages } from './table.ts'

/** Creates a message for each endpoint and queues its first attempt. Messages above the limit are given up at once. */
export function enqueue(world: World, event: EventHead, targets: readonly Endpoint[]): void {
  const { log } = deliveryState(world)
  let ordinal = 1
  let dropped = 0
  for (const endpoint of targets) {
    while (world.db.has(messages, messageId(event.id, ordinal))) ordinal++
    const message = newMessage(event, endpoint.id, ordinal)
    if (log.hasRoomFor(1)) world.agenda.scheduleTransient(firstAttempt(log.put(message, undefined)))
    else {
      log.put({ ...message, status: 'failed', marks: [TOO_MANY_WAITING] }, undefined)
      dropped++
    }
  }
  log.opened(event.id)
  if (dropped === 0) return
  world.warn('Webhook messages were given up, because too many wait for an attempt', {
    event_type: event.event_type,
    messages: dropped,
    resend: 'npx petri-sandbox webhook resend',
  })
}

/** Marks a message that was given up because too many messages wait for an attempt. */
export const TOO_MANY_WAITING = 'too_many_waiting'

/** Sends the last kept events to a new endpoint, in steps. Returns how many earlier ones it has not been sent. */
export function* resendEvents(world: World, endpoint: Endpoint, count: number): Generator<void, number> {
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
    throw notFound(
      world.db.has(events, id)
        ? `The event ${id} was sent to no endpoint; GET /_petri/events/${id} shows it`
        : `No webhook message ${id}`,
    )
  return message
}

/** Which messages are sent again; by default all that were given up, or wait for their next attempt. */
export interface ResendSelection {
  readonly message_id?: string | null | undefined
  readonly endpoint_id?: string | null | undefined
  readonly order_id?: string | null | undefined
  /** Only messages created since then. */
  readonly since?: number | null | undefined
}

export interface Resent {
  readonly resent: number
  /** Why nothing was sent. */
  readonly reason?: string
}

/** Sends messages again now, in slices. Only by its id, a delivered message is one of them. */
export async function resend(world: World, { message_id, ...selection }: ResendSelection): Promise<Resent> {
  if (message_id == null) return resendSelected(world, selection)
  if (Object.values(selection).some((value) => value != null))
    throw badRequest('A message_id selects one message; give nothing else with it.')
  return resendMessage(world, message_id)
}

export function resendMessage(world: World, id: string): Resent {
  const message = getMessage(world, id)
  assertSendable(world, message)
  const isHeld = bufferedUntil(world, id) !== undefined
  if (message.status !== 'pending' || isHeld) attemptAgain(world, message)
  else if (!attemptNow(world, id)) return { resent: 0, reason: `The message ${id} is being sent.` }
  return { resent: 1 }
}

function assertSendable(world: World, { endpoint_id }: Message): void {
  const endpoint = world.db.find(endpoints, endpoint_id)
  if (!endpoint) throw conflict(`The endpoint ${endpoint_id} has been removed`)
  if (endpoint.disabled) throw conflict(`The endpoint ${endpoint.id} is disabled; enable it first`)
}

/** Makes one more attempt now, which is not retried if it fails. */
function attemptAgain(world: World, message: Message): void {
  const hadFailed = message.status === 'failed'
  const data: AttemptOptions = { endpointId: message.endpoint_id, hadFailed }
  world.agenda.schedule({ due: world.clock.now(), kind: RESEND, subject: message.id, data })
  if (hadFailed) deliveryState(world).log.change({ ...message, status: 'pending' }, message)
}

/** Makes the next attempt of a pending message now, unless it is due already. The attempts after it keep their schedule. */
function attemptNow(world: World, id: string): boolean {
  const job = world.agenda.find(ATTEMPT, id)
  if (!job || job.due <= world.clock.now()) return false
  world.agenda.schedule({ due: world.clock.now(), kind: ATTEMPT, subject: id, data: job.data })
  return true
}

async function resendSelected(
  world: World,
  { since, ...filter }: Omit<ResendSelection, 'message_id'>,
): Promise<Resent> {
  const { endpoint_id: endpointId } = filter
  if (endpointId != null && !world.db.has(endpoints, endpointId))
    throw notFound(`No webhook endpoint ${endpointId}`)
  let resent = 0
  let earlier = 0
  const unsendable = new Map<string, number>()
  const sending = forEachMessage(world, filter, (message) => {
    const { id, status, endpoint_id, created_at } = message
    if (status === 'delivered') return
    if (created_at < (since ?? 0)) earlier++
    else if (status === 'pending') {
      if (attemptNow(world, id)) resent++
    } else if (world.db.find(endpoints, endpoint_id)?.disabled !== false) {
      unsendable.set(endpoint_id, (unsendable.get(endpoint_id) ?? 0) + 1)
    } else {
      attemptAgain(world, message)
      resent++
    }
  })
  await runInSlices(sending)
  if (resent > 0) return { resent }
  if (unsendable.size > 0) return { resent, reason: whyUnsendable(world, unsendable) }
  const hint = earlier > 0 ? ` Before then: ${plural(earlier, 'message')}.` : ''
  return { resent, reason: `No message was given up or waits for its next attempt.${hint}` }
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

/** Calls a function with each message that matches a filter, oldest first, in steps. */
function* forEachMessage(
  world: World,
  filter: MessageFilter,
  act: (message: Message) => void,
): Generator<void, void> {
  for (const id of idsFor(world, messages, filter)) {
    const message = world.db.find(messages, id)
    if (message && matches(message, filter)) act(message)
    yield
  }
}

/** Fails the pending messages of a disabled or removed endpoint, in steps; if interrupted, the next start continues. */
export const giveUpMessages = (world: World, endpointId: string): Generator<void, void> =>
  forEachMessage(world, { endpoint_id: endpointId, status: 'pending' }, (message) => giveUp(world, message))

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
  const found: Message[] = []
  yield* forEachMessage(world, filter, (message) => found.push(message))
  return found
}

/** The ids of the rows that may match a filter, oldest first. */
function idsFor<Row extends object>(
  world: World,
  table: Table<Row, string>,
  filter: MessageFilter,
): string[] {
  const { order_id: order, endpoint_id: endpoint, user_id: user, event_type: type } = filter
  for (const [index, value] of Object.entries({ order, endpoint, user, type }))
    if (value != null) return world.db.idsBy(table, index, value)
  return world.db.ids(table)
}

const matches = <Row extends object>(row: Row, filter: MessageFilter): boolean =>
  Object.entries(filter).every(([field, value]) => value == null || row[field as keyof Row] === value)

export interface MessagePageOptions {
  readonly limit: number
  readonly cursor?: string | null | undefined
  /** Words in any order, parts of the id, the event type or the payload. */
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
  const isFound = q ? hasWords(q) : undefined
  const list = {
    of: [table.name, world.identity.teamId, order, onlyFailing, q, filter],
    rows: idsFor(world, table, filter),
    idOf: (id: string) => id,
    keyOf(id: string) {
      const row = world.db.find(table, id)
      return row ? keyOf(row) : 0
    },
    isWanted(id: string) {
      const row = isListed(id) ? world.db.find(table, id) : undefined
      return row !== undefined && matches(row, filter) && isFound?.(textOf(world, id)) !== false
    },
    order,
  }
  const { items, nextCursor } = yield* pageInSteps(list, cursor, limit)
  return { page: compact(items.map((id) => world.db.find(table, id))), next: nextCursor }
}

/** The payload also contains the event type. */
const textOf = (world: World, id: string): string =>
  world.db.has(events, eventIdOf(id)) ? `${id} ${payloadText(world, eventIdOf(id))}` : id
