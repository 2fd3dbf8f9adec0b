import { Clock, type ClockState } from '../kernel/clock.ts'
import { createRandom, type Random } from '../kernel/random.ts'
import { Agenda, type AgendaOptions, clockRow } from '../scheduler/agenda.ts'
import type { JobHandler } from '../scheduler/job.ts'
import { Database } from '../storage/database.ts'
import type { WorldStore } from '../storage/persistence.ts'
import type { ApiKey, Region } from './api-keys.ts'
import { appendEvent, type EventListener, type EventSubject } from './events.ts'
import { Requests } from './requests.ts'
import { countIn } from './sequences.ts'
import { type Settings, settings } from './settings.ts'

/** What a world is called by, and what opens it; a reset leaves it as it is. */
export interface Identity {
  readonly teamId: string
  readonly orgId: string
  readonly name: string
  /** The key it was born with. */
  readonly apiKey: string
  readonly webhookSecret: string
  /** Keys made since. */
  readonly furtherKeys?: readonly ApiKey[]
  /** How many were ever made, deleted ones included. */
  readonly keysMade?: number
  /** `us` unless said. */
  readonly region?: Region
  /** What the customer calls the team. */
  readonly integrationTeamId?: string | null
  /** Milliseconds since 1970, the world's clock. */
  readonly createdAt?: number
}

/** How a world is at birth; reset goes back to it. Instants in milliseconds since 1970. */
export interface Birth {
  readonly seed: string
  readonly frozen: boolean
  /** Where the clock starts; null is the wall clock. */
  readonly now: number | null
  readonly pace: number
  readonly scenario: string
  readonly webhookUrl: string | null
}

/** What a world takes from the Petri it lives in. */
export interface Surroundings {
  /** The wall clock. */
  readonly wall: () => number
  /** The address clients reach Petri at; links in answers start with it. */
  readonly baseUrl: () => string
  readonly handlers: ReadonlyMap<string, (world: World) => JobHandler>
  readonly onEvent: EventListener
  /** Has the last word on what an event says. */
  readonly alterEvent?: (world: World, type: string, data: object) => object
  /** Called once in a world's life, to give it what it is born with. */
  readonly newborn: (world: World) => void
  /** Called each time it is opened again. */
  readonly reopened: (world: World) => void
  /** Told of what is a bug in Petri. */
  readonly reportBug: (error: unknown) => void
  /** Called when the agenda has changed. */
  readonly wake: (world: World) => void
  /** Called when a world is gone. */
  readonly forget: (world: World) => void
  readonly parts: WorldParts
}

/** What the layers above give a world to work with; each declares its own part. */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by declaration merging, so that the world knows none of them.
export interface WorldParts {}

/** Everything one sandbox consists of, and all that an operation may touch. */
export interface World {
  readonly identity: Identity
  readonly birth: Birth
  readonly clock: Clock
  readonly random: Random
  readonly db: Database
  readonly agenda: Agenda
  /** The latest requests its clients made. */
  readonly requests: Requests
  readonly parts: WorldParts
  readonly baseUrl: string
  readonly onEvent: EventListener
  /** Calls it something else; through `Worlds`, which finds it by its keys. */
  identify(identity: Identity): void
  settings(): Settings
  setSettings(change: Partial<Settings>): void
  /** The next number of a sequence, from 1. */
  next(sequence: string): number
  /** A UUID for the next thing of a kind. */
  newId(kind: string): string
  /** Milliseconds that a simulated wait takes here: shortened by the pace in a live world, exact in a frozen one. */
  paced(waitMs: number): number
  emit(type: string, subject: EventSubject, data: object): void
  /** Rewrites the world's file when enough was appended to it. */
  compact(): Promise<void>
  close(): Promise<void>
  /** Ends the world without keeping what it holds. */
  discard(): Promise<void>
}

export function openWorld(identity: Identity, birth: Birth, store: WorldStore, around: Surroundings): World {
  const { teamId } = identity
  const random = createRandom(birth.seed)
  const handlers = new Map<string, JobHandler>()
  const db: Database = new Database(
    store.tables,
    (changes) => store.append(changes),
    (born) => born.born?.(world) ?? [],
  )
  const isNew = !db.has(settings, teamId)
  if (isNew) putBirth(db, identity, birth, around.wall())
  const clock = new Clock(db.get(clockRow, 'clock'), around.wall)
  let called = identity
  const world: World = {
    get identity() {
      return called
    },
    birth,
    clock,
    random,
    db,
    parts: around.parts,
    agenda: openAgenda(around, { db, clock, handlers, onChange: () => around.wake(world) }),
    requests: new Requests(),
    onEvent: around.onEvent,
    get baseUrl() {
      return around.baseUrl()
    },
    identify(changed) {
      called = changed
      world.setSettings({ identity: changed })
    },
    settings: () => db.get(settings, teamId),
    setSettings: (change) => void db.put(settings, { ...db.get(settings, teamId), ...change }),
    next: countIn(db),
    newId: (kind) => random.uuid(`${kind}/${world.next(kind)}`),
    paced: (waitMs) => (clock.frozen ? waitMs : Math.round(waitMs / world.settings().pace)),
    emit: (type, subject, data) => emit(world, around, { type, subject, data }),
    compact: () => store.compact(),
    close: async () => {
      world.agenda.stop()
      world.agenda.saveClock()
      db.flush()
      db.close()
      await store.close()
    },
    discard: async () => {
      world.agenda.stop()
      db.close()
      await store.discard()
    },
  }
  for (const [kind, handler] of around.handlers) handlers.set(kind, handler(world))
  if (isNew) around.newborn(world)
  else around.reopened(world)
  return world
}

const openAgenda = (
  { wall, reportBug }: Surroundings,
  options: Omit<AgendaOptions, 'wall' | 'reportBug'>,
): Agenda => new Agenda({ ...options, wall, reportBug })

function putBirth(db: Database, identity: Identity, birth: Birth, wallNow: number): void {
  const { scenario, pace } = birth
  db.put(settings, { identity, birth, scenario, pace, features: {} })
  db.put(clockRow, bornClock(birth, wallNow))
}

interface Emitted {
  readonly type: string
  readonly subject: EventSubject
  readonly data: object
}

const emit = (world: World, { alterEvent }: Surroundings, { type, subject, data }: Emitted): void =>
  appendEvent(world, type, subject, alterEvent?.(world, type, data) ?? data)

function bornClock({ now, frozen }: Birth, wallNow: number): ClockState {
  const startsAt = now ?? wallNow
  return frozen ? { offsetMs: 0, frozenAt: startsAt } : { offsetMs: startsAt - wallNow, frozenAt: null }
}
