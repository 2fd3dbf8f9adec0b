import type { DeliveryRules } from '../api/delivery.ts'
import { DAY_MS } from '../kernel/instant.ts'
import type { Job } from '../scheduler/agenda.ts'
import { table } from '../storage/table.ts'
import type { World } from '../world/world.ts'
import { ATTEMPT, type AttemptOrder, RELEASE } from './jobs.ts'
import { hasRules, rulesOfMessage, rulesOfOrder } from './rules.ts'
import { type Message, messages, scheduledAttempts } from './table.ts'

/** A message that waits for others. */
interface HeldMessage {
  readonly message_id: string
  readonly endpoint_id: string
  /** Who waits for each other: an endpoint's messages, or those of one order to it. */
  readonly group: string
}

const heldMessages = table<HeldMessage, 'group'>('webhook_held', ({ message_id }) => message_id, {
  indexes: { group: ({ group }) => group },
})

/** How long a message waits for others at most, in simulated time. */
const MOST_HELD_MS = 7 * DAY_MS

/** Keeps a message back before its first attempt, where the rules say so. Answers whether it did. */
export function detain(world: World, { subject, data }: Job): boolean {
  if ((data as AttemptOrder).cleared || !hasRules(world)) return false
  const message = world.db.find(messages, subject)
  if (message?.status !== 'pending' || scheduledAttempts(message) > 0) return false
  const rules = rulesOfMessage(world, message)
  const size = sizeOfGroup(rules)
  if (size > 1) hold(world, message, size)
  else if (rules.delay_ms) sendOn(world, message, rules, [])
  else return false
  return true
}

const sizeOfGroup = ({ burst = 0, reorder = 0 }: DeliveryRules) => Math.max(burst, reorder)

function hold(world: World, message: Message, size: number): void {
  const group = groupOf(world, message)
  const { id, endpoint_id, event_type, order_id } = message
  world.db.put(heldMessages, { message_id: id, endpoint_id, group })
  const waiting = membersOf(world, group)
  world.agenda.record('delivery_held', {
    message_id: id,
    endpoint_id,
    event_type,
    ...(order_id !== undefined && { order_id }),
    detail: `${waiting.length} of ${size} messages that wait for each other`,
  })
  if (waiting.length >= size) release(world, group)
  else if (waiting.length === 1) {
    const due = world.clock.now() + world.paced(MOST_HELD_MS)
    world.agenda.add({ due, kind: RELEASE, subject: group, paced: true })
  }
}

function groupOf(world: World, message: Message): string {
  const { endpoint_id, order_id } = message
  const rules = rulesOfOrder(world, order_id)
  const isOrders = rules?.burst !== undefined || rules?.reorder !== undefined
  return isOrders ? `${endpoint_id}/${order_id}` : endpoint_id
}

/** Ids of the messages that wait in a group, in the order they came. */
const membersOf = (world: World, group: string) => world.db.idsBy(heldMessages, 'group', group)

/** Sends what waits in a group, each window of it from the last to the first. */
export function release(world: World, group: string): void {
  world.agenda.remove(RELEASE, group)
  const waiting = membersOf(world, group)
  for (const id of waiting) world.db.delete(heldMessages, id)
  const pending = waiting.flatMap((id) => {
    const message = world.db.find(messages, id)
    return message?.status === 'pending' && scheduledAttempts(message) === 0 ? [message] : []
  })
  const [first] = pending
  if (!first) return
  const rules = rulesOfMessage(world, first)
  const isBurst = (rules.burst ?? 0) > 1 && pending.length > 1
  for (const window of windowsOf(pending, rules.reorder ?? 0)) {
    const marks = [...(isBurst ? ['burst'] : []), ...(window.length > 1 ? ['reorder'] : [])]
    for (const message of window.reverse()) sendOn(world, message, rules, marks)
  }
}

function windowsOf<Item>(items: readonly Item[], size: number): Item[][] {
  const windows: Item[][] = []
  for (let start = 0; start < items.length; start += Math.max(size, 1)) {
    windows.push(items.slice(start, start + Math.max(size, 1)))
  }
  return windows
}

function sendOn(world: World, message: Message, { delay_ms = 0 }: DeliveryRules, marks: readonly string[]) {
  const due = world.clock.now() + world.paced(delay_ms)
  const data: AttemptOrder = { endpointId: message.endpoint_id, cleared: true }
  world.agenda.add({ due, kind: ATTEMPT, subject: message.id, data, ...(delay_ms > 0 && { paced: true }) })
  const all = [...message.marks, ...marks, ...(delay_ms > 0 ? ['delay'] : [])]
  if (all.length === message.marks.length) return
  world.parts.webhooks.logOf(world).change({ ...message, marks: all }, message)
}

const groupsOf = (world: World, endpointId: string | undefined) =>
  new Set(
    [...world.db.all(heldMessages)]
      .filter(({ endpoint_id }) => endpointId === undefined || endpoint_id === endpointId)
      .map(({ group }) => group),
  )

/** Sends all that waits at an endpoint, or anywhere. */
export function releaseAll(world: World, endpointId: string | undefined): void {
  for (const group of groupsOf(world, endpointId)) release(world, group)
}

/** Lets nothing wait any longer at an endpoint that takes nothing more. */
export function forgetHeld(world: World, endpointId: string): void {
  for (const group of groupsOf(world, endpointId)) {
    world.agenda.remove(RELEASE, group)
    for (const id of membersOf(world, group)) world.db.delete(heldMessages, id)
  }
}

/** When a message that waits for others is sent whether they come or not. */
export function heldUntil(world: World, messageId: string): number | undefined {
  const held = world.db.find(heldMessages, messageId)
  return held && world.agenda.find(RELEASE, held.group)?.due
}
