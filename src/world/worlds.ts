import { Problem } from '../kernel/problem.ts'
import { BASE62, createRandom } from '../kernel/random.ts'
import type { WorldStore } from '../storage/persistence.ts'
import type { SnapshotShelf } from '../storage/snapshots.ts'
import { apiKeysOf, type Region } from './api-keys.ts'
import { ORGANISATION, Organisation, organisationId } from './organisation.ts'
import { fillStore, type Restored, settingsIn } from './restore.ts'
import { type Birth, type Identity, openWorld, type Surroundings, type World } from './world.ts'

/** Where worlds are kept between runs. */
export interface WorldFolder {
  /** Team ids of the worlds that are there. */
  list(): Promise<string[]>
  open(teamId: string): Promise<WorldStore>
  /** The world itself; its snapshots stay. */
  remove(teamId: string): Promise<void>
  snapshots(teamId: string): SnapshotShelf
  close(): Promise<void>
}

export interface NewWorld extends Birth {
  readonly name: string
  readonly teamId?: string
  readonly apiKey?: string
  readonly webhookSecret?: string
  readonly region?: Region
  readonly integrationTeamId?: string | null
}

/** All worlds of one Petri, by the key that opens them. They share nothing. */
export class Worlds {
  readonly organisation: Organisation
  readonly #folder: WorldFolder
  readonly #around: Surroundings
  readonly #byKey = new Map<string, World>()
  readonly #byTeam = new Map<string, World>()
  #flushesSeen = 0
  #lastChange: Promise<unknown> = Promise.resolve()

  constructor(folder: WorldFolder, around: Surroundings) {
    this.#folder = folder
    this.#around = around
    this.organisation = new Organisation(() => folder.open(ORGANISATION))
  }

  /** Opens the worlds that were kept. */
  async load(): Promise<void> {
    for (const teamId of await this.#folder.list()) {
      if (teamId === ORGANISATION) {
        await this.organisation.open()
        continue
      }
      const store = await this.#folder.open(teamId)
      const kept = settingsIn(store.tables, teamId)
      const identity = kept && { ...kept.identity, orgId: organisationId }
      if (identity) this.#enter(openWorld(identity, kept.birth, store, this.#around))
      else await store.close()
    }
  }

  byKey(key: string): World | undefined {
    return this.#byKey.get(key)
  }

  byTeam(teamId: string): World | undefined {
    return this.#byTeam.get(teamId)
  }

  all(): World[] {
    return [...this.#byTeam.values()]
  }

  make(wanted: NewWorld): Promise<World> {
    return this.#inTurn(async () => {
      const {
        name,
        teamId,
        apiKey,
        webhookSecret,
        region = 'us',
        integrationTeamId = null,
        ...birth
      } = wanted
      if (teamId !== undefined && this.#byTeam.has(teamId)) {
        throw new Problem('bad_request', `There is a team ${teamId} already.`)
      }
      const random = teamId === undefined ? this.#freeName(birth.seed) : nameOf(birth.seed, teamId)
      const identity: Identity = {
        teamId: teamId ?? random.uuid('team'),
        orgId: organisationId,
        name,
        apiKey: apiKey ?? `sk_${region}_${random.letters('key', BASE62, 32)}`,
        webhookSecret: webhookSecret ?? newSecret(random.letters('secret', BASE62, 24)),
        region,
        integrationTeamId,
        createdAt: birth.now ?? this.#around.wall(),
      }
      // A frozen world is born again where it was born first, so the instant is settled once.
      const now = birth.now ?? (birth.frozen ? this.#around.wall() : null)
      return this.#open(identity, { ...birth, now })
    })
  }

  /** Back to birth, or to the birth of another seed. The key opens the old world until the new one is there. */
  reset({ identity: { teamId } }: World, seed?: string): Promise<World> {
    return this.#inTurn(async () => {
      const { identity, birth } = await this.#end(teamId)
      return this.#open(identity, seed === undefined ? birth : { ...birth, seed })
    })
  }

  /** Puts other rows in place of a world's own; what it is called and what opens it stays. */
  restore({ identity: { teamId } }: World, restored: Restored): Promise<World> {
    return this.#inTurn(async () => {
      const { identity, birth } = await this.#end(teamId)
      const wallNow = this.#around.wall()
      return this.#open(identity, settingsIn(restored.tables, teamId)?.birth ?? birth, (store) =>
        fillStore(store, restored, { identity, wallNow }),
      )
    })
  }

  /** Taken, read and deleted one after the other. */
  snapshotsOf({ identity }: World): SnapshotShelf {
    const shelf = this.#folder.snapshots(identity.teamId)
    return {
      ...shelf,
      find: (name) => this.#inTurn(() => shelf.find(name)),
      put: (snapshot) => this.#inTurn(() => shelf.put(snapshot)),
      remove: (name) => this.#inTurn(() => shelf.remove(name)),
    }
  }

  drop({ identity: { teamId } }: World): Promise<void> {
    return this.#inTurn(async () => {
      const { identity } = await this.#end(teamId)
      await this.#folder.snapshots(teamId).clear()
      this.#forgetKeys(identity)
      this.#byTeam.delete(teamId)
    })
  }

  /** Calls a world something else, or has other keys open it; what `change` throws leaves it as it was. */
  identify({ identity: { teamId } }: World, change: (identity: Identity) => Identity): Promise<World> {
    return this.#inTurn(async () => {
      const world = this.#byTeam.get(teamId)
      if (!world) throw new Problem('not_found', `There is no world of team ${teamId}.`)
      const changed = change(world.identity)
      this.#forgetKeys(world.identity)
      world.identify(changed)
      this.#enter(world)
      await world.db.settled()
      return world
    })
  }

  /** Rewrites the worlds' files, one after the other, if nothing has changed in any since it was called last. */
  async compactIfQuiet(): Promise<void> {
    const flushes = this.all().reduce((sum, { db }) => sum + db.flushes, 0)
    const isQuiet = flushes === this.#flushesSeen
    this.#flushesSeen = flushes
    if (isQuiet) for (const world of this.all()) await world.compact()
  }

  async close(): Promise<void> {
    await this.#lastChange
    for (const world of this.all()) await world.close()
    await this.organisation.close()
    await this.#folder.close()
  }

  /** Changes to the set of worlds wait for each other. */
  #inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const changed = this.#lastChange.then(change)
    this.#lastChange = changed.catch(() => undefined)
    return changed
  }

  async #end(teamId: string): Promise<World> {
    const world = this.#byTeam.get(teamId)
    if (!world) throw new Problem('not_found', `There is no world of team ${teamId}.`)
    this.#around.forget(world)
    await world.discard()
    await this.#folder.remove(teamId)
    return world
  }

  async #open(identity: Identity, birth: Birth, prepare?: (store: WorldStore) => void): Promise<World> {
    const store = await this.#folder.open(identity.teamId)
    prepare?.(store)
    const world = openWorld(identity, birth, store, this.#around)
    this.#enter(world)
    await world.db.settled()
    return world
  }

  #enter(world: World): void {
    for (const { value } of apiKeysOf(world.identity)) this.#byKey.set(value, world)
    this.#byTeam.set(world.identity.teamId, world)
    this.#around.wake(world)
  }

  #forgetKeys(identity: Identity): void {
    for (const { value } of apiKeysOf(identity)) this.#byKey.delete(value)
  }

  /** Worlds of one seed differ in what they are called, and in nothing else. */
  #freeName(seed: string) {
    for (let ordinal = 0; ; ordinal++) {
      const random = nameOf(seed, ordinal)
      if (!this.#byTeam.has(random.uuid('team'))) return random
    }
  }
}

/** What a world's ids and keys follow from. */
const nameOf = (seed: string, which: string | number) => createRandom(`petri/world/${seed}/${which}`)

const newSecret = (text: string) => `whsec_${Buffer.from(text, 'latin1').toString('base64')}`
