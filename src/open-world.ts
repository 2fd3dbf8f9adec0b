import { changedEvents } from './api/forward-compatibility.ts'
import type { JobKinds } from './api/resource.ts'
import { onEvent, onOpen } from './hooks.ts'
import { Clock, type ClockState } from './kernel/clock.ts'
import type { JsonObject } from './kernel/json.ts'
import { runInSlices } from './kernel/slices.ts'
import { eventTypes } from './resources/event-types.ts'
import { Agenda } from './scheduler/agenda.ts'
import { clockRow } from './scheduler/clock-row.ts'
import { Database } from './storage/database.ts'
import { worldTables } from './tables.ts'
import { setFirstEndpoint } from './webhooks/index.ts'
import { appendEvent } from './world/append-event.ts'
import { sourcesOf } from './world/ids.ts'
import { Requests } from './world/requests.ts'
import { createSequences, type Sequences } from './world/sequences.ts'
import type { Services } from './world/services.ts'
import { type Identity, settings, type WorldOptions } from './world/settings.ts'
import type { World } from './world/world.ts'
import type { WorldToOpen } from './world/worlds-in-memory.ts'

export type Warn = (message: string, fields: JsonObject) => void

/** The dependencies of a world. */
export interface WorldDependencies {
  /** The wall clock. */
  readonly wall: () => number
  /** The address clients reach Petri at; links in answers start with it. */
  readonly baseUrl: () => string
  /** All kinds of jobs. */
  readonly jobs: ReadonlyMap<string, JobKinds[string]>
  /** Called with errors that are bugs of Petri. */
  readonly reportBug: (error: unknown) => void
  /** Called with what the people who run Petri should know. */
  readonly warn: Warn
  /** Origins whose web pages may use link tokens, and show the link pages in a frame. */
  readonly linkOrigins: readonly string[]
  readonly services: Services
  /** Called with each instant at which the clock of a frozen world comes to stand, before what happens then. */
  readonly onClock?: ((now: number) => void) | undefined
}

const withUnknownFields = changedEvents(eventTypes)

/** Opens a world; what takes long where it has many rows is done in slices. */
export async function openWorld(
  { identity, options, store, wake, onWriteFailure, unstored }: WorldToOpen,
  { wall, baseUrl, linkOrigins, jobs, reportBug, warn, services, onClock }: WorldDependencies,
): Promise<World> {
  const { teamId } = identity
  const { idOf, ...sources } = sourcesOf(options)
  let reopened: Promise<World> | undefined
  const db: Database = new Database(store, {
    tables: worldTables,
    // The initial rows of a table may depend on the world.
    initialRows: (table) => table.initialRows?.(world as never) ?? [],
    onFailure: (error) => {
      reopened = onWriteFailure(world, error)
    },
  })
  const isNew = !db.has(settings, teamId)
  if (isNew) putFirstRows(db, identity, options, wall())
  const clock = new Clock(db.get(clockRow, 'clock'), wall, onClock)
  const agenda = new Agenda({
    db,
    clock,
    kinds: jobs,
    run: (job, others) => jobs.get(job.kind)?.run(world, job, others),
    pace: () => db.get(settings, teamId).pace,
    onChange: () => wake(world),
    reportBug,
    earlierActivity: unstored?.activity,
  })
  await runInSlices(agenda.load())
  const sequences = createSequences(db)
  db.beforeStoring(() => putDerivedRows(db, clock, sequences))
  let called = identity
  let isSilent = false
  const world: World = {
    get identity() {
      return called
    },
    get options() {
      return world.settings().options
    },
    clock,
    ...sources,
    db,
    agenda,
    services: { ...services },
    requests: unstored?.requests ?? new Requests(),
    longWork: new Set(),
    get reopened() {
      return reopened
    },
    get baseUrl() {
      return baseUrl()
    },
    linkOrigins,
    identify(changed) {
      called = changed
      world.setSettings({ identity: changed })
    },
    settings: () => db.get(settings, teamId),
    count: (table) => db.count(table),
    setSettings: (change) => void db.put(settings, { ...db.get(settings, teamId), ...change }),
    next: (sequence) => sequences.next(sequence),
    newId(kind, isTaken = () => false) {
      const id = idOf(kind, world.next(kind))
      return isTaken(id) ? world.newId(kind, isTaken) : id
    },
    emit(type, subject, data) {
      if (isSilent) return ''
      const event = appendEvent(world, type, subject, withUnknownFields(world, type, data))
      onEvent(world, event)
      return event.id
    },
    warn: (message, fields) => warn(message, { ...fields, world: called.name, team_id: teamId }),
    silently(act) {
      isSilent = true
      try {
        return act()
      } finally {
        isSilent = false
      }
    },
    close: () => close(world),
    stop() {
      agenda.stop()
      db.close()
    },
  }
  if (isNew && options.webhookUrl) setFirstEndpoint(world, options.webhookUrl)
  else await onOpen(world)
  return world
}

/** Closes a world. A world that was not used since it was opened is not written. */
function close({ agenda, clock, db, stop }: World): void {
  agenda.stop()
  agenda.saveClock()
  if (db.state === 'changed' || clock.isAheadOf(db.get(clockRow, 'clock'))) db.flush()
  stop()
}

/** Puts the rows that change with every call, once for each batch that is stored. */
function putDerivedRows(db: Database, clock: Clock, sequences: Sequences): void {
  sequences.store()
  if (!clock.frozen) db.put(clockRow, clock.stored())
}

function putFirstRows(db: Database, identity: Identity, options: WorldOptions, wallNow: number): void {
  const { scenario, pace, like = null, adoptUsers, history } = options
  db.put(settings, {
    identity,
    options,
    scenario,
    pace,
    like,
    features: { ...(adoptUsers && { adopt_users: true }), ...(history && { history }) },
  })
  db.put(clockRow, firstClock(options, wallNow))
}

function firstClock({ now, frozen }: WorldOptions, wallNow: number): ClockState {
  const startsAt = now ?? wallNow
  return frozen ? { offsetMs: 0, frozenAt: startsAt } : { offsetMs: startsAt - wallNow, frozenAt: null }
}
