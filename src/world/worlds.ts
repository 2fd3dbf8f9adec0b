import { compact } from '../kernel/list.ts'
import { orNotFound, Problem } from '../kernel/problem.ts'
import { messageOf } from '../kernel/reason.ts'
import { assertConnected } from '../kernel/slices.ts'
import { storageProblem, TOO_MANY_FILES } from '../storage/disk-full.ts'
import { canOpenFiles } from '../storage/file-handles.ts'
import { rowsIn, type Tables } from '../storage/rows.ts'
import type { SnapshotStore } from '../storage/snapshots.ts'
import { memoryStore, type WorldStore } from '../storage/store.ts'
import { numberedSeed, seedOptions } from './ids.ts'
import { beginWork } from './long-work.ts'
import { type NewWorld, nameWorld, newIdentity, nextWorldNumber } from './new-world.ts'
import { eraseTeam } from './organisation.ts'
import { isInMemory, type KnownWorld } from './resting-world.ts'
import { type RestoredRows, restoreRows, settingsIn } from './restore.ts'
import { nameOf } from './set-aside.ts'
import { whyStanding } from './set-back.ts'
import type { Identity, WorldOptions } from './settings.ts'
import type { World } from './world.ts'
import { FULL_HEAP, WorldsInMemory } from './worlds-in-memory.ts'

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

/** Milliseconds for compacting worlds at the end. A world that is not compacted by then keeps its journal. */
const REWRITING_MS = 1000

/** All worlds of one Petri. Worlds share no data. */
export class Worlds extends WorldsInMemory {
  #flushesSeen = 0
  #isStanding = false

  /** Why a world cannot be opened or written; undefined if all can. */
  get trouble(): string | undefined {
    const [closed] = this.setAside
    const blocked = this.#lost ?? [...this.blocked.values()][0] ?? this.organisation.blocked()
    if (blocked) return blocked
    if (!canOpenFiles()) return `${TOO_MANY_FILES}; calls that need one are refused until others are closed.`
    if (this.isFull) return FULL_HEAP
    const [unread] = compact(this.resting.map(({ trouble }) => trouble))
    if (unread) return unread
    return closed
      ? `${nameOf(closed)} could not be opened; "npx petri-sandbox doctor" says why.`
      : this.#standing
  }

  /** Why nothing can be stored in the data folder; undefined if it can. */
  get #lost(): string | undefined {
    try {
      this.folder.assertHeld()
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
    const failed = compact([...this.blocked.keys()].map(({ reopened }) => reopened))
    if (failed.length === 0 && this.organisation.isReadable) return undefined
    // Calls that need the organisation get its own reason.
    return Promise.all([...failed, this.organisation.open().catch(() => undefined)])
  }

  /** Refuses a call that may write to several worlds while one of them cannot be written. */
  assertWritable(): void {
    for (const world of this.blocked.keys()) world.db.assertWritable()
  }

  /** Makes a world, unless `check` throws. */
  make(wanted: NewWorld, check: () => void = () => undefined): Promise<World> {
    return this.inTurn(async () => {
      check()
      await this.makeRoom()
      const { name, teamId, apiKey, webhookSecret, region, integrationTeamId, isFirst, seed, ...given } =
        wanted
      if (teamId !== undefined) this.assertFree(teamId)
      const wallNow = this.dependencies.wall()
      const { firstSeed } = this.dependencies
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
      const tables = restoreRows(given, world.identity, this.dependencies.wall())
      return this.#replace(world, options, { tables, signal })
    })
  }

  /** The snapshots of a world; calls run one after the other. */
  snapshotsOf({ identity: { teamId } }: KnownWorld): SnapshotStore {
    const store = this.folder.snapshots(teamId)
    return {
      ...store,
      find: (name) => this.inTurn(() => store.find(name)),
      put: (snapshot, onRows) => this.inTurn(() => this.get(teamId) && store.put(snapshot, onRows)),
      remove: (name) => this.inTurn(() => store.remove(name)),
    }
  }

  /** Deletes a world. Once its folder is renamed it is gone, and what could not be tidied up is only warned of. */
  drop({ identity: { teamId } }: KnownWorld): Promise<void> {
    return this.inTurn(async () => {
      const world = await this.#settled(teamId)
      const store = isInMemory(world) ? this.stores.get(world) : undefined
      this.folder.assertHeld()
      this.dependencies.forget(world)
      this.remove(world)
      try {
        await store?.closeFiles()
        await this.folder.remove(teamId)
      } catch (error) {
        this.set(world)
        this.wake(world)
        throw storageProblem(error)
      }
      if (isInMemory(world)) this.leave(world)
      await store?.close({ rewrites: false })
      await this.organisation
        .change((db) => eraseTeam(db, teamId))
        .catch((error: unknown) => {
          this.dependencies.warn(
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

  /** Resumes worlds that can be written or read again. Compacts all files if no world has changed since the last call. */
  async maintain(): Promise<void> {
    const standing = this.#standing
    if (standing && !this.#isStanding) this.dependencies.warn(standing)
    this.#isStanding = standing !== undefined
    for (const { agenda } of this.inMemory) if (standing) agenda.saveStandingClock()
    for (const store of this.stores.values()) store.closeIdle()
    for (const world of this.blocked.keys()) {
      if (world.db.state === 'failed') await this.inTurn(() => this.readAgain(world)).catch(() => undefined)
      if (this.stores.get(world)?.blocked() !== undefined) continue
      if (this.blocked.delete(world)) this.wake(world)
    }
    await this.heal()
    await this.restIdle()
    const before = this.#flushesSeen
    this.#flushesSeen = [...this.inMemory].reduce((sum, { db }) => sum + db.flushes, 0)
    if (this.#flushesSeen !== before) return
    for (const store of [...this.stores.values()]) await store.compact()
  }

  async close(): Promise<void> {
    this.isClosing = true
    await this.lastChange
    for (const { storing, reading } of this.resting) await Promise.allSettled([storing, reading])
    const end = this.dependencies.wall() + REWRITING_MS
    for (const [world, store] of [...this.stores])
      await this.rest(world, store, this.dependencies.wall() < end)
    this.writeIndex()
    for (const each of [this.organisation, this.folder]) await each.close()
  }

  /** Changes a world in its turn. */
  #changeWorld<Result>(teamId: string, change: (world: World) => Promise<Result>): Promise<Result> {
    return this.inTurn(() => this.use(this.get(teamId), change))
  }

  /** The world of a team, once its rows are neither being stored nor read. */
  async #settled(teamId: string): Promise<KnownWorld> {
    for (;;) {
      const world = this.get(teamId)
      if (isInMemory(world)) return world
      const { storing, reading } = world
      if (!storing && !reading) return world
      await Promise.allSettled([storing, reading])
    }
  }

  async #create(identity: Identity, options: WorldOptions): Promise<World> {
    const folder = this.folder
    const store = await folder.create(identity.teamId)
    try {
      const world = await this.open(identity, options, store)
      await world.db.settled()
      this.enter(world, store)
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
    const old = orNotFound(this.stores.get(world), `There is no world of team ${world.identity.teamId}.`)
    const staged = this.open(world.identity, options, memoryStore(tables))
    const replacement = await staged.catch((error: Error) => {
      throw new Problem('invalid', `No world can be opened from these rows: ${error.message}`)
    })
    replacement.db.flush()
    assertConnected(signal)
    const progress = beginWork(world, 'restore', { of: rowsIn(tables), signal })
    const enter = (stored: WorldStore) => {
      replacement.db.storeIn(stored)
      this.leave(world)
      this.enter(replacement, stored)
    }
    await old.replace(tables, enter, progress.add).finally(progress.end)
    return replacement
  }
}
