import { JsonText } from '../kernel/json.ts'
import { addToContext, currentJobTurn, currentRequest } from '../scheduler/context.ts'
import { type EventHead, type EventSubject, events, type WorldEvent } from './events.ts'
import type { World } from './world.ts'

/** Stores an event. `data` may be JSON already written. */
export function appendEvent(
  world: World,
  type: string,
  { userId, clientUserId, orderId, isOfTeam = false }: EventSubject,
  data: object,
): EventHead {
  const head: EventHead = {
    id: newEventId(world, 'event'),
    event_type: type,
    at: world.clock.now(),
    user_id: userId,
    ...(orderId && { order_id: orderId }),
    ...(currentJobTurn() === undefined && { by_call: true }),
  }
  const text = data instanceof JsonText ? data.text : JSON.stringify(data)
  const user = `,"user_id":${JSON.stringify(userId)},"client_user_id":${JSON.stringify(clientUserId)}`
  const ids = `"team_id":"${world.identity.teamId}"${isOfTeam ? '' : user}`
  putEvent(world, head, `{"event_type":${JSON.stringify(type)},"data":${text},${ids}}`)
  addToContext(head.id)
  world.agenda.record('event', {
    event_type: type,
    message_id: head.id,
    order_id: orderId,
    user_id: userId ?? undefined,
  })
  return head
}

function putEvent(world: World, head: EventHead, payload: string): void {
  world.requests.placeEvent(head.id, currentRequest())
  const text = `${JSON.stringify(head).slice(0, -1)},${PAYLOAD_KEY}${payload}}`
  world.db.putJson(events, head.id, new JsonText<WorldEvent>(text), head)
}

/** Stores an event about deliveries, which has another envelope. `onEvent` is not called. Source: docs/contract/webhooks.md#delivery. */
export function appendOperationalEvent(world: World, type: string, data: object): EventHead {
  // With a sequence of their own, the ids of other events do not depend on what receivers answer.
  const id = newEventId(world, 'operational_event')
  const head: EventHead = { id, event_type: type, at: world.clock.now(), user_id: null }
  putEvent(world, head, JSON.stringify({ type, data }))
  world.agenda.record('event', { event_type: type, message_id: head.id })
  return head
}

/** The latest body, because an event is sent to several endpoints one after the other. */
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

/** The last key of a stored event. It cannot occur inside a string, where quotes are escaped. */
const PAYLOAD_KEY = '"payload":'

/** `msg_` and 27 letters. Source: docs/contract/webhooks.md#signatures. */
const newEventId = (world: World, sequence: string): string =>
  `msg_${world.ids.base62(`${sequence}/${world.next(sequence)}`, 27)}`
