import type { Random } from '../kernel/random.ts'
import { apiKeysOf } from './api-keys.ts'
import type { Identity } from './identity.ts'
import { namesOf } from './new-world.ts'
import type { World } from './world.ts'

/** The worlds that are open, by team and by the keys that open them. */
export class WorldRegistry {
  readonly #byKey = new Map<string, World>()
  readonly #byTeam = new Map<string, World>()

  byKey(key: string): World | undefined {
    return this.#byKey.get(key)
  }

  byTeam(teamId: string): World | undefined {
    return this.#byTeam.get(teamId)
  }

  all(): World[] {
    return [...this.#byTeam.values()]
  }

  /** In place of the one of its team, if there is one, whose keys were `before`. */
  set(world: World, before?: Identity): void {
    if (before) this.#removeKeys(before)
    this.#byTeam.set(world.identity.teamId, world)
    for (const { value } of apiKeysOf(world.identity)) this.#byKey.set(value, world)
  }

  remove({ identity }: World): void {
    this.#removeKeys(identity)
    this.#byTeam.delete(identity.teamId)
  }

  /** What the ids and keys of the next world of a seed follow from: worlds of one seed differ in them, and in nothing else. */
  nextNames(seed: string): Random {
    for (let ordinal = 0; ; ordinal++) {
      const random = namesOf(seed, ordinal)
      if (!this.#byTeam.has(random.uuid('team'))) return random
    }
  }

  #removeKeys(identity: Identity): void {
    for (const { value } of apiKeysOf(identity)) this.#byKey.delete(value)
  }
}
