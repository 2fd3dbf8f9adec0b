import { orderWebhookFaults, type WebhookFaultRule, type WebhookFaults } from '../api/webhook-faults.ts'
import { omit, withoutUndefined } from '../kernel/fields.ts'
import { DAY_MS } from '../kernel/instant.ts'
import { isObject } from '../kernel/json.ts'
import { compact } from '../kernel/list.ts'
import { readStatus } from '../resources/orders/lifecycle.ts'
import type { Job } from '../scheduler/job.ts'
import { events } from '../world/events.ts'
import type { World } from '../world/world.ts'
import { ATTEMPT, type AttemptOptions, attemptOptionsOf, RELEASE } from './jobs.ts'
import { deliveryState } from './state.ts'
import { bufferedMessages, type Message, messages, scheduledAttempts, webhookFaults } from './table.ts'

/** The scope of the faults of all deliveries of a world. */
export const WORLD = 'world'

/** The maximum time a message is buffered, in simulated milliseconds. */
const MAX_BUFFERED_MS = 7 * DAY_MS

/** Whether any delivery of this world may have faults. */
export const hasWebhookFaults = ({ db }: World): boolean =>
  db.count(webhookFaults) > 0 || db.count(orderWebhookFaults) > 0

/** The faults of an endpoint's deliveries; without an endpoint, the world's. */
export function faultsOfScope(world: World, endpointId?: string | null): WebhookFaults {
  const rulesOf = (scope: string) => world.db.find(webhookFaults, scope)?.rules
  return { ...rulesOf(WORLD), ...(endpointId != null && rulesOf(endpointId)) }
}

/** The webhook faults that an order's scenario sets for a message. */
function faultsOfOrder(world: World, message: Message): WebhookFaults {
  const rules =
    message.order_id === undefined ? [] : (world.db.find(orderWebhookFaults, message.order_id)?.rules ?? [])
  const matching = [rules].flat().filter((rule) => isFor(world, rule, message))
  return omit(Object.assign({}, ...matching) as WebhookFaultRule, 'event_types', 'status', 'occurrence')
}

/** Whether a rule is for the event of a message. */
function isFor(
  world: World,
  rule: WebhookFaultRule,
  { event_id, event_type, order_id, user_id }: Message,
): boolean {
  const { event_types, status, occurrence } = rule
  if (event_types?.includes(event_type) === false) return false
  if (status === undefined && occurrence === undefined) return true
  const matches = (id: string) => {
    const event = world.db.find(events, id)
    if (!event || event.order_id !== order_id || event_types?.includes(event.event_type) === false)
      return false
    return status === undefined || statusOf(event.payload) === status
  }
  if (!matches(event_id) || occurrence === undefined) return matches(event_id)
  const ofUser = user_id === null ? [] : world.db.idsBy(events, 'user', user_id)
  const until = ofUser.slice(0, ofUser.indexOf(event_id) + 1)
  return until.filter(matches).length === occurrence
}

/** The status in the body of an event, without its method. */
function statusOf({ data }: { readonly data?: unknown }): string | undefined {
  const { last_event, events: history, status } = isObject(data) ? data : {}
  const last: unknown = last_event ?? (Array.isArray(history) ? history.at(-1) : undefined)
  const text = isObject(last) ? last.status : status
  return typeof text === 'string' ? (readStatus(text)?.low ?? text) : undefined
}

/** The faults of a message: those of its order override those of its endpoint, which override those of the world. */
export function faultsOfMessage(world: World, message: Message): WebhookFaults {
  if (!hasWebhookFaults(world)) return {}
  return { ...faultsOfScope(world, message.endpoint_id), ...faultsOfOrder(world, message) }
}

/** Webhook faults in a request; null and missing values are inherited. */
export type NewWebhookFaults = {
  readonly [Rule in keyof WebhookFaults]?: WebhookFaults[Rule] | null | undefined
}

/** Replaces the webhook faults of an endpoint or of the world, and sends the messages they have buffered, in order. */
export function setWebhookFaults(
  world: World,
  endpointId: string | null | undefined,
  faults: NewWebhookFaults,
): void {
  removeFaults(world, endpointId ?? WORLD)
  const given = Object.entries(faults).filter(([, value]) => value != null)
  if (given.length === 0) return
  world.db.put(webhookFaults, { scope: endpointId ?? WORLD, rules: Object.fromEntries(given) })
}

/** Clears the webhook faults of an endpoint, or all of them. */
export function clearWebhookFaults(world: World, endpointId?: string | null): void {
  const scopes = endpointId == null ? world.db.ids(webhookFaults) : [endpointId]
  for (const scope of scopes) removeFaults(world, scope)
}

function removeFaults(world: World, scope: string): void {
  world.db.delete(webhookFaults, scope)
  const buffered = [...world.db.all(bufferedMessages)]
  const freed = buffered.filter(({ endpoint_id }) => scope === WORLD || endpoint_id === scope)
  for (const group of new Set(freed.map((each) => each.group))) release(world, group)
}

/** Buffers or delays a message before its first attempt if webhook faults require it; returns whether they do. */
export function bufferFirstAttempt(world: World, job: Job): boolean {
  const { subject } = job
  if (attemptOptionsOf(job).wasBuffered || !hasWebhookFaults(world)) return false
  const message = world.db.find(messages, subject)
  if (message?.status !== 'pending' || scheduledAttempts(message) > 0) return false
  const faults = faultsOfMessage(world, message)
  const size = Math.max(faults.burst ?? 0, faults.reorder ?? 0)
  if (size > 1) buffer(world, message, size)
  else if (faults.delay_ms) scheduleAttempt(world, message, faults, [])
  else return false
  return true
}

function buffer(world: World, message: Message, size: number): void {
  const group = groupOf(world, message)
  const { id, endpoint_id, event_type, order_id } = message
  world.db.put(bufferedMessages, { message_id: id, endpoint_id, group })
  const waiting = membersOf(world, group)
  world.agenda.record(
    'delivery_held',
    withoutUndefined({
      message_id: id,
      endpoint_id,
      event_type,
      order_id,
      detail: `${waiting.length} of ${size} buffered messages`,
    }),
  )
  if (waiting.length >= size) release(world, group)
  else if (waiting.length === 1) {
    world.agenda.schedule({ afterScenarioMs: MAX_BUFFERED_MS, kind: RELEASE, subject: group })
  }
}

function groupOf(world: World, message: Message): string {
  const { burst, reorder } = faultsOfOrder(world, message)
  const isPerOrder = burst !== undefined || reorder !== undefined
  return isPerOrder ? `${message.endpoint_id}/${message.order_id}` : message.endpoint_id
}

/** Ids of a group's messages, in order of arrival. */
const membersOf = (world: World, group: string) => world.db.idsBy(bufferedMessages, 'group', group)

/** Sends the messages of a group; each window is sent in reverse order. */
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
  const size = Math.max(faults.reorder ?? 0, 1)
  for (let start = 0; start < pending.length; start += size) {
    const window = pending.slice(start, start + size)
    const marks = compact([isBurst && 'burst', window.length > 1 && 'reorder'])
    for (const message of window.reverse())
      scheduleAttempt(world, message, faultsOfMessage(world, message), marks)
  }
}

function scheduleAttempt(
  world: World,
  message: Message,
  { delay_ms = 0 }: WebhookFaults,
  marks: readonly string[],
): void {
  const data: AttemptOptions = { endpointId: message.endpoint_id, wasBuffered: true }
  const job = { kind: ATTEMPT, subject: message.id, data }
  if (delay_ms > 0) world.agenda.schedule({ ...job, afterScenarioMs: delay_ms })
  else world.agenda.schedule({ ...job, due: world.clock.now() })
  const all = compact([...message.marks, ...marks, delay_ms > 0 && 'delay'])
  if (all.length === message.marks.length) return
  deliveryState(world).log.change({ ...message, marks: all }, message)
}

/** Called for a message that is given up; the other messages of its group are given up, too. */
export function removeFromBuffer(world: World, messageId: string): void {
  const buffered = world.db.find(bufferedMessages, messageId)
  if (!buffered) return
  world.agenda.cancel(RELEASE, buffered.group)
  world.db.delete(bufferedMessages, messageId)
}

/** When a buffered message is sent even if its window is not full. */
export function bufferedUntil(world: World, messageId: string): number | undefined {
  const buffered = world.db.find(bufferedMessages, messageId)
  return buffered && world.agenda.find(RELEASE, buffered.group)?.due
}
