import type { Clock } from '../kernel/clock.ts'
import type { Random } from '../kernel/random.ts'
import type { Agenda } from '../scheduler/agenda.ts'
import type { Database } from '../storage/database.ts'
import type { EventHead, EventSubject } from './events.ts'
import type { Identity, WorldOptions } from './identity.ts'
import type { Requests } from './requests.ts'
import type { Settings } from './settings.ts'

/** Interfaces that the layers above implement for a world. */
// biome-ignore lint/suspicious/noEmptyInterface: declared in full in `src/world-parts.ts`, so that the world knows none of them.
export interface WorldParts {}

/** What takes long on a large world: how many rows are done, and of how many where that is known. */
export interface LongWork {
  readonly kind: 'export' | 'import' | 'snapshot' | 'restore'
  readonly rows: number
  readonly of: number | null
}

/** One sandbox: everything that an operation may use. */
export interface World {
  readonly identity: Identity
  /** How it was made. */
  readonly options: WorldOptions
  readonly clock: Clock
  readonly random: Random
  readonly db: Database
  readonly agenda: Agenda
  /** The latest requests its clients made. */
  readonly requests: Requests
  readonly parts: WorldParts
  /** Exports, imports and other long work that is running. */
  readonly longWork: Set<LongWork>
  readonly baseUrl: string
  onEvent(event: EventHead): void
  /** Calls it something else; through `Worlds`, which finds it by its keys. */
  identify(identity: Identity): void
  settings(): Settings
  setSettings(change: Partial<Settings>): void
  /** The next number of a sequence, from 1. */
  next(sequence: string): number
  /** A UUID for the next thing of a kind. */
  newId(kind: string): string
  /** A simulated wait in milliseconds: divided by the pace in a live world, unchanged in a frozen one. */
  paced(waitMs: number): number
  emit(type: string, subject: EventSubject, data: object): void
  /** Refuses a call that would write while nothing can be stored. */
  assertWritable(): void
  /** Stores what is left, and ends it. */
  close(): void
  /** Ends it: nothing more is run or stored. */
  stop(): void
}

/** Called with each event once it is stored. */
export type EventListener = (world: World, event: EventHead) => void
