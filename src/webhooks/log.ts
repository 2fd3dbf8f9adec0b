import Queue from 'yocto-queue'
import { webhookLimits } from '../api/limits.ts'
import { etlOutbox } from '../resources/etl/table.ts'
import { events } from '../world/events.ts'
import type { World } from '../world/world.ts'
import { type Attempt, type Message, messageId, messages } from './table.ts'

/** The maximum number of settled events in a world with their messages, and their maximum size in bytes. */
const MAX_EVENTS = 2000
const MAX_BYTES = 16 * 1024 * 1024
/**
 * The maximum number of settled events that are checked when one is stored, which limits the cost if many wait for
 * the ETL pipeline.
 */
const MAX_REVIEWED = 100

interface Kept {
  readonly id: string
  bytes: number
  pending: number
  /** The number of endpoints whose giving it up was announced. */
  announced: number
  /** Its number in the order of settling; undefined while one of its messages is pending. */
  settled: number | undefined
}

/**
 * Limits a world's events and messages: those settled earliest are dropped first, except events that the ETL pipeline
 * still waits for.
 */
export class EventLog {
  readonly #world: World
  readonly #maxEvents: number
  readonly #kept = new Map<string, Kept>()
  /** Events in the order they were settled; some may be pending again or dropped. */
  readonly #settled = new Queue<{ readonly kept: Kept; readonly settled: number }>()
  #settledSoFar = 0
  #pendingMessages = 0
  readonly #pending = { events: 0, bytes: 0 }
  readonly #done = { events: 0, bytes: 0 }

  constructor(world: World, maxEvents = MAX_EVENTS) {
    this.#world = world
    this.#maxEvents = maxEvents
  }

  /** Counts the stored events and messages, a row at a step. */
  *load(): Generator<void, void> {
    for (const id of this.#world.db.ids(events)) yield this.#enter(id)
    for (const message of this.#world.db.all(messages)) yield this.#count(message, undefined)
    for (const kept of this.#kept.values()) yield this.#note(kept)
  }

  /** Called when an event and its messages were stored. */
  opened(eventId: string): void {
    if (!this.#kept.has(eventId)) this.#enter(eventId)
    this.#review(eventId)
  }

  /** The number of messages that wait for an attempt. */
  get pending(): number {
    return this.#pendingMessages
  }

  /** Whether so many more messages may wait for an attempt. */
  hasRoomFor(messages: number): boolean {
    return (
      this.#pendingMessages + messages <= webhookLimits.waiting && this.#pending.bytes <= webhookLimits.bytes
    )
  }

  /** Counts the announcements that an event was given up; returns false for one too many. */
  countAnnouncement(eventId: string): boolean {
    const kept = this.#kept.get(eventId)
    return kept !== undefined && ++kept.announced <= webhookLimits.announced
  }

  /** Stores a new or changed message. */
  put(message: Message, before: Message | undefined): Message {
    if (!this.#kept.has(message.event_id)) this.#enter(message.event_id)
    this.#count(message, before)
    return this.#world.db.put(messages, message)
  }

  /** Stores a changed message, and drops the oldest events if there are too many. */
  change(message: Message, before: Message): Message {
    this.put(message, before)
    this.#review(message.event_id)
    return message
  }

  #enter(eventId: string): void {
    const bytes = this.#world.db.text(events, eventId).text.length
    const kept = { id: eventId, bytes, pending: 0, announced: 0, settled: undefined }
    this.#kept.set(eventId, kept)
    this.#tally(kept, 1)
  }

  #count(message: Message, before: Message | undefined): void {
    const kept = this.#kept.get(message.event_id)
    if (!kept) return
    const morePending = Number(message.status === 'pending') - Number(before?.status === 'pending')
    this.#pendingMessages += morePending
    this.#tally(kept, -1)
    kept.bytes += sizeOf(message) - sizeOf(before)
    kept.pending += morePending
    this.#tally(kept, 1)
  }

  /** Adds an event to the pending or the settled ones, or removes it. */
  #tally({ pending, bytes }: Kept, sign: 1 | -1): void {
    const tally = pending > 0 ? this.#pending : this.#done
    tally.events += sign
    tally.bytes += sign * bytes
  }

  #review(eventId: string): void {
    const kept = this.#kept.get(eventId)
    if (kept) this.#note(kept)
    for (let reviewed = 0; reviewed < MAX_REVIEWED && this.#isFull(); reviewed++) {
      const oldest = this.#settled.dequeue()
      if (oldest === undefined) return
      if (oldest.kept.settled !== oldest.settled) continue
      if (this.#world.db.has(etlOutbox, oldest.kept.id)) this.#settled.enqueue(oldest)
      else this.#drop(oldest.kept)
    }
  }

  #isFull(): boolean {
    return this.#done.events > this.#maxEvents || this.#done.bytes > MAX_BYTES
  }

  /** Records whether an event is settled. */
  #note(kept: Kept): void {
    if (kept.pending > 0) kept.settled = undefined
    else if (kept.settled === undefined) {
      kept.settled = ++this.#settledSoFar
      this.#settled.enqueue({ kept, settled: kept.settled })
    }
  }

  #drop(kept: Kept): void {
    const { id: eventId } = kept
    const { db } = this.#world
    this.#tally(kept, -1)
    this.#kept.delete(eventId)
    db.delete(events, eventId)
    for (let ordinal = 1; db.has(messages, messageId(eventId, ordinal)); ordinal++) {
      db.delete(messages, messageId(eventId, ordinal))
    }
  }
}

/** The approximate size of a message, in bytes. */
const sizeOf = (message: Message | undefined): number =>
  message ? message.attempts.reduce((sum, attempt) => sum + sizeOfAttempt(attempt), 300) : 0

const sizeOfAttempt = ({ error = '', request, response }: Attempt): number =>
  200 +
  error.length +
  sizeOfHeaders(request.headers) +
  sizeOfHeaders(response?.headers) +
  (response?.body.length ?? 0)

function sizeOfHeaders(headers: Readonly<Record<string, string>> = {}): number {
  let size = 0
  for (const name in headers) size += name.length + (headers[name]?.length ?? 0) + 6
  return size
}
