import { pause } from '../kernel/pause.ts'
import { orNotFound, Problem } from '../kernel/problem.ts'
import { messageOf } from '../kernel/reason.ts'
import { Slices } from '../kernel/slices.ts'
import { NewerFormat } from '../storage/base-file.ts'
import { isOfSystem } from '../storage/disk-full.ts'
import type { WorldFolder, WorldStore } from '../storage/store.ts'
import type { AnyTable } from '../storage/table.ts'
import { ORGANISATION, Organisation, organisationId } from './organisation.ts'
import {
  createRestingWorld,
  isInMemory,
  type KnownWorld,
  type MessageCounts,
  type RestingWorld,
  summarise,
  type Unstored,
  type WorldSummary,
} from './resting-world.ts'
import { settingsIn } from './restore.ts'
import { assertNotSetAside, type SetAsideWorld } from './set-aside.ts'
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
  readonly countMessages: (world: World) => MessageCounts
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
export const FULL_HEAP =
  'The heap of this Petri is nearly full, so no further world is kept in it. Delete worlds, ' +
  'or raise its limit with NODE_OPTIONS=--max-old-space-size=MEGABYTES.'
/** How many worlds leave memory for another one. */
const LEAVING = 8
/** Milliseconds between two attempts to read a world whose job is due while the heap is full. */
const RETRY_MS = 250

/** Which worlds are in memory: those that are called or whose next job is due soon, as long as the heap has room. */
export class WorldsInMemory extends WorldRegistry {
  readonly organisation: Organisation
  protected readonly folder: WorldFolder
  protected readonly dependencies: WorldsDependencies
  protected readonly stores = new Map<World, WorldStore>()
  /** Worlds that cannot be written now, and why. */
  protected readonly blocked = new Map<World, string>()
  readonly #usage = new Map<World, Usage>()
  /** When the index was written; undefined if it is not to be written. */
  #indexedAt: number | undefined
  #isIndexOld = false
  #onOrganisation: () => void = () => undefined
  protected lastChange: Promise<unknown> = Promise.resolve()
  #lastDue: Promise<unknown> = Promise.resolve()
  protected isClosing = false

  constructor(folder: WorldFolder, dependencies: WorldsDependencies) {
    super()
    this.folder = folder
    this.dependencies = dependencies
    this.organisation = new Organisation(() => folder.open(ORGANISATION), dependencies.teamTables)
  }

  /**
   * Reads the stored worlds that the index does not have; one that cannot be read is set aside. Throws for data of a newer
   * version. `onOrganisation` is called once the organisation is read.
   */
  async load(onOrganisation: () => void = () => undefined): Promise<void> {
    this.#onOrganisation = onOrganisation
    const names = await this.folder.list()
    const index = new Map(Object.entries((this.folder.index?.read() ?? {}) as Index))
    for (const name of names) {
      if (name === ORGANISATION) await this.#loadOrganisation().catch((error) => this.#setAside(name, error))
      else await this.#loadOrIndexed(name, index.get(name))
    }
    this.#indexedAt = 0
  }

  /** The worlds in memory. */
  get inMemory(): Iterable<World> {
    return this.stores.keys()
  }

  /** Has the rows of a world in memory while `act` runs. */
  async use<Result>(
    { identity: { teamId } }: KnownWorld,
    act: (world: World) => Result | Promise<Result>,
  ): Promise<Result> {
    let known = this.get(teamId)
    while (!isInMemory(known)) {
      await this.#read(known)
      known = this.get(teamId)
    }
    const usage = this.#usageOf(known)
    usage.calls++
    usage.at = this.dependencies.wall()
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

  /** Runs changes to the set of worlds one after the other. */
  protected inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    if (this.isClosing) return Promise.reject(isClosing())
    const changed = this.lastChange.then(change)
    this.lastChange = changed.catch(() => undefined)
    return changed
  }

  protected get(teamId: string): KnownWorld {
    return orNotFound(this.byTeam(teamId), `There is no world of team ${teamId}.`)
  }

  #inMemory(teamId: string): World | Promise<World> {
    const world = this.get(teamId)
    return isInMemory(world) ? world : this.#read(world)
  }

  async #loadOrganisation(): Promise<void> {
    await this.organisation.load()
    this.#onOrganisation()
  }

  async #loadOrIndexed(teamId: string, { keys, state, summary }: IndexEntry = {}): Promise<void> {
    if (summary && state !== undefined && state === this.folder.index?.stateOf(teamId)) {
      this.#enterResting(summary).state = state
      return
    }
    await this.makeRoom().catch(() => undefined)
    await this.#load(teamId).catch((error) => this.#setAside(teamId, error, keys))
  }

  /** Reads the rows of a world; there may be none where Petri was killed when it made the world. */
  async #load(teamId: string, unstored?: Unstored): Promise<World | undefined> {
    const store = await this.folder.open(teamId)
    try {
      const world = await this.#openStored(teamId, store, unstored)
      if (world) this.enter(world, store)
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
  protected async heal(): Promise<void> {
    for (const closed of this.setAside.filter(({ mayHeal }) => mayHeal)) {
      const { teamId } = closed
      const load = async () => void (this.byTeam(teamId) ?? (await this.#load(teamId)))
      const reading = teamId === ORGANISATION ? this.#loadOrganisation() : this.inTurn(load)
      const isRead = await reading.then(() => true).catch(() => false)
      const at = isRead ? this.setAside.indexOf(closed) : -1
      if (at >= 0) this.setAside.splice(at, 1)
    }
    for (const world of this.resting) {
      const { agenda, clock, trouble } = world
      if (trouble !== undefined) await this.#read(world).catch(() => undefined)
      else if ((agenda.nextDue() ?? Number.POSITIVE_INFINITY) <= clock.reading())
        this.dependencies.wake(world)
    }
  }

  protected get resting(): RestingWorld[] {
    return this.all().filter((world): world is RestingWorld => !isInMemory(world))
  }

  #enterResting(summary: WorldSummary): RestingWorld {
    const { wall, wake } = this.dependencies
    const world = createRestingWorld(summary, { wall, read: (due) => this.#readDue(due) })
    this.set(world)
    wake(world)
    return world
  }

  /** Reads the rows of a resting world. Throws if that is not possible now; the next call tries again. */
  #read(world: RestingWorld): Promise<World> {
    if (this.isClosing) return Promise.reject(isClosing())
    world.reading ??= this.#readRows(world).finally(() => {
      world.reading = undefined
    })
    return world.reading
  }

  async #readRows(resting: RestingWorld): Promise<World> {
    const { identity, unstored } = resting
    const { teamId } = identity
    await resting.storing
    await this.makeRoom()
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
      this.dependencies.forget(resting)
      this.remove(resting)
      const keys = apiKeysOf(identity).map(({ value }) => value)
      throw assertNotSetAside(this.#setAside(teamId, error as Error, keys))
    }
  }

  /** Reads worlds whose job is due, one after the other while there is room for them. */
  #readDue(resting: RestingWorld): void {
    resting.isAwaited = true
    const reading = this.#lastDue.then(async () => {
      while (this.isFull && !this.isClosing) {
        await this.#leaveMemory()
        await pause(RETRY_MS)
      }
      if (!this.isClosing && this.byTeam(resting.identity.teamId) === resting) await this.#read(resting)
    })
    this.#lastDue = reading
      .catch(() => undefined)
      .finally(() => {
        resting.isAwaited = false
      })
  }

  protected get isFull(): boolean {
    return this.dependencies.heapUse() >= FULL
  }

  /** Has worlds leave memory before another one is kept in it. Throws when none can. */
  protected async makeRoom(): Promise<void> {
    if (this.dependencies.heapUse() < CROWDED) return
    const isFull = this.isFull
    const left = await this.#leaveMemory()
    if (left === 0 && isFull) throw new Problem('unavailable', FULL_HEAP)
  }

  /** Has the worlds that were not called for longest leave memory. Returns how many have. */
  async #leaveMemory(): Promise<number> {
    for (const world of this.resting) world.unstored = undefined
    const idle = [...this.stores].filter(([world]) => this.#mayRest(world))
    const oldest = idle.toSorted(([a], [b]) => this.#usageOf(a).at - this.#usageOf(b).at).slice(0, LEAVING)
    for (const [world, store] of oldest) if (this.#mayRest(world)) await this.rest(world, store)
    return oldest.length
  }

  protected async restIdle(): Promise<void> {
    const before = this.dependencies.wall() - IDLE_MS
    for (const [world, store] of [...this.stores])
      if (this.#usageOf(world).at <= before && this.#mayRest(world, IDLE_MS)) await this.rest(world, store)
    const isDue = (this.#indexedAt ?? 0) + INDEX_MS <= this.dependencies.wall()
    if (this.#isIndexOld && isDue) this.writeIndex()
  }

  #usageOf(world: World): Usage {
    const usage = this.#usage.get(world) ?? { calls: 0, at: this.dependencies.wall() }
    this.#usage.set(world, usage)
    return usage
  }

  /** Whether the rows of a world may leave memory: nothing is running in it, nobody watches it, and no job is due soon. */
  #mayRest(world: World, withinMs = 0): boolean {
    const { agenda, clock, db, longWork } = world
    if (!this.folder.index || !this.stores.has(world) || this.blocked.has(world)) return false
    if (!agenda.isIdle || longWork.size > 0 || db.state !== 'stored') return false
    if (this.#usageOf(world).calls > 0) return false
    const dueInMs = (agenda.nextDue() ?? Number.POSITIVE_INFINITY) - clock.reading()
    return dueInMs > (clock.frozen ? 0 : withinMs)
  }

  /** Has the rows of a world leave memory once they are stored. */
  protected async rest(world: World, store: WorldStore, rewrites = true): Promise<void> {
    const { teamId } = world.identity
    const summary = summarise(world, store.tables, this.dependencies.countMessages(world))
    const unstored = { requests: world.requests, activity: world.agenda.activity }
    world.close()
    // Then it is opened again, or Petri is being closed.
    if (world.db.state === 'failed' && !this.isClosing) return
    this.leave(world)
    const resting = this.#enterResting(summary)
    resting.unstored = unstored
    resting.storing = store
      .close({ rewrites })
      .catch((error) =>
        this.dependencies.warn(`could not close the files of team ${teamId}: ${messageOf(error)}`),
      )
    await resting.storing
    resting.storing = undefined
    if (world.db.state === 'stored') resting.state = this.folder.index?.stateOf(teamId)
    this.#isIndexOld = true
  }

  /** Stores what is known of the worlds, so that the next start need not read them. */
  protected writeIndex(): void {
    const { index } = this.folder
    if (!index || this.#indexedAt === undefined) return
    this.#indexedAt = this.dependencies.wall()
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
      this.dependencies.warn(`could not write the index of the worlds: ${messageOf(error)}`)
    }
  }

  async #openStored(teamId: string, store: WorldStore, unstored?: Unstored): Promise<World | undefined> {
    const stored = settingsIn(store.tables, teamId)
    if (!stored) return undefined
    return this.open({ ...stored.identity, orgId: organisationId }, stored.options, store, unstored)
  }

  protected open(
    identity: Identity,
    options: WorldOptions,
    store: WorldStore,
    unstored?: Unstored,
  ): Promise<World> {
    return this.dependencies.open({
      identity,
      options,
      store,
      unstored,
      wake: (world) => this.wake(world),
      onWriteFailure: (world, error) => this.#reopen(world, error),
    })
  }

  /** No jobs run in a world that cannot be written, or that is not open yet. */
  protected wake(world: KnownWorld): void {
    if (!isInMemory(world) || (this.stores.has(world) && !this.blocked.has(world)))
      this.dependencies.wake(world)
  }

  /** Opens a world again from what is stored, after a write failed. The calls of the failed write got an error. */
  #reopen(failed: World, error: unknown): Promise<World> | undefined {
    if (this.isClosing || !this.stores.has(failed)) return undefined
    this.blocked.set(failed, messageOf(error))
    failed.agenda.stop()
    const reopened = this.inTurn(() => this.readAgain(failed))
    reopened.catch((reason) => reason instanceof Problem || this.dependencies.reportBug(reason))
    return reopened
  }

  /** Throws when what is stored cannot be read; `maintain` then tries again. Returns the world of that team, which another may have replaced. */
  protected async readAgain(failed: World): Promise<World> {
    const { teamId } = failed.identity
    const store = this.stores.get(failed)
    if (!store) return this.#inMemory(teamId)
    const stored = await store.reopen().catch((error: unknown) => {
      failed.db.assertWritable()
      throw error
    })
    const world = await this.#openStored(teamId, stored)
    const reason = this.blocked.get(failed) ?? ''
    this.leave(failed)
    this.remove(failed)
    if (world) {
      this.blocked.set(world, reason)
      this.enter(world, stored)
    }
    return this.#inMemory(teamId)
  }

  protected enter(world: World, store: WorldStore): void {
    const before = this.byTeam(world.identity.teamId)
    if (before) this.dependencies.forget(before)
    this.stores.set(world, store)
    this.#usageOf(world)
    this.set(world, before?.identity)
    this.wake(world)
  }

  protected leave(world: World): void {
    this.dependencies.forget(world)
    world.stop()
    this.stores.delete(world)
    this.#usage.delete(world)
    this.blocked.delete(world)
  }
}

/** Whether an error says nothing about the content of the files. */
const mayPass = (error: unknown): boolean => error instanceof Problem || isOfSystem(error)

const isClosing = () => new Problem('unavailable', 'Petri is being stopped.')
