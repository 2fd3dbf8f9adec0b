import type { Clock } from '../kernel/clock.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { Random } from '../kernel/random.ts'
import type { Agenda } from '../scheduler/agenda.ts'
import type { ScenarioTime } from '../scheduler/scenario-time.ts'
import type { Database } from '../storage/database.ts'
import type { AnyTable } from '../storage/table.ts'
import type { EventSubject } from './events.ts'
import type { Sources } from './ids.ts'
import type { Requests } from './requests.ts'
import type { Services } from './services.ts'
import type { Identity, Settings, WorldOptions } from './settings.ts'

/** A running export, import, snapshot or restore: rows done, and the total if it is known. */
export interface LongWork {
  readonly kind: 'export' | 'import' | 'snapshot' | 'restore'
  readonly rows: number
  readonly of: number | null
}

/** What is known of each world, also of one whose rows are not in memory. */
export interface WorldOutline {
  readonly identity: Identity
  /** The options it was created with. */
  readonly options: WorldOptions
  readonly clock: Clock
  readonly agenda: Pick<Agenda, 'advancing' | 'busy' | 'failures' | 'nextDue' | 'pending' | 'runDue'> & {
    readonly scenarioTime: Pick<ScenarioTime, 'rate'>
  }
  /** Exports, imports and other long operations that are running. */
  readonly longWork: ReadonlySet<LongWork>
  settings(): Settings
  /** The number of rows of a table. */
  count(table: AnyTable): number
}

/** One sandbox: everything that an operation may use. */
export interface World extends WorldOutline {
  /** For behaviour. Keys with an object in them have its `drawKey`. */
  readonly random: Random
  /** For ids, tokens and numbers that identify. */
  readonly ids: Random
  readonly drawKey: Sources['drawKey']
  readonly db: Database
  readonly agenda: Agenda
  /** What it is given by the layers above. */
  readonly services: Services
  /** The latest requests of its clients. */
  readonly requests: Requests
  readonly longWork: Set<LongWork>
  readonly baseUrl: string
  /** Origins whose web pages may use link tokens, and show the link pages in a frame. */
  readonly linkOrigins: readonly string[]
  /** After a failed write: the world as it is stored, once it has been read again. */
  readonly reopened: Promise<World> | undefined
  /** Changes names and keys. Call it through `Worlds`, which finds worlds by these. */
  identify(identity: Identity): void
  setSettings(change: Partial<Settings>): void
  /** The next number of a sequence, from 1. */
  next(sequence: string): number
  /** A UUID for the next object of a kind; `isTaken` leaves out those that a user has chosen for others. */
  newId(kind: string, isTaken?: (id: string) => boolean): string
  /** Stores an event and calls `onEvent` of `hooks.ts`. Returns the id of the event. */
  emit(type: string, subject: EventSubject, data: object): string
  /** Tells the people who run Petri of something that needs them. */
  warn(message: string, fields: JsonObject): void
  /** Runs something whose events are not emitted. */
  silently<Result>(act: () => Result): Result
  /** Stores what is not stored yet, and stops the world. */
  close(): void
  /** Stops the world: no job runs and nothing is stored any more. */
  stop(): void
}
