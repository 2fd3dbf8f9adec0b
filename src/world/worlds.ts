import { compact } from '../kernel/list.ts'
import { orNotFound, Problem } from '../kernel/problem.ts'
import { messageOf } from '../kernel/reason.ts'
import { assertConnected } from '../kernel/slices.ts'
import { NewerFormat } from '../storage/base-file.ts'
import { storageProblem, TOO_MANY_FILES } from '../storage/disk-full.ts'
import { canOpenFiles } from '../storage/file-handles.ts'
import { rowsIn, type Tables } from '../storage/rows.ts'
import type { SnapshotStore } from '../storage/snapshots.ts'
import { memoryStore, type WorldFolder, type WorldStore } from '../storage/store.ts'
import type { AnyTable } from '../storage/table.ts'
import { numberedSeed, seedOptions } from './ids.ts'
import { beginWork } from './long-work.ts'
import { type NewWorld, nameWorld, newIdentity, nextWorldNumber } from './new-world.ts'
import { eraseTeam, ORGANISATION, Organisation, organisationId } from './organisation.ts'
import { type RestoredRows, restoreRows, settingsIn } from './restore.ts'
import { keysIn, nameOf } from './set-aside.ts'
import { whyStanding } from './set-back.ts'
import type { Identity, WorldOptions } from './settings.ts'
import type { World } from './world.ts'
import { WorldRegistry } from './world-registry.ts'
import { closeWorlds, openStores } from './world-stores.ts'

/** A world that is created or read. */
export interface WorldToOpen {
  readonly identity: Identity
  readonly options: WorldOptions
  readonly store: WorldStore
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
  readonly wake: (world: World) => void
  /** Called when a world was deleted or replaced. */
  readonly forget: (world: World) => void
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

/** All worlds of one Petri. Worlds share no data. */
export class Worlds extends WorldRegistry {
  readonly organisation: Organisation
  readonly #folder: WorldFolder
  readonly #dependencies: WorldsDependencies
  readonly #stores = new Map<World, WorldStore>()
  /** Worlds that cannot be written now, and why. */
  readonly #blocked = new Map<World, string>()
  #flushesSeen = 0
  #isStanding = false
  #lastChange: Promise<unknown> = Promise.resolve()
  #isClosing = false

  constructor(folder: WorldFolder, dependencies: WorldsDependencies) {
    super()
    this.#folder = folder
    this.#dependencies = dependencies
    this.organisation = new Organisation(() => folder.open(ORGANISATION), dependencies.teamTables)
  }

  /** Opens the stored worlds; one that cannot be opened is set aside. Throws for data of a newer version. */
  async load(): Promise<void> {
    const names = await this.#folder.list()
    const loading = names.includes(ORGANISATION) ? this.organisation.load() : undefined
    await loading?.catch((error) => this.#setAside(ORGANISATION, error))
    for (const [teamId, store] of await openStores(this.#folder, names))
      await this.#load(teamId, store).catch((error) => this.#setAside(teamId, error))
  }

  /** Why a world cannot be opened or written; undefined if all can. */
  get trouble(): string | undefined {
    const [closed] = this.setAside
    const blocked = this.#lost ?? [...this.#blocked.values()][0] ?? this.organisation.blocked()
    if (blocked) return blocked
    if (!canOpenFiles()) return `${TOO_MANY_FILES}; calls that need one are refused until others are closed.`
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
    const [standing] = compact(this.all().map(({ clock }) => whyStanding(clock)))
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
    return this.#inTurn(async () => {
      assertConnected(signal)
      const world = this.#get(teamId)
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
    return this.#inTurn(async () => {
      assertConnected(signal)
      const world = this.#get(teamId)
      const options = settingsIn(given.tables, teamId)?.options ?? world.options
      const tables = restoreRows(given, world.identity, this.#dependencies.wall())
      return this.#replace(world, options, { tables, signal })
    })
  }

  /** The snapshots of a world; calls run one after the other. */
  snapshotsOf({ identity: { teamId } }: World): SnapshotStore {
    const store = this.#folder.snapshots(teamId)
    return {
      ...store,
      find: (name) => this.#inTurn(() => store.find(name)),
      put: (snapshot, onRows) => this.#inTurn(() => this.#get(teamId) && store.put(snapshot, onRows)),
      remove: (name) => this.#inTurn(() => store.remove(name)),
    }
  }

  /** Deletes a world. Once its folder is renamed it is gone, and what could not be tidied up is only warned of. */
  drop({ identity: { teamId } }: World): Promise<void> {
    return this.#inTurn(async () => {
      const world = this.#get(teamId)
      const store = this.#stores.get(world)
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
      this.#leave(world)
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
  identify(of: World, change: (before: Identity, world: World) => Identity): Promise<World> {
    return this.#inTurn(async () => {
      const world = this.#get(of.identity.teamId)
      const before = world.identity
      world.identify(change(before, world))
      await world.db.settled()
      this.set(world, before)
      return world
    })
  }

  /** Resumes worlds that can be written again. Compacts all files if no world has changed since the last call. */
  async maintain(): Promise<void> {
    const standing = this.#standing
    if (standing && !this.#isStanding) this.#dependencies.warn(standing)
    this.#isStanding = standing !== undefined
    for (const { agenda } of this.all()) if (standing) agenda.saveStandingClock()
    for (const store of this.#stores.values()) store.closeIdle()
    for (const world of this.#blocked.keys()) {
      if (world.db.state === 'failed') await this.#inTurn(() => this.#readAgain(world)).catch(() => undefined)
      if (this.#stores.get(world)?.blocked() !== undefined) continue
      if (this.#blocked.delete(world)) this.#wake(world)
    }
    const before = this.#flushesSeen
    this.#flushesSeen = this.all().reduce((sum, { db }) => sum + db.flushes, 0)
    if (this.#flushesSeen !== before) return
    for (const store of [...this.#stores.values()]) await store.compact()
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await this.#lastChange
    await closeWorlds(this.#stores, this.#dependencies.wall)
    for (const each of [this.organisation, this.#folder]) await each.close()
  }

  /** Runs changes to the set of worlds one after the other. */
  #inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    if (this.#isClosing) return Promise.reject(new Problem('unavailable', 'Petri is being stopped.'))
    const changed = this.#lastChange.then(change)
    this.#lastChange = changed.catch(() => undefined)
    return changed
  }

  #get(teamId: string): World {
    return orNotFound(this.byTeam(teamId), `There is no world of team ${teamId}.`)
  }

  async #load(teamId: string, reading: Promise<WorldStore>): Promise<void> {
    const store = await reading
    const world = await this.#openStored(teamId, store)
    if (world) this.#enter(world, store)
    else if (store.tables.size > 0) throw new Error(`worlds/${teamId} has no settings row.`)
    else await store.close({ rewrites: false })
  }

  async #setAside(teamId: string, error: Error): Promise<void> {
    // Then the whole folder is that version's.
    if (error instanceof NewerFormat) throw error
    this.setAside.push({ teamId, reason: error.message, keys: keysIn(await this.#folder.peek(teamId)) })
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

  async #openStored(teamId: string, store: WorldStore): Promise<World | undefined> {
    const stored = settingsIn(store.tables, teamId)
    if (!stored) return undefined
    return this.#open({ ...stored.identity, orgId: organisationId }, stored.options, store)
  }

  #open(identity: Identity, options: WorldOptions, store: WorldStore): Promise<World> {
    return this.#dependencies.open({
      identity,
      options,
      store,
      wake: (world) => this.#wake(world),
      onWriteFailure: (world, error) => this.#reopen(world, error),
    })
  }

  /** No jobs run in a world that cannot be written, or that is not open yet. */
  #wake(world: World): void {
    if (this.#stores.has(world) && !this.#blocked.has(world)) this.#dependencies.wake(world)
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
    if (!store) return this.#get(teamId)
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
    return this.#get(teamId)
  }

  #enter(world: World, store: WorldStore): void {
    this.#stores.set(world, store)
    this.set(world)
    this.#wake(world)
  }

  #leave(world: World): void {
    this.#dependencies.forget(world)
    world.stop()
    this.#stores.delete(world)
    this.#blocked.delete(world)
  }
}
