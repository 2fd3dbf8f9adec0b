import { compact } from '../kernel/list.ts'
import { badRequest } from '../kernel/problem.ts'
import type { NewWorld } from './new-world.ts'
import type { KnownWorld } from './resting-world.ts'
import { assertNotSetAside, isSameWorld, type SetAsideWorld } from './set-aside.ts'
import { apiKeysOf, type Identity } from './settings.ts'

/** All worlds, by team id and by API key. */
export class WorldRegistry {
  readonly #byKey = new Map<string, KnownWorld>()
  readonly #byTeam = new Map<string, KnownWorld>()
  /** Worlds that could not be opened. */
  readonly setAside: SetAsideWorld[] = []

  /** The world of an API key. Throws a 503 for a world that could not be opened. */
  byKey(key: string): KnownWorld | undefined {
    const world = this.#byKey.get(key)
    if (world || this.setAside.length === 0) return world
    const closed = this.setAside.find(({ keys }) => keys.includes(key))
    return closed && assertNotSetAside(closed)
  }

  /** Whether a world had this key, which has been replaced or deleted since. */
  hadKey(key: string): boolean {
    return this.find(({ identity }) => identity.retiredKeys?.includes(key) === true) !== undefined
  }

  byTeam(teamId: string): KnownWorld | undefined {
    return this.#byTeam.get(teamId)
  }

  all(): KnownWorld[] {
    return [...this.#byTeam.values()]
  }

  /** The first world that meets a condition. */
  find(isWanted: (world: KnownWorld) => boolean): KnownWorld | undefined {
    return [...this.#byTeam.values()].find(isWanted)
  }

  /** Whether a world with this team id or key could not be opened; calls with its key then get the reason. */
  isSetAside(wanted: NewWorld): boolean {
    const at = this.setAside.findIndex((closed) => isSameWorld(closed, wanted))
    const closed = this.setAside[at]
    if (!closed) return false
    this.setAside[at] = {
      ...closed,
      keys: compact([...closed.keys, wanted.apiKey]),
    }
    return true
  }

  /** Throws for the team id of a world that is there, or that could not be opened. */
  protected assertFree(teamId: string): void {
    if (this.#byTeam.has(teamId)) throw badRequest(`Team ${teamId} already exists.`)
    const closed = this.#setAsideOf(teamId)
    if (closed) assertNotSetAside(closed)
  }

  protected isFree(teamId: string): boolean {
    return !this.#byTeam.has(teamId) && !this.#setAsideOf(teamId)
  }

  #setAsideOf(teamId: string): SetAsideWorld | undefined {
    return this.setAside.find((each) => each.teamId === teamId)
  }

  /** Adds a world, or replaces the one of the same team, whose identity was `before`. */
  protected set(world: KnownWorld, before?: Identity): void {
    if (before) this.#removeKeys(before)
    this.#byTeam.set(world.identity.teamId, world)
    for (const { value } of apiKeysOf(world.identity)) this.#byKey.set(value, world)
  }

  protected remove({ identity }: KnownWorld): void {
    this.#removeKeys(identity)
    this.#byTeam.delete(identity.teamId)
  }

  #removeKeys(identity: Identity): void {
    for (const { value } of apiKeysOf(identity)) this.#byKey.delete(value)
  }
}
