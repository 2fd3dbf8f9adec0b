import { Problem } from '../kernel/problem.ts'
import { BASE62, createRandom } from '../kernel/random.ts'
import { Database } from './database.ts'
import type { WorldStore } from './persistence.ts'
import { settings } from './settings.ts'
import { type Birth, type Identity, openWorld, type Surroundings, type World } from './world.ts'

/** Where worlds are kept between runs. */
export interface WorldFolder {
  /** Team ids of the worlds that are there. */
  list(): Promise<string[]>
  open(teamId: string): Promise<WorldStore>
  remove(teamId: string): Promise<void>
  close(): Promise<void>
}

export interface NewWorld extends Birth {
  readonly name: string
  readonly apiKey?: string
  readonly webhookSecret?: string
}

/** All worlds of one Petri, by the key that opens them. They share nothing. */
export class Worlds {
  readonly #folder: WorldFolder
  readonly #around: Surroundings
  readonly #byKey = new Map<string, World>()
  readonly #byTeam = new Map<string, World>()
  #flushesSeen = 0
  #lastChange: Promise<unknown> = Promise.resolve()

  constructor(folder: WorldFolder, around: Surroundings) {
    this.#folder = folder
    this.#around = around
  }

  /** Opens the worlds that were kept. */
  async load(): Promise<void> {
    for (const teamId of await this.#folder.list()) {
      const store = await this.#folder.open(teamId)
      const kept = new Database(
        store.tables,
        () => undefined,
        () => [],
      ).find(settings, teamId)
      if (kept) this.#enter(openWorld(kept.identity, kept.birth, store, this.#around))
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
      const { name, apiKey, webhookSecret, ...birth } = wanted
      const random = this.#freeName(birth.seed)
      const identity: Identity = {
        teamId: random.uuid('team'),
        orgId: random.uuid('org'),
        name,
        apiKey: apiKey ?? `sk_us_${random.letters('key', BASE62, 32)}`,
        webhookSecret: webhookSecret ?? newSecret(random.letters('secret', BASE62, 24)),
      }
      // A frozen world is born again where it was born first, so the instant is settled once.
      const now = birth.now ?? (birth.frozen ? this.#around.wall() : null)
      return this.#open(identity, { ...birth, now })
    })
  }

  /** Back to birth, or to the birth of another seed. The key opens the old world until the new one is there. */
  reset({ identity }: World, seed?: string): Promise<World> {
    return this.#inTurn(async () => {
      const { birth } = await this.#end(identity.teamId)
      return this.#open(identity, seed === undefined ? birth : { ...birth, seed })
    })
  }

  drop({ identity }: World): Promise<void> {
    return this.#inTurn(async () => {
      await this.#end(identity.teamId)
      this.#byKey.delete(identity.apiKey)
      this.#byTeam.delete(identity.teamId)
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

  async #open(identity: Identity, birth: Birth): Promise<World> {
    const world = openWorld(identity, birth, await this.#folder.open(identity.teamId), this.#around)
    this.#enter(world)
    await world.db.settled()
    return world
  }

  #enter(world: World): void {
    this.#byKey.set(world.identity.apiKey, world)
    this.#byTeam.set(world.identity.teamId, world)
    this.#around.wake(world)
  }

  /** Worlds of one seed differ in what they are called, and in nothing else. */
  #freeName(seed: string) {
    for (let ordinal = 0; ; ordinal++) {
      const random = createRandom(`petri/world/${seed}/${ordinal}`)
      if (!this.#byTeam.has(random.uuid('team'))) return random
    }
  }
}

const newSecret = (text: string) => `whsec_${Buffer.from(text, 'latin1').toString('base64')}`
