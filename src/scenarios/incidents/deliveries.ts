import crypto from 'node:crypto'
import type { Parsed } from '../../api/schema.ts'
import { MAX_DROPPED, MAX_REPEATED } from '../../api/webhook-faults.ts'
import { writeDuration } from '../../kernel/duration.ts'
import { MINUTE_MS, SECOND_MS } from '../../kernel/instant.ts'
import { compact, largest, smallest } from '../../kernel/list.ts'
import { plural } from '../../kernel/readable.ts'
import type { WebhookFaultsSketch } from '../steps.ts'
import type { LoggedAttempt } from './log.ts'

/** The `webhook_faults` of a scenario: the same for all messages, or a list of rules. */
export type RecordedWebhookFaults = Parsed<typeof WebhookFaultsSketch>
type RecordedRule = Exclude<RecordedWebhookFaults, readonly unknown[]>

/** A message that was delivered. */
export interface RecordedMessage {
  readonly type: string
  readonly status: string | undefined
  /** When it was accepted, in milliseconds since 1970. */
  readonly at: number | undefined
}

/** A message about an order. */
export interface OrderMessage {
  /** The same for all its deliveries. */
  readonly key: string
  /** The id of its order or appointment. */
  readonly subject: string
  readonly type: string
  readonly status: string | undefined
  /** When that happened, in milliseconds since 1970, and the number of its events by then; undefined if it does not say. */
  readonly eventAt: number | undefined
  readonly events: number | undefined
}

interface Delivery extends OrderMessage {
  firstAt: number | undefined
  last: LoggedAttempt
  /** Attempts that failed, and deliveries after the first success. */
  retries: number
  duplicates: number
  /** The longest time after the first success, in milliseconds. */
  repeatedAfterMs: number
}

/** The shortest wait before a retry. Source: docs/contract/webhooks.md#delivery. */
const RETRY_MS = 5 * SECOND_MS
/** Shorter delays are usual. */
const DELAY_MS = MINUTE_MS
/** Messages of one burst arrive within this time. */
const BURST_MS = 2 * SECOND_MS

/** Collects deliveries one by one, and says what was unusual about them. */
export class DeliveryLog {
  readonly #deliveries = new Map<string, Delivery>()

  add(message: OrderMessage, attempts: readonly LoggedAttempt[]): void {
    const key = crypto.hash('sha256', message.key, 'base64')
    for (const attempt of attempts) {
      const known = this.#deliveries.get(key)
      if (known) repeat(known, attempt)
      else
        this.#deliveries.set(key, {
          ...message,
          key,
          firstAt: attempt.at,
          last: attempt,
          retries: 0,
          duplicates: 0,
          repeatedAfterMs: 0,
        })
    }
  }

  /** The numbers of events that an order had in its messages. */
  eventCounts(subject: string): ReadonlySet<number> {
    return new Set(compact(this.#of(subject).map(({ events }) => events)))
  }

  /** With notes on what a scenario cannot say. */
  finish(): { webhookFaults: RecordedWebhookFaults; notes: string[]; messages: RecordedMessage[] } {
    const deliveries = inOrder([...this.#deliveries.values()])
    const isTimed = deliveries.every(({ firstAt, eventAt }) => firstAt !== undefined && eventAt !== undefined)
    const together = windowsOf(deliveries, isTimed)
    const isTogether = Object.keys(together).length > 0
    const faults = deliveries.map((each): Faults => {
      const isLate = !isTogether && isOvertaken(each, deliveries)
      const delay = isTogether ? 0 : delayOf(each)
      return {
        duplicate: Math.min(each.duplicates, MAX_REPEATED),
        drop_first: Math.min(each.retries, MAX_DROPPED),
        delay: delay >= DELAY_MS || isLate ? wholeSeconds(delay) : 0,
      }
    })
    const least = smallest(deliveries.map(delayOf))
    const delayOfAll = least >= DELAY_MS ? wholeSeconds(least) : 0
    const delays = faults.map(({ delay }) => delay)
    const usual = {
      duplicate: usualOf(faults.map(({ duplicate }) => duplicate)),
      drop_first: usualOf(faults.map(({ drop_first }) => drop_first)),
      delay: isTogether ? delayOfAll : usualOf(delays, DELAY_MS),
    }
    const rules = deliveries.flatMap((each, at): RecordedRule[] => {
      const own = faults[at] ?? usual
      const other = {
        ...(own.duplicate !== usual.duplicate && { duplicate: own.duplicate }),
        ...(!isTogether && !isNear(own.delay, usual.delay) && { delay: writeDuration(own.delay) }),
        ...(own.drop_first !== usual.drop_first && { drop_first: own.drop_first }),
      }
      return Object.keys(other).length > 0 ? [{ ...nameOf(each, deliveries), ...other }] : []
    })
    const ofAll = {
      ...(usual.duplicate > 0 && { duplicate: usual.duplicate }),
      ...together,
      ...(usual.delay > 0 && { delay: writeDuration(usual.delay) }),
      ...(usual.drop_first > 0 && { drop_first: usual.drop_first }),
    }
    const late = deliveries.filter(({ repeatedAfterMs }) => repeatedAfterMs >= DELAY_MS)
    const isFirst = Object.keys(ofAll).length > 0
    return {
      messages: inOrder(deliveries, acceptedAt).flatMap((each) => {
        const { type, status, duplicates } = each
        return Array(duplicates + 1).fill({ type, status, at: acceptedAt(each) })
      }),
      webhookFaults: rules.length === 0 ? ofAll : [...(isFirst ? [ofAll] : []), ...rules.slice(0, MAX_RULES)],
      notes: compact([
        late.length > 0 &&
          `${plural(late.length, 'message')} repeated up to ${writeDuration(wholeSeconds(largest(late.map(({ repeatedAfterMs }) => repeatedAfterMs))))} later; the scenario repeats them at once.`,
        rules.length > MAX_RULES &&
          `Left out how ${plural(rules.length - MAX_RULES, 'message')} were delivered; a scenario has ${MAX_RULES} rules at most.`,
      ]),
    }
  }

  #of(subject: string): Delivery[] {
    return [...this.#deliveries.values()].filter((delivery) => delivery.subject === subject)
  }
}

/** A delivery after a refused one, or after the shortest wait of a retry, is a retry. */
function repeat(delivery: Delivery, attempt: LoggedAttempt): void {
  const { last } = delivery
  const waited = last.at !== undefined && attempt.at !== undefined ? attempt.at - last.at : 0
  if (last.isRefused ?? waited >= RETRY_MS) delivery.retries++
  else {
    delivery.duplicates++
    delivery.repeatedAfterMs += waited
  }
  delivery.last = attempt
}

const acceptedAt = ({ last, firstAt, duplicates }: Delivery) => (duplicates > 0 ? firstAt : last.at)

/** By their first attempts or another time, or as they were logged. */
const inOrder = (
  deliveries: readonly Delivery[],
  timeOf: (each: Delivery) => number | undefined = ({ firstAt }) => firstAt,
): Delivery[] => [...deliveries].sort((a, b) => (timeOf(a) ?? 0) - (timeOf(b) ?? 0))

/** Faults of a delivery; the delay in milliseconds. */
type Faults = Readonly<Record<'duplicate' | 'drop_first' | 'delay', number>>

/** Rules in addition to the one for all messages. */
const MAX_RULES = 49

/** The value of more than half of the messages; 0 if there is none. Values nearer than the tolerance count as one. */
function usualOf(values: readonly number[], tolerance = 0): number {
  const sorted = [...values].sort((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  const same = values.filter((value) => isNear(value, median, tolerance))
  return same.length * 2 > values.length ? median : 0
}

const isNear = (one: number, other: number, tolerance = DELAY_MS): boolean =>
  one === other || (one > 0 && other > 0 && Math.abs(one - other) < tolerance)

/** The events that a rule with a status of the order is for. */
const ofOrders = /^labtest\.order\.(created|updated)$/

/** How a rule names the event of a message. */
function nameOf({ type, status, ...each }: Delivery, all: readonly Delivery[]): RecordedRule {
  const isOfOrder = ofOrders.test(type)
  const alike = all
    .filter((one) => one.status === status && (isOfOrder ? ofOrders.test(one.type) : one.type === type))
    .sort((a, b) => (a.eventAt ?? 0) - (b.eventAt ?? 0))
  return {
    ...(!(isOfOrder && status) && { event: type }),
    ...(status && !type.startsWith('labtest.result.') && { status }),
    ...(alike.length > 1 && { occurrence: alike.findIndex(({ key }) => key === each.key) + 1 }),
  }
}

/** Milliseconds between an event and the first attempt to tell of it. */
const delayOf = ({ firstAt, eventAt }: Delivery): number =>
  firstAt === undefined || eventAt === undefined ? 0 : Math.max(0, firstAt - eventAt)

/** Whether a message of a later event was sent before it. */
const isOvertaken = (each: Delivery, deliveries: readonly Delivery[]): boolean =>
  deliveries.slice(0, deliveries.indexOf(each)).some((one) => isLater(one, each))

/** Messages that were collected and sent together. A log without times can show no other reason for another order. */
function windowsOf(
  deliveries: readonly Delivery[],
  isTimed: boolean,
): Pick<RecordedRule, 'reorder' | 'burst'> {
  const reorder = Math.min(windowOf(deliveries), MAX_REPEATED)
  const burst = Math.min(burstOf(deliveries), MAX_REPEATED)
  const isWindow = reorder > 1 && !cameAtOnce(inOrder(deliveries, ({ eventAt }) => eventAt).slice(0, burst))
  if (burst > reorder && !isWindow) return isTimed && !cameTogether(deliveries) ? {} : { burst }
  if (reorder < 2 || (isTimed && !wereTurnedRound(deliveries))) return {}
  return { reorder: reorder === 2 ? true : reorder }
}

/** Whether messages were overtaken only by those that came with them. */
const wereTurnedRound = (deliveries: readonly Delivery[]): boolean =>
  deliveries.every((each) =>
    deliveries.every((one) => !isLater(one, each) || (each.firstAt ?? 0) - (one.firstAt ?? 0) <= BURST_MS),
  )

const cameAtOnce = (deliveries: readonly Delivery[]): boolean => {
  const times = compact(deliveries.map(({ firstAt }) => firstAt))
  return largest(times) - smallest(times) <= BURST_MS
}

/** Whether no message except the last ones came alone. */
function cameTogether(deliveries: readonly Delivery[]): boolean {
  const times = deliveries.map(({ firstAt = 0 }) => firstAt)
  const isNeighbour = (one = Number.NaN, other = Number.NaN) => Math.abs(one - other) <= BURST_MS
  return times.every(
    (time, at) =>
      time === times.at(-1) || isNeighbour(time, times[at - 1]) || isNeighbour(time, times[at + 1]),
  )
}

/** The size of a window that is sent in reverse order: one more than the most messages that overtook another. */
function windowOf(deliveries: readonly Delivery[]): number {
  const overtaken = deliveries.map(
    (each, at) =>
      deliveries.slice(Math.max(0, at - MAX_REPEATED), at).filter((one) => isLater(one, each)).length,
  )
  return 1 + Math.max(0, largest(overtaken))
}

/** Whether a message tells of something that happened after what the other one tells. */
function isLater(one: Delivery, other: Delivery): boolean {
  if (one.eventAt === undefined || other.eventAt === undefined) return false
  if (one.eventAt !== other.eventAt) return one.eventAt > other.eventAt
  return one.subject === other.subject && (one.events ?? 0) > (other.events ?? one.events ?? 0)
}

/** The most messages that arrived together although they tell of different times. */
function burstOf(deliveries: readonly Delivery[]): number {
  let most = 1
  let group: Delivery[] = []
  for (const delivery of deliveries) {
    const [first] = group
    const isSame =
      first?.firstAt !== undefined &&
      delivery.firstAt !== undefined &&
      delivery.firstAt - first.firstAt <= BURST_MS
    group = isSame ? [...group, delivery] : [delivery]
    const times = compact(group.map(({ eventAt }) => eventAt))
    if (largest(times) - smallest(times) >= DELAY_MS) most = Math.max(most, group.length)
  }
  return most
}

const wholeSeconds = (durationMs: number) => Math.round(durationMs / SECOND_MS) * SECOND_MS
