import * as z from 'zod'
import type { DeliveryFaults } from '../api/delivery.ts'
import { type Row, unnamed } from '../api/schema.ts'
import { DAY_MS } from '../kernel/instant.ts'
import type { Job } from '../scheduler/job.ts'
import { table } from '../storage/table.ts'
import type { World } from '../world/world.ts'
import { faultsOfMessage, faultsOfOrder, hasDeliveryFaults } from './delivery-faults.ts'
import { ATTEMPT, type AttemptOptions, RELEASE } from './jobs.ts'
import { type Message, messages, scheduledAttempts } from './table.ts'

/** A message that is buffered until others have joined it. */
export const BufferedMessage = unnamed(() =>
  z.object({
    message_id: z.string(),
    endpoint_id: z.string(),
    /** The messages that wait for each other: all to an endpoint, or those of one order to it. */
    group: z.string(),
  }),
)

export const bufferedMessages = table<Row<typeof BufferedMessage>, 'group'>(
  'webhook_held',
  ({ message_id }) => message_id,
  {
    indexes: { group: ({ group }) => group },
  },
)

/** The longest a message is buffered, in simulated time. */
const MAX_BUFFERED_MS = 7 * DAY_MS

/** Buffers or delays a message before its first attempt, if delivery faults say so; returns whether they do. */
export function bufferFirstAttempt(world: World, { subject, data }: Job): boolean {
  if ((data as AttemptOptions).cleared || !hasDeliveryFaults(world)) return false
  const message = world.db.find(messages, subject)
  if (message?.status !== 'pending' || scheduledAttempts(message) > 0) return false
  const faults = faultsOfMessage(world, message)
  const size = sizeOfGroup(faults)
  if (size > 1) buffer(world, message, size)
  else if (faults.delay_ms) scheduleAttempt(world, message, faults, [])
  else return false
  return true
}

const sizeOfGroup = ({ burst = 0, reorder = 0 }: DeliveryFaults) => Math.max(burst, reorder)

function buffer(world: World, message: Message, size: number): void {
  const group = groupOf(world, message)
  const { id, endpoint_id, event_type, order_id } = message
  world.db.put(bufferedMessages, { message_id: id, endpoint_id, group })
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
    const due = world.clock.now() + world.paced(MAX_BUFFERED_MS)
    world.agenda.schedule({ due, kind: RELEASE, subject: group, paced: true })
  }
}

function groupOf(world: World, message: Message): string {
  const { endpoint_id, order_id } = message
  const faults = faultsOfOrder(world, order_id)
  const isPerOrder = faults?.burst !== undefined || faults?.reorder !== undefined
  return isPerOrder ? `${endpoint_id}/${order_id}` : endpoint_id
}

/** Ids of a group's messages, in the order they came. */
const membersOf = (world: World, group: string) => world.db.idsBy(bufferedMessages, 'group', group)

/** Sends the messages of a group, each window of them from the last to the first. */
export function release(world: World, group: string): void {
  world.agenda.cancel(RELEASE, group)
  const waiting = membersOf(world, group)
  for (const id of waiting) world.db.delete(bufferedMessages, id)
  const pending = waiting.flatMap((id) => {
    const message = world.db.find(messages, id)
    return message?.status === 'pending' && scheduledAttempts(message) === 0 ? [message] : []
  })
  const [first] = pending
  if (!first) return
  const faults = faultsOfMessage(world, first)
  const isBurst = (faults.burst ?? 0) > 1 && pending.length > 1
  for (const window of windowsOf(pending, faults.reorder ?? 0)) {
    const marks = [...(isBurst ? ['burst'] : []), ...(window.length > 1 ? ['reorder'] : [])]
    for (const message of window.reverse()) scheduleAttempt(world, message, faults, marks)
  }
}

function windowsOf<Item>(items: readonly Item[], size: number): Item[][] {
  const windows: Item[][] = []
  for (let start = 0; start < items.length; start += Math.max(size, 1)) {
    windows.push(items.slice(start, start + Math.max(size, 1)))
  }
  return windows
}

function scheduleAttempt(
  world: World,
  message: Message,
  { delay_ms = 0 }: DeliveryFaults,
  marks: readonly string[],
): void {
  const due = world.clock.now() + world.paced(delay_ms)
  const data: AttemptOptions = { endpointId: message.endpoint_id, cleared: true }
  world.agenda.schedule({
    due,
    kind: ATTEMPT,
    subject: message.id,
    data,
    ...(delay_ms > 0 && { paced: true }),
  })
  const all = [...message.marks, ...marks, ...(delay_ms > 0 ? ['delay'] : [])]
  if (all.length === message.marks.length) return
  world.parts.webhooks.logOf(world).change({ ...message, marks: all }, message)
}

const groupsOf = (world: World, endpointId: string | undefined) =>
  new Set(
    [...world.db.all(bufferedMessages)]
      .filter(({ endpoint_id }) => endpointId === undefined || endpoint_id === endpointId)
      .map(({ group }) => group),
  )

/** Sends all that is buffered for an endpoint, or for any. */
export function releaseAll(world: World, endpointId: string | undefined): void {
  for (const group of groupsOf(world, endpointId)) release(world, group)
}

/** For a message that is given up, as all others of its group are. */
export function removeFromBuffer(world: World, messageId: string): void {
  const buffered = world.db.find(bufferedMessages, messageId)
  if (!buffered) return
  world.agenda.cancel(RELEASE, buffered.group)
  world.db.delete(bufferedMessages, messageId)
}

/** When a buffered message is sent even if no others have joined it. */
export function bufferedUntil(world: World, messageId: string): number | undefined {
  const held = world.db.find(bufferedMessages, messageId)
  return held && world.agenda.find(RELEASE, held.group)?.due
}
