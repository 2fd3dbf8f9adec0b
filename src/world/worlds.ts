import { compact } from '../kernel/list.ts'
import { pause } from '../kernel/pause.ts'
import { orNotFound, Problem } from '../kernel/problem.ts'
import { messageOf } from '../kernel/reason.ts'
import { assertConnected, Slices } from '../kernel/slices.ts'
import { NewerFormat } from '../storage/base-file.ts'
import { isOfSystem, storageProblem, TOO_MANY_FILES } from '../storage/disk-full.ts'
import { canOpenFiles } from '../storage/file-handles.ts'
import { rowsIn, type Tables } from '../storage/rows.ts'
import type { SnapshotStore } from '../storage/snapshots.ts'
import { memoryStore, type WorldFolder, type WorldStore } from '../storage/store.ts'
import type { AnyTable } from '../storage/table.ts'
import { numberedSeed, seedOptions } from './ids.ts'
import { beginWork } from './long-work.ts'
import { type NewWorld, nameWorld, newIdentity, nextWorldNumber } from './new-world.ts'
import { eraseTeam, ORGANISATION, Organisation, organisationId } from './organisation.ts'
import {
  createRestingWorld,
  isInMemory,
  type KnownWorld,
  type RestingWorld,
  summarise,
  type Unstored,
  type WorldSummary,
} from './resting-world.ts'
import { type RestoredRows, restoreRows, settingsIn } from './restore.ts'
import { assertNotSetAside, nameOf, type SetAsideWorld } from './set-aside.ts'
import { whyStanding } from './set-back.ts'
import { apiKeysOf, type Identity, type WorldOptions } from './settings.ts'
import type { World } from './world.ts'
import { WorldRegistry } from './world-registry.ts'

/** A world that is created or read. */
export interface WorldToOpen {
  readonly identity: Identity
  readonly options: WorldOptions
  readonly store: WorldStore
  /** Of a world that was in memory before. */
  readonly unstored?: Unstored | undefined
  /** Called when the agenda has changed. */
  readonly wake: (world: World) => void
  /** Called when a write failed: stops the world and opens it again from what is stored. Returns undefined for a world that is gone. */
  readonly onWriteFailure: (world: World, error: unknown) => Promise<World> | undefined
}

/** The dependencies of all worlds. */
export interface WorldsDependencies {
  /** The wall clock. */
  readonly wall: () => number
  readonly open: (world: WorldToOpen) => Promise<World>
  /** Called when the agenda of a world has changed. */
  readonly wake: (world: KnownWorld) => void
  /** Called when a world was deleted or replaced. */
  readonly forget: (world: KnownWorld) => void
  /** The part of the heap that is in use. */
  readonly heapUse: () => number
  /** Called with what the people who run Petri should know. */
  readonly warn: (message: string) => void
  /** Called with errors that are bugs of Petri. */
  readonly reportBug: (error: unknown) => void
  /** The seed of worlds without one of their own. */
  readonly firstSeed: string
  /** The tables of the organisation whose rows belong to teams. */
  readonly teamTables: readonly AnyTable[]
}

interface ResetOptions {
  readonly seed?: string | undefined
  readonly newIds?: boolean | undefined
  /** Aborted when the client disconnects; then nothing changes. */
  readonly signal?: AbortSignal | undefined
}

/** The rows that replace those of a world, unless the client disconnects. */
interface Replacement {
  readonly tables: Tables
  readonly signal: AbortSignal | undefined
}

/** How a world in memory is used. */
interface Usage {
  /** How many calls it is held for. */
  calls: number
  /** The time of the last one by the wall clock. */
  at: number
  /** What the index had of it when it was read, which is valid as long as its files are as they were. */
  indexed?: IndexEntry
}

/** What the index has of a world. */
interface IndexEntry {
  readonly keys?: readonly string[]
  /** Valid as long as the state of its files is this one. */
  readonly state?: string | undefined
  readonly summary?: WorldSummary | undefined
}

type Index = Readonly<Record<string, IndexEntry>>

/** Milliseconds without a call and a due job after which the rows of a world leave memory. */
const IDLE_MS = 60_000
/** Milliseconds between two writes of the index. */
const INDEX_MS = 60_000
/** The parts of the heap's limit from which worlds leave memory early, and from which no further one is kept in it. V8
 * collects garbage at the latest half way between what is live and the limit, so at this use, 0.7 of the limit is live. */
const CROWDED = 0.6
const FULL = 0.85
const FULL_HEAP =
  'The heap of this Petri is nearly full, so no further world is kept in it. Delete worlds, ' +
  'or raise its limit with NODE_OPTIONS=--max-old-space-size=MEGABYTES.'
/** How many worlds leave memory for another one. */
const LEAVING = 8
/** Milliseconds between two attempts to read a world whose job is due while the heap is full. */
const RETRY_MS = 250
/** Milliseconds for compacting worlds at the end. A world that is not compacted by then keeps its journal. */
const REWRITING_MS = 1000

/** All worlds of one Petri. Worlds share no data. */
export class Worlds extends WorldRegistry {
  readonly organisation: Organisation
  readonly #folder: WorldFolder
  readonly #dependencies: WorldsDependencies
  readonly #stores = new Map<World, WorldStore>()
  /** Worlds that cannot be written now, and why. */
  readonly #blocked = new Map<World, string>()
  readonly #usage = new Map<World, Usage>()
  /** When the index was written; undefined if it is not to be written. */
  #indexedAt: number | undefined
  #isIndexOld = false
  #onOrganisation: () => void = () => undefined
  #flushesSeen = 0
  #isStanding = false
  #lastChange: Promise<unknown> = Promise.resolve()
  #lastDue: Promise<unknown> = Promise.resolve()
  #isClosing = false

  constructor(folder: WorldFolder, dependencies: WorldsDependencies) {
    super()
    this.#folder = folder
    this.#dependencies = dependencies
    this.organisation = new Organisation(() => folder.open(ORGANISATION), dependencies.teamTables)
  }

  /**
   * Reads the stored worlds that the index does not have; one that cannot be read is set aside. Throws for data of a newer
   * version. `onOrganisation` is called once the organisation is read.
   */
  async load(onOrganisation: () => void = () => undefined): Promise<void> {
    this.#onOrganisation = onOrganisation
    const names = await this.#folder.list()
    const index = new Map(Object.entries((this.#folder.index?.read() ?? {}) as Index))
    for (const name of names) {
      if (name === ORGANISATION) await this.#loadOrganisation().catch((error) => this.#setAside(name, error))
      else await this.#loadOrIndexed(name, index.get(name))
    }
    this.#indexedAt = 0
  }

  /** Why a world cannot be opened or written; undefined if all can. */
  get trouble(): string | undefined {
    const [closed] = this.setAside
    const blocked = this.#lost ?? [...this.#blocked.values()][0] ?? this.organisation.blocked()
    if (blocked) return blocked
    if (!canOpenFiles()) return `${TOO_MANY_FILES}; calls that need one are refused until others are closed.`
    if (this.#isFull) return FULL_HEAP
    const [unread] = compact(this.#resting.map(({ trouble }) => trouble))
    if (unread) return unread
    return closed
      ? `${nameOf(closed)} could not be opened; "npx petri-sandbox doctor" says why.`
      : this.#standing
  }

  /** Why nothing can be stored in the data folder; undefined if it can. */
  get #lost(): string | undefined {
    try {
      this.#folder.assertHeld()
      return undefined
    } catch (error) {
      return messageOf(error)
    }
  }

  /** Says that live worlds stand still because the wall clock was set back. */
  get #standing(): string | undefined {
    const [standing] = compact([...this.inMemory].map(({ clock }) => whyStanding(clock)))
    return standing
  }

  /** Resolves once everything that was refused has left memory; undefined if no write has failed. Rejects for a world that cannot be read. */
  get reopened(): Promise<unknown> | undefined {
    const failed = compact([...this.#blocked.keys()].map(({ reopened }) => reopened))
    if (failed.length === 0 && this.organisation.isReadable) return undefined
    // Calls that need the organisation get its own reason.
    return Promise.all([...failed, this.organisation.open().catch(() => undefined)])
  }

  /** Refuses a call that may write to several worlds while one of them cannot be written. */
  assertWritable(): void {
    for (const world of this.#blocked.keys()) world.db.assertWritable()
  }

  /** Makes a world, unless `check` throws. */
  make(wanted: NewWorld, check: () => void = () => undefined): Promise<World> {
    return this.#inTurn(async () => {
      check()
      await this.#makeRoom()
      const { name, teamId, apiKey, webhookSecret, region, integrationTeamId, isFirst, seed, ...given } =
        wanted
      if (teamId !== undefined) this.assertFree(teamId)
      const wallNow = this.#dependencies.wall()
      const { firstSeed } = this.#dependencies
      const named = await this.organisation.change((db) =>
        nameWorld(db, wanted, { firstSeed, isFree: (id) => this.isFree(id) }),
      )
      // A reset of a frozen world returns to this instant, so the wall clock is read only once.
      const now = given.now ?? (given.frozen ? wallNow : null)
      const options = { ...given, ...seedOptions(named.seed), now }
      return this.#create(newIdentity({ ...wanted, ...named }, named.names, given.now ?? wallNow), options)
    })
  }

  /**
   * Resets a world to its creation, optionally with another seed. A live world gets new ids by default, because receivers
   * may ignore messages whose ids they know. The old world serves calls until the new one is stored.
   */
  reset({ identity: { teamId } }: World, { seed, newIds, signal }: ResetOptions = {}): Promise<World> {
    return this.#changeWorld(teamId, async (world) => {
      assertConnected(signal)
      const { options } = world
      const isNew = newIds ?? (seed === undefined && !options.frozen)
      if (seed === undefined && !isNew) return this.#replace(world, options, { tables: new Map(), signal })
      const { behaviourSeed, ...kept } = options
      const given = seed ?? options.seed
      const next = isNew ? numberedSeed(given, await this.organisation.change(nextWorldNumber)) : given
      return this.#replace(world, { ...kept, ...seedOptions(next) }, { tables: new Map(), signal })
    })
  }

  /** Replaces the rows of a world; its names and keys stay. */
  restore(
    { identity: { teamId } }: World,
    given: RestoredRows,
    signal: AbortSignal | undefined,
  ): Promise<World> {
    return this.#changeWorld(teamId, async (world) => {
      assertConnected(signal)
      const options = settingsIn(given.tables, teamId)?.options ?? world.options
      const tables = restoreRows(given, world.identity, this.#dependencies.wall())
      return this.#replace(world, options, { tables, signal })
    })
  }

  /** The snapshots of a world; calls run one after the other. */
  snapshotsOf({ identity: { teamId } }: KnownWorld): SnapshotStore {
    const store = this.#folder.snapshots(teamId)
    return {
      ...store,
      find: (name) => this.#inTurn(() => store.find(name)),
      put: (snapshot, onRows) => this.#inTurn(() => this.#get(teamId) && store.put(snapshot, onRows)),
      remove: (name) => this.#inTurn(() => store.remove(name)),
    }
  }

  /** Deletes a world. Once its folder is renamed it is gone, and what could not be tidied up is only warned of. */
  drop({ identity: { teamId } }: KnownWorld): Promise<void> {
    return this.#inTurn(async () => {
      const world = await this.#settled(teamId)
      const store = isInMemory(world) ? this.#stores.get(world) : undefined
      this.#folder.assertHeld()
      this.#dependencies.forget(world)
      this.remove(world)
      try {
        await store?.closeFiles()
        await this.#folder.remove(teamId)
      } catch (error) {
        this.set(world)
        this.#wake(world)
        throw storageProblem(error)
      }
      if (isInMemory(world)) this.#leave(world)
      await store?.close({ rewrites: false })
      await this.organisation
        .change((db) => eraseTeam(db, teamId))
        .catch((error: unknown) => {
          this.#dependencies.warn(
            `could not take the deleted team ${teamId} out of the organisation: ${messageOf(error)}`,
          )
        })
    })
  }

  /** Changes names or keys of a world. If `change` throws, nothing changes. */
  identify(of: KnownWorld, change: (before: Identity, world: World) => Identity): Promise<World> {
    return this.#changeWorld(of.identity.teamId, async (world) => {
      const before = world.identity
      world.identify(change(before, world))
      await world.db.settled()
      this.set(world, before)
      return world
    })
  }

  /** The worlds in memory. */
  get inMemory(): Iterable<World> {
    return this.#stores.keys()
  }

  /** Has the rows of a world in memory while `act` runs. */
  async use<Result>(
    { identity: { teamId } }: KnownWorld,
    act: (world: World) => Result | Promise<Result>,
  ): Promise<Result> {
    let known = this.#get(teamId)
    while (!isInMemory(known)) {
      await this.#read(known)
      known = this.#get(teamId)
    }
    const usage = this.#usageOf(known)
    usage.calls++
    usage.at = this.#dependencies.wall()
    try {
      return await act(known)
    } finally {
      usage.calls--
    }
  }

  /** Has the rows of all these worlds in memory while `act` runs. */
  useAll<Result>(
    [first, ...rest]: readonly KnownWorld[],
    act: (worlds: readonly World[]) => Result | Promise<Result>,
    used: readonly World[] = [],
  ): Result | Promise<Result> {
    return first ? this.use(first, (world) => this.useAll(rest, act, [...used, world])) : act(used)
  }

  /** Has these worlds in memory one after the other. */
  async each<Result>(
    worlds: Iterable<KnownWorld>,
    act: (world: World) => Result | Promise<Result>,
  ): Promise<Result[]> {
    const results: Result[] = []
    const slices = new Slices()
    for (const world of worlds) {
      results.push(await this.use(world, act))
      if (slices.isOver) await slices.next()
    }
    return results
  }

  /** Resumes worlds that can be written or read again. Compacts all files if no world has changed since the last call. */
  async maintain(): Promise<void> {
    const standing = this.#standing
    if (standing && !this.#isStanding) this.#dependencies.warn(standing)
    this.#isStanding = standing !== undefined
    for (const { agenda } of this.inMemory) if (standing) agenda.saveStandingClock()
    for (const store of this.#stores.values()) store.closeIdle()
    for (const world of this.#blocked.keys()) {
      if (world.db.state === 'failed') await this.#inTurn(() => this.#readAgain(world)).catch(() => undefined)
      if (this.#stores.get(world)?.blocked() !== undefined) continue
      if (this.#blocked.delete(world)) this.#wake(world)
    }
    await this.#heal()
    await this.#restIdle()
    const before = this.#flushesSeen
    this.#flushesSeen = [...this.inMemory].reduce((sum, { db }) => sum + db.flushes, 0)
    if (this.#flushesSeen !== before) return
    for (const store of [...this.#stores.values()]) await store.compact()
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await this.#lastChange
    for (const { storing, reading } of this.#resting) await Promise.allSettled([storing, reading])
    const end = this.#dependencies.wall() + REWRITING_MS
    for (const [world, store] of [...this.#stores])
      await this.#rest(world, store, this.#dependencies.wall() < end)
    this.#writeIndex()
    for (const each of [this.organisation, this.#folder]) await each.close()
  }

  /** Runs changes to the set of worlds one after the other. */
  #inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    if (this.#isClosing) return Promise.reject(isClosing())
    const changed = this.#lastChange.then(change)
    this.#lastChange = changed.catch(() => undefined)
    return changed
  }

  /** Changes a world in its turn. */
  #changeWorld<Result>(teamId: string, change: (world: World) => Promise<Result>): Promise<Result> {
    return this.#inTurn(() => this.use(this.#get(teamId), change))
  }

  #get(teamId: string): KnownWorld {
    return orNotFound(this.byTeam(teamId), `There is no world of team ${teamId}.`)
  }

  #inMemory(teamId: string): World | Promise<World> {
    const world = this.#get(teamId)
    return isInMemory(world) ? world : this.#read(world)
  }

  async #loadOrganisation(): Promise<void> {
    await this.organisation.load()
    this.#onOrganisation()
  }

  async #loadOrIndexed(teamId: string, { keys, state, summary }: IndexEntry = {}): Promise<void> {
    if (summary && state !== undefined && state === this.#folder.index?.stateOf(teamId)) {
      this.#enterResting(summary).state = state
      return
    }
    await this.#makeRoom().catch(() => undefined)
    await this.#load(teamId).catch((error) => this.#setAside(teamId, error, keys))
  }

  /** Reads the rows of a world; there may be none where Petri was killed when it made the world. */
  async #load(teamId: string, unstored?: Unstored): Promise<World | undefined> {
    const store = await this.#folder.open(teamId)
    try {
      const world = await this.#openStored(teamId, store, unstored)
      if (world) this.#enter(world, store)
      else if (store.tables.size > 0) throw new Error(`worlds/${teamId} has no settings row.`)
      else await store.close({ rewrites: false })
      return world
    } catch (error) {
      await store.close({ rewrites: false })
      throw error
    }
  }

  #setAside(teamId: string, error: Error, keys: readonly string[] = []): SetAsideWorld {
    // Then the whole folder is that version's.
    if (error instanceof NewerFormat) throw error
    const closed = { teamId, reason: error.message, keys, mayHeal: mayPass(error) }
    this.setAside.push(closed)
    return closed
  }

  /** Reads again what the system has refused to read, and worlds whose job is due that there was no room for. */
  async #heal(): Promise<void> {
    for (const closed of this.setAside.filter(({ mayHeal }) => mayHeal)) {
      const { teamId } = closed
      const load = async () => void (this.byTeam(teamId) ?? (await this.#load(teamId)))
      const reading = teamId === ORGANISATION ? this.#loadOrganisation() : this.#inTurn(load)
      const isRead = await reading.then(() => true).catch(() => false)
      const at = isRead ? this.setAside.indexOf(closed) : -1
      if (at >= 0) this.setAside.splice(at, 1)
    }
    for (const world of this.#resting) {
      const { agenda, clock, trouble } = world
      if (trouble !== undefined) await this.#read(world).catch(() => undefined)
      else if ((agenda.nextDue() ?? Number.POSITIVE_INFINITY) <= clock.reading())
        this.#dependencies.wake(world)
    }
  }

  get #resting(): RestingWorld[] {
    return this.all().filter((world): world is RestingWorld => !isInMemory(world))
  }

  #enterResting(summary: WorldSummary): RestingWorld {
    const { wall, wake } = this.#dependencies
    const world = createRestingWorld(summary, { wall, read: (due) => this.#readDue(due) })
    this.set(world)
    wake(world)
    return world
  }

  /** Reads the rows of a resting world. Throws if that is not possible now; the next call tries again. */
  #read(world: RestingWorld): Promise<World> {
    if (this.#isClosing) return Promise.reject(isClosing())
    world.reading ??= this.#readRows(world).finally(() => {
      world.reading = undefined
    })
    return world.reading
  }

  async #readRows(resting: RestingWorld): Promise<World> {
    const { identity, unstored } = resting
    const { teamId } = identity
    await resting.storing
    await this.#makeRoom()
    try {
      const world = await this.#load(teamId, unstored)
      if (!world) throw new Error(`worlds/${teamId} has no rows.`)
      this.#usageOf(world).indexed = { state: resting.state, summary: resting.summary }
      return world
    } catch (error) {
      if (mayPass(error)) {
        resting.trouble = `The world of team ${teamId} cannot be read now: ${messageOf(error)}`
        throw new Problem('unavailable', resting.trouble)
      }
      this.#dependencies.forget(resting)
      this.remove(resting)
      const keys = apiKeysOf(identity).map(({ value }) => value)
      throw assertNotSetAside(this.#setAside(teamId, error as Error, keys))
    }
  }

  /** Reads worlds whose job is due, one after the other while there is room for them. */
  #readDue(resting: RestingWorld): void {
    resting.isAwaited = true
    const reading = this.#lastDue.then(async () => {
      while (this.#isFull && !this.#isClosing) {
        await this.#leaveMemory()
        await pause(RETRY_MS)
      }
      if (!this.#isClosing && this.byTeam(resting.identity.teamId) === resting) await this.#read(resting)
    })
    this.#lastDue = reading
      .catch(() => undefined)
      .finally(() => {
        resting.isAwaited = false
      })
  }

  /** The world of a team, once its rows are neither being stored nor read. */
  async #settled(teamId: string): Promise<KnownWorld> {
    for (;;) {
      const world = this.#get(teamId)
      if (isInMemory(world)) return world
      const { storing, reading } = world
      if (!storing && !reading) return world
      await Promise.allSettled([storing, reading])
    }
  }

  get #isFull(): boolean {
    return this.#dependencies.heapUse() >= FULL
  }

  /** Has worlds leave memory before another one is kept in it. Throws when none can. */
  async #makeRoom(): Promise<void> {
    if (this.#dependencies.heapUse() < CROWDED) return
    const isFull = this.#isFull
    const left = await this.#leaveMemory()
    if (left === 0 && isFull) throw new Problem('unavailable', FULL_HEAP)
  }

  /** Has the worlds that were not called for longest leave memory. Returns how many have. */
  async #leaveMemory(): Promise<number> {
    for (const world of this.#resting) world.unstored = undefined
    const idle = [...this.#stores].filter(([world]) => this.#mayRest(world))
    const oldest = idle.toSorted(([a], [b]) => this.#usageOf(a).at - this.#usageOf(b).at).slice(0, LEAVING)
    for (const [world, store] of oldest) if (this.#mayRest(world)) await this.#rest(world, store)
    return oldest.length
  }

  async #restIdle(): Promise<void> {
    const before = this.#dependencies.wall() - IDLE_MS
    for (const [world, store] of [...this.#stores])
      if (this.#usageOf(world).at <= before && this.#mayRest(world, IDLE_MS)) await this.#rest(world, store)
    const isDue = (this.#indexedAt ?? 0) + INDEX_MS <= this.#dependencies.wall()
    if (this.#isIndexOld && isDue) this.#writeIndex()
  }

  #usageOf(world: World): Usage {
    const usage = this.#usage.get(world) ?? { calls: 0, at: this.#dependencies.wall() }
    this.#usage.set(world, usage)
    return usage
  }

  /** Whether the rows of a world may leave memory: nothing is running in it, nobody watches it, and no job is due soon. */
  #mayRest(world: World, withinMs = 0): boolean {
    const { agenda, clock, db, longWork } = world
    if (!this.#folder.index || !this.#stores.has(world) || this.#blocked.has(world)) return false
    if (!agenda.isIdle || longWork.size > 0 || db.state !== 'stored') return false
    if (this.#usageOf(world).calls > 0) return false
    const dueInMs = (agenda.nextDue() ?? Number.POSITIVE_INFINITY) - clock.reading()
    return dueInMs > (clock.frozen ? 0 : withinMs)
  }

  /** Has the rows of a world leave memory once they are stored. */
  async #rest(world: World, store: WorldStore, rewrites = true): Promise<void> {
    const { teamId } = world.identity
    const summary = summarise(world, store.tables)
    const unstored = { requests: world.requests, activity: world.agenda.activity }
    world.close()
    // Then it is opened again, or Petri is being closed.
    if (world.db.state === 'failed' && !this.#isClosing) return
    this.#leave(world)
    const resting = this.#enterResting(summary)
    resting.unstored = unstored
    resting.storing = store
      .close({ rewrites })
      .catch((error) =>
        this.#dependencies.warn(`could not close the files of team ${teamId}: ${messageOf(error)}`),
      )
    await resting.storing
    resting.storing = undefined
    if (world.db.state === 'stored') resting.state = this.#folder.index?.stateOf(teamId)
    this.#isIndexOld = true
  }

  /** Stores what is known of the worlds, so that the next start need not read them. */
  #writeIndex(): void {
    const { index } = this.#folder
    if (!index || this.#indexedAt === undefined) return
    this.#indexedAt = this.#dependencies.wall()
    this.#isIndexOld = false
    const entries = new Map<string, IndexEntry>(this.setAside.map(({ teamId, keys }) => [teamId, { keys }]))
    for (const world of this.all()) {
      const keys = apiKeysOf(world.identity).map(({ value }) => value)
      const { state, summary } = (isInMemory(world) ? this.#usageOf(world).indexed : world) ?? {}
      entries.set(world.identity.teamId, { keys, state, summary })
    }
    try {
      index.write(Object.fromEntries(entries))
    } catch (error) {
      this.#dependencies.warn(`could not write the index of the worlds: ${messageOf(error)}`)
    }
  }

  async #create(identity: Identity, options: WorldOptions): Promise<World> {
    const folder = this.#folder
    const store = await folder.create(identity.teamId)
    try {
      const world = await this.#open(identity, options, store)
      await world.db.settled()
      this.#enter(world, store)
      return world
    } catch (error) {
      await store.close({ rewrites: false })
      // Without rows it is not a world.
      await folder.remove(identity.teamId).catch(() => undefined)
      throw error
    }
  }

  /** Creates the new world in memory and stores it next to the old one, which serves calls until then. */
  async #replace(world: World, options: WorldOptions, { tables, signal }: Replacement): Promise<World> {
    const old = orNotFound(this.#stores.get(world), `There is no world of team ${world.identity.teamId}.`)
    const staged = this.#open(world.identity, options, memoryStore(tables))
    const replacement = await staged.catch((error: Error) => {
      throw new Problem('invalid', `No world can be opened from these rows: ${error.message}`)
    })
    replacement.db.flush()
    assertConnected(signal)
    const progress = beginWork(world, 'restore', { of: rowsIn(tables), signal })
    const enter = (stored: WorldStore) => {
      replacement.db.storeIn(stored)
      this.#leave(world)
      this.#enter(replacement, stored)
    }
    await old.replace(tables, enter, progress.add).finally(progress.end)
    return replacement
  }

  async #openStored(teamId: string, store: WorldStore, unstored?: Unstored): Promise<World | undefined> {
    const stored = settingsIn(store.tables, teamId)
    if (!stored) return undefined
    return this.#open({ ...stored.identity, orgId: organisationId }, stored.options, store, unstored)
  }

  #open(identity: Identity, options: WorldOptions, store: WorldStore, unstored?: Unstored): Promise<World> {
    return this.#dependencies.open({
      identity,
      options,
      store,
      unstored,
      wake: (world) => this.#wake(world),
      onWriteFailure: (world, error) => this.#reopen(world, error),
    })
  }

  /** No jobs run in a world that cannot be written, or that is not open yet. */
  #wake(world: KnownWorld): void {
    if (!isInMemory(world) || (this.#stores.has(world) && !this.#blocked.has(world)))
      this.#dependencies.wake(world)
  }

  /** Opens a world again from what is stored, after a write failed. The calls of the failed write got an error. */
  #reopen(failed: World, error: unknown): Promise<World> | undefined {
    if (this.#isClosing || !this.#stores.has(failed)) return undefined
    this.#blocked.set(failed, messageOf(error))
    failed.agenda.stop()
    const reopened = this.#inTurn(() => this.#readAgain(failed))
    reopened.catch((reason) => reason instanceof Problem || this.#dependencies.reportBug(reason))
    return reopened
  }

  /** Throws when what is stored cannot be read; `maintain` then tries again. Returns the world of that team, which another may have replaced. */
  async #readAgain(failed: World): Promise<World> {
    const { teamId } = failed.identity
    const store = this.#stores.get(failed)
    if (!store) return this.#inMemory(teamId)
    const stored = await store.reopen().catch((error: unknown) => {
      failed.db.assertWritable()
      throw error
    })
    const world = await this.#openStored(teamId, stored)
    const reason = this.#blocked.get(failed) ?? ''
    this.#leave(failed)
    this.remove(failed)
    if (world) {
      this.#blocked.set(world, reason)
      this.#enter(world, stored)
    }
    return this.#inMemory(teamId)
  }

  #enter(world: World, store: WorldStore): void {
    const before = this.byTeam(world.identity.teamId)
    if (before) this.#dependencies.forget(before)
    this.#stores.set(world, store)
    this.#usageOf(world)
    this.set(world, before?.identity)
    this.#wake(world)
  }

  #leave(world: World): void {
    this.#dependencies.forget(world)
    world.stop()
    this.#stores.delete(world)
    this.#usage.delete(world)
    this.#blocked.delete(world)
  }
}

/** Whether an error says nothing about the content of the files. */
const mayPass = (error: unknown): boolean => error instanceof Problem || isOfSystem(error)

const isClosing = () => new Problem('unavailable', 'Petri is being stopped.')
