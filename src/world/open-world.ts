import { Clock, type ClockState } from '../kernel/clock.ts'
import { createRandom } from '../kernel/random.ts'
import { runInSlices } from '../kernel/slices.ts'
import { Agenda } from '../scheduler/agenda.ts'
import { clockRow } from '../scheduler/clock-store.ts'
import type { JobHandler } from '../scheduler/job.ts'
import { JobStore } from '../scheduler/job-store.ts'
import { Database } from '../storage/database.ts'
import type { WorldStore } from '../storage/store.ts'
import { appendEvent } from './append-event.ts'
import { Requests } from './requests.ts'
import { createSequences, type Sequences } from './sequences.ts'
import type { Identity, WorldOptions } from './settings.ts'
import { settings } from './settings.ts'
import type { EventListener, World, WorldParts } from './world.ts'

/** The dependencies of a world. */
export interface WorldDependencies {
  /** The wall clock. */
  readonly wall: () => number
  /** The address clients reach Petri at; links in answers start with it. */
  readonly baseUrl: () => string
  readonly handlers: ReadonlyMap<string, (world: World) => JobHandler>
  readonly onEvent: EventListener
  /** May change the data of an event before it is stored. */
  readonly alterEvent?: (world: World, type: string, data: object) => object
  /** Called once, when a world is created. */
  readonly onCreate: (world: World) => void
  /** Called each time a stored world is opened. */
  readonly onOpen: (world: World) => Promise<void>
  /** Called with errors that are bugs of Petri. */
  readonly reportBug: (error: unknown) => void
  /** Called when the agenda has changed. */
  readonly wake: (world: World) => void
  /** Called when a world was deleted or replaced. */
  readonly forget: (world: World) => void
  /** Called when a write failed: stops the world and opens it again from what is stored. Returns undefined for a world that is gone. */
  readonly onWriteFailure: (world: World, error: unknown) => Promise<World> | undefined
  readonly parts: WorldParts
}

/** Opens a world; what takes long where it has many rows is done in slices. */
export async function openWorld(
  identity: Identity,
  options: WorldOptions,
  store: WorldStore,
  dependencies: WorldDependencies,
): Promise<World> {
  const { wall, reportBug } = dependencies
  const { teamId } = identity
  const random = createRandom(options.seed)
  const handlers = new Map<string, JobHandler>()
  let reopened: Promise<World> | undefined
  const db: Database = new Database(store, {
    // The initial rows of a table may depend on the world.
    initialRows: (table) => table.initialRows?.(world as never) ?? [],
    onFailure: (error) => {
      reopened = dependencies.onWriteFailure(world, error)
    },
  })
  const isNew = !db.has(settings, teamId)
  if (isNew) putFirstRows(db, identity, options, wall())
  const clock = new Clock(db.get(clockRow, 'clock'), wall)
  const jobs = new JobStore(db, clock)
  await runInSlices(jobs.load())
  jobs.setScenarioRate(clock.frozen ? 1 : db.get(settings, teamId).pace)
  const sequences = createSequences(db)
  db.beforeStoring(() => putDerivedRows(db, clock, sequences))
  let called = identity
  const world: World = {
    get identity() {
      return called
    },
    options,
    clock,
    random,
    db,
    parts: dependencies.parts,
    agenda: new Agenda({
      db,
      clock,
      jobs,
      handlers,
      pace: () => world.settings().pace,
      onChange: () => dependencies.wake(world),
      reportBug,
    }),
    requests: new Requests(),
    longWork: new Set(),
    onEvent: (event) => dependencies.onEvent(world, event),
    get reopened() {
      return reopened
    },
    get baseUrl() {
      return dependencies.baseUrl()
    },
    identify(changed) {
      called = changed
      world.setSettings({ identity: changed })
    },
    settings: () => db.get(settings, teamId),
    setSettings: (change) => void db.put(settings, { ...db.get(settings, teamId), ...change }),
    next: (sequence) => sequences.next(sequence),
    newId(kind, isTaken = () => false) {
      const id = random.uuid(`${kind}/${world.next(kind)}`)
      return isTaken(id) ? world.newId(kind, isTaken) : id
    },
    emit: (type, subject, data) =>
      appendEvent(world, type, subject, dependencies.alterEvent?.(world, type, data) ?? data),
    close: () => close(world),
    stop() {
      world.agenda.stop()
      db.close()
    },
  }
  for (const [kind, handler] of dependencies.handlers) handlers.set(kind, handler(world))
  if (isNew) dependencies.onCreate(world)
  else await dependencies.onOpen(world)
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
  const { scenario, pace, like = null } = options
  db.put(settings, { identity, options, scenario, pace, like, features: {} })
  db.put(clockRow, firstClock(options, wallNow))
}

function firstClock({ now, frozen }: WorldOptions, wallNow: number): ClockState {
  const startsAt = now ?? wallNow
  return frozen ? { offsetMs: 0, frozenAt: startsAt } : { offsetMs: startsAt - wallNow, frozenAt: null }
}
