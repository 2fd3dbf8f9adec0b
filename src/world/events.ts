import { JsonText } from '../kernel/json.ts'
import { addToContext } from '../scheduler/context.ts'
import { JoinedText } from '../storage/entry.ts'
import { table } from '../storage/table.ts'
import type { World } from './world.ts'

/** What the service would tell a customer. */
export interface WorldEvent {
  /** The `svix-id` of every message made of it. */
  readonly id: string
  readonly event_type: string
  /** Milliseconds since 1970, the world's clock. */
  readonly at: number
  readonly user_id: string | null
  readonly order_id?: string
  /** The body that is signed and sent: `{event_type, data, team_id, user_id, client_user_id}`. */
  readonly payload: object
}

export const events = table<WorldEvent>('events', (event) => event.id)

/** Whom and what an event is about. */
export interface EventSubject {
  readonly userId: string | null
  readonly clientUserId: string | null
  readonly orderId?: string
}

/** An event without its body. */
export type EventHead = Omit<WorldEvent, 'payload'>

export type EventListener = (world: World, event: EventHead) => void

/** Writes an event down and hands it to the listener. `data` may be JSON already written. */
export function appendEvent(
  world: World,
  type: string,
  { userId, clientUserId, orderId }: EventSubject,
  data: object,
): void {
  const head: EventHead = {
    id: newEventId(world),
    event_type: type,
    at: world.clock.now(),
    user_id: userId,
    ...(orderId && { order_id: orderId }),
  }
  putEvent(world, head, [
    `{"event_type":${JSON.stringify(type)},"data":`,
    data instanceof JsonText ? data.kept : JSON.stringify(data),
    `,"team_id":"${world.identity.teamId}","user_id":${JSON.stringify(userId)},"client_user_id":${JSON.stringify(clientUserId)}}`,
  ])
  addToContext(head.id)
  world.agenda.record('event', { event_type: type, message_id: head.id, ...subjectFields(userId, orderId) })
  world.onEvent(world, head)
}

function putEvent(world: World, head: EventHead, payload: readonly string[]): void {
  const before = `${JSON.stringify(head).slice(0, -1)},${PAYLOAD_KEY}`
  world.db.putText(events, head.id, new JoinedText([before, ...payload, '}']))
}

/** Writes down what concerns the deliveries themselves. It has an envelope of its own and no listener. Source: contract/webhooks.md §9. */
export function appendOperationalEvent(world: World, type: string, data: object): EventHead {
  const head: EventHead = { id: newEventId(world), event_type: type, at: world.clock.now(), user_id: null }
  putEvent(world, head, [JSON.stringify({ type, data })])
  world.agenda.record('event', { event_type: type, message_id: head.id })
  return head
}

/** The body that was asked for last: an event goes to several endpoints one after the other. */
const latest = new WeakMap<World, { readonly id: string; readonly payload: string }>()

/** The body of an event as it was first written, the same bytes each time. */
export function payloadText(world: World, eventId: string): string {
  const known = latest.get(world)
  if (known?.id === eventId) return known.payload
  const { text } = world.db.text(events, eventId)
  const payload = text.slice(text.indexOf(PAYLOAD_KEY) + PAYLOAD_KEY.length, -1)
  latest.set(world, { id: eventId, payload })
  return payload
}

/** The last key of a row; cannot occur inside a string, where quotes are escaped. */
const PAYLOAD_KEY = '"payload":'

/** `msg_` and 27 letters. Source: contract/webhooks.md §6. */
const newEventId = (world: World): string => `msg_${world.random.base62(`event/${world.next('event')}`, 27)}`

const subjectFields = (userId: string | null, orderId: string | undefined) =>
  orderId ? { order_id: orderId, ...(userId && { user_id: userId }) } : { ...(userId && { user_id: userId }) }
