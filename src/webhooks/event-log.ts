import { events } from '../world/events.ts'
import type { World } from '../world/world.ts'
import { type Message, messageId, messages } from './table.ts'

/** The most events a world keeps with their messages, and the most bytes of them; what is still pending comes on top. */
export const MOST_EVENTS = 2000
const MOST_BYTES = 16 * 1024 * 1024

interface Kept {
  bytes: number
  pending: number
}

/** Keeps a world's events and messages bounded: the longest settled go first. Work per event does not grow with the log. */
export class EventLog {
  readonly #world: World
  readonly #mostEvents: number
  readonly #kept = new Map<string, Kept>()
  /** Events of which no message is pending, the longest settled first. */
  readonly #settled = new Set<string>()
  #bytes = 0

  constructor(world: World, mostEvents: number) {
    this.#world = world
    this.#mostEvents = mostEvents
    for (const id of world.db.ids(events)) this.#enter(id)
    for (const message of world.db.all(messages)) this.#count(message, undefined)
    for (const [id, { pending }] of this.#kept) if (pending === 0) this.#settled.add(id)
  }

  /** An event was written, and its messages with it. */
  opened(eventId: string): void {
    if (!this.#kept.has(eventId)) this.#enter(eventId)
    this.#review(eventId)
  }

  /** Writes a message down, new or changed. */
  put(message: Message, before: Message | undefined): Message {
    if (!this.#kept.has(message.event_id)) this.#enter(message.event_id)
    this.#count(message, before)
    return this.#world.db.put(messages, message)
  }

  /** Writes a changed message down, and drops the oldest events if there are too many. */
  change(message: Message, before: Message): Message {
    this.put(message, before)
    this.#review(message.event_id)
    return message
  }

  #enter(eventId: string): void {
    const bytes = this.#world.db.sizeOf(events, eventId)
    this.#kept.set(eventId, { bytes, pending: 0 })
    this.#bytes += bytes
  }

  #count(message: Message, before: Message | undefined): void {
    const kept = this.#kept.get(message.event_id)
    if (!kept) return
    const more = sizeOf(message) - sizeOf(before)
    kept.bytes += more
    kept.pending += Number(message.status === 'pending') - Number(before?.status === 'pending')
    this.#bytes += more
  }

  #review(eventId: string): void {
    if (this.#kept.get(eventId)?.pending === 0) this.#settled.add(eventId)
    else this.#settled.delete(eventId)
    while (this.#kept.size > this.#mostEvents || this.#bytes > MOST_BYTES) {
      const [oldest] = this.#settled
      if (oldest === undefined) return
      this.#drop(oldest)
    }
  }

  #drop(eventId: string): void {
    const { db } = this.#world
    this.#bytes -= this.#kept.get(eventId)?.bytes ?? 0
    this.#kept.delete(eventId)
    this.#settled.delete(eventId)
    db.delete(events, eventId)
    for (let ordinal = 1; db.has(messages, messageId(eventId, ordinal)); ordinal++) {
      db.delete(messages, messageId(eventId, ordinal))
    }
  }
}

/** Roughly what a message takes, in bytes. */
const sizeOf = (message: Message | undefined): number =>
  message ? message.attempts.reduce((sum, { response }) => sum + 600 + (response?.body.length ?? 0), 300) : 0
