import { hash } from 'node:crypto'
import { MAX_DROPPED, MAX_REPEATED } from '../../api/delivery.ts'
import { writeDuration } from '../../kernel/duration.ts'
import { MINUTE_MS, SECOND_MS } from '../../kernel/instant.ts'
import { compact, largest, smallest } from '../../kernel/list.ts'
import type { LoggedAttempt } from './log.ts'

/** The `webhooks` of a scenario that delivers messages as they were delivered. */
export interface RecordedDeliveries {
  readonly duplicate?: number
  readonly reorder?: number | true
  readonly burst?: number
  readonly delay?: string
  readonly drop_first?: number
}

/** A message about an order. */
export interface OrderMessage {
  /** The same for all its deliveries. */
  readonly key: string
  /** What it is about: an order or an appointment. */
  readonly subject: string
  /** When that happened, in milliseconds since 1970, and the number of its events by then; undefined if it does not say. */
  readonly eventAt: number | undefined
  readonly events: number | undefined
}

interface Delivery extends OrderMessage {
  arrival: number
  firstAt: number | undefined
  last: LoggedAttempt
  /** Attempts that failed, and deliveries after the first success. */
  retries: number
  duplicates: number
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
    const key = message.key.length > 64 ? hash('sha256', message.key, 'base64') : message.key
    for (const attempt of attempts) {
      const known = this.#deliveries.get(key)
      if (known) repeat(known, attempt)
      else
        this.#deliveries.set(key, {
          ...message,
          key,
          arrival: this.#deliveries.size,
          firstAt: attempt.at,
          last: attempt,
          retries: 0,
          duplicates: 0,
        })
    }
  }

  /** The numbers of events that an order had in its messages. */
  eventCounts(subject: string): ReadonlySet<number> {
    return new Set(compact(this.#of(subject).map(({ events }) => events)))
  }

  /** With notes on what a scenario cannot say. */
  finish(): { webhooks: RecordedDeliveries; notes: string[] } {
    const deliveries = inOrder([...this.#deliveries.values()])
    const duplicate = mostOf(deliveries, ({ duplicates }) => duplicates, MAX_REPEATED)
    const dropped = mostOf(deliveries, ({ retries }) => retries, MAX_DROPPED)
    const reorder = Math.min(windowOf(deliveries), MAX_REPEATED)
    const burst = Math.min(burstOf(deliveries), MAX_REPEATED)
    const isBurst = burst > 1 && burst > reorder
    const delays = delaysOf(deliveries)
    const delay = reorder > 1 || isBurst ? delays[0] : delays[Math.floor(delays.length / 2)]
    const isDelayed = delay !== undefined && delay >= DELAY_MS
    return {
      webhooks: {
        ...(duplicate > 0 && { duplicate }),
        ...(reorder > 1 && { reorder: reorder === 2 ? true : reorder }),
        ...(isBurst && { burst }),
        ...(isDelayed && { delay: writeDuration(wholeSeconds(delay)) }),
        ...(dropped > 0 && { drop_first: dropped }),
      },
      notes: [
        ...partly(deliveries, {
          most: duplicate,
          countOf: ({ duplicates }) => duplicates,
          happened: 'came more than once',
          does: 'repeats',
        }),
        ...partly(deliveries, {
          most: dropped,
          countOf: ({ retries }) => retries,
          happened: 'needed retries',
          does: 'loses the first attempts of',
        }),
        ...(isDelayed && !isBurst && reorder < 2 ? spreadOf(delays) : []),
      ],
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
  else delivery.duplicates++
  delivery.last = attempt
}

/** By their first attempts, or as they were logged. */
const inOrder = (deliveries: readonly Delivery[]): Delivery[] =>
  [...deliveries].sort((a, b) => (a.firstAt ?? 0) - (b.firstAt ?? 0) || a.arrival - b.arrival)

const mostOf = (deliveries: readonly Delivery[], countOf: (each: Delivery) => number, max: number) =>
  Math.min(max, Math.max(0, largest(deliveries.map(countOf))))

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

/** Between an event and the first attempt to tell of it, shortest first. */
const delaysOf = (deliveries: readonly Delivery[]): number[] =>
  deliveries
    .flatMap(({ firstAt, eventAt }) =>
      firstAt === undefined || eventAt === undefined ? [] : Math.max(0, firstAt - eventAt),
    )
    .sort((a, b) => a - b)

interface Irregularity {
  readonly most: number
  readonly countOf: (each: Delivery) => number
  /** In words: what happened to some messages, and what the scenario does to every one. */
  readonly happened: string
  readonly does: string
}

/** A scenario delivers all messages alike. */
function partly(deliveries: readonly Delivery[], { most, countOf, happened, does }: Irregularity): string[] {
  const same = deliveries.filter((each) => countOf(each) >= most).length
  if (most === 0 || same === deliveries.length) return []
  const some = deliveries.filter((each) => countOf(each) > 0).length
  if (some === deliveries.length)
    return [`All messages ${happened}, but not equally often; the scenario ${does} every message.`]
  return [`${some} of ${deliveries.length} messages ${happened}; the scenario ${does} every message.`]
}

function spreadOf(delays: readonly number[]): string[] {
  const [least = 0, most = 0] = [delays[0], delays.at(-1)]
  if (most - least < DELAY_MS) return []
  const [from, to] = [least, most].map((delay) => writeDuration(wholeSeconds(delay)))
  return [`Messages were delayed by ${from} to ${to}; the scenario delays each by the same time.`]
}

const wholeSeconds = (durationMs: number) => Math.round(durationMs / SECOND_MS) * SECOND_MS
