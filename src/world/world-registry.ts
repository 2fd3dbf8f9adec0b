import type { Random } from '../kernel/random.ts'
import { apiKeysOf } from './api-keys.ts'
import type { Identity } from './identity.ts'
import { type NewWorld, namesOf } from './new-world.ts'
import { assertNotSetAside, isSameWorld, type SetAsideWorld } from './set-aside.ts'
import type { World } from './world.ts'

/** The worlds that are open, by team and by the keys that open them. */
export class WorldRegistry {
  readonly #byKey = new Map<string, World>()
  readonly #byTeam = new Map<string, World>()
  /** Worlds that could not be opened. */
  readonly setAside: SetAsideWorld[] = []

  /** Refuses the key of a world that could not be opened. */
  byKey(key: string): World | undefined {
    const world = this.#byKey.get(key)
    if (world || this.setAside.length === 0) return world
    const closed = this.setAside.find(({ keys }) => keys.includes(key))
    return closed && assertNotSetAside(closed)
  }

  byTeam(teamId: string): World | undefined {
    return this.#byTeam.get(teamId)
  }

  all(): World[] {
    return [...this.#byTeam.values()]
  }

  /** Whether a world that was set aside is the one that is wanted; its key then tells so. */
  isSetAside(wanted: NewWorld): boolean {
    const at = this.setAside.findIndex((closed) => isSameWorld(closed, wanted))
    const closed = this.setAside[at]
    if (!closed) return false
    this.setAside[at] = { ...closed, keys: [...closed.keys, ...(wanted.apiKey ? [wanted.apiKey] : [])] }
    return true
  }

  /** In place of the one of its team, if there is one, whose keys were `before`. */
  protected set(world: World, before?: Identity): void {
    if (before) this.#removeKeys(before)
    this.#byTeam.set(world.identity.teamId, world)
    for (const { value } of apiKeysOf(world.identity)) this.#byKey.set(value, world)
  }

  protected remove({ identity }: World): void {
    this.#removeKeys(identity)
    this.#byTeam.delete(identity.teamId)
  }

  /** What the ids and keys of the next world of a seed follow from: worlds of one seed differ in them, and in nothing else. */
  protected nextNames(seed: string): Random {
    for (let ordinal = 0; ; ordinal++) {
      const random = namesOf(seed, ordinal)
      const team = random.uuid('team')
      if (!this.#byTeam.has(team) && !this.setAside.some(({ teamId }) => teamId === team)) return random
    }
  }

  #removeKeys(identity: Identity): void {
    for (const { value } of apiKeysOf(identity)) this.#byKey.delete(value)
  }
}
