import * as z from 'zod'
import { reasonOf } from '../kernel/reason.ts'
import { instantMs, table } from '../storage/table.ts'
import { type NewWorld, namesOf } from './new-world.ts'
import type { KnownWorld } from './resting-world.ts'
import type { Worlds } from './worlds.ts'

/** A key that may create a world: letters, digits, `-` and `_` after the region. */
const OPEN_KEY = /^sk_(us|eu)_[A-Za-z0-9_-]{3,64}$/
/** What programs carry instead: keys of production, placeholders such as `test` or `<your key>`. */
const ANY_KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?$/

/** Milliseconds between two writes of the times of the last calls. */
const SAVE_MS = 60_000

export interface OpenWorldsOptions {
  /** Whether a key in any form creates a world. */
  readonly isAnyKeyOpen?: boolean
  /** The options of each world, without key, seed and region. */
  readonly template: NewWorld
  /** Milliseconds without a call after which a world is deleted. */
  readonly ttlMs: number
  /** The maximum number of worlds; one more deletes the least recently used. */
  readonly limit: number
  readonly wall: () => number
  /** Called with the reason before a world is deleted. */
  readonly onDrop: (world: KnownWorld, reason: string) => void
  readonly reportBug: (error: unknown) => void
}

/** The time of the last call to a world, by the wall clock. */
export const lastCalls = table(
  'open_world_calls',
  () => z.object({ team_id: z.string(), at: instantMs() }),
  ({ team_id }) => team_id,
  { owner: 'team' },
)

/** Worlds that the first call with a new key creates, and that are deleted after a time without calls. */
export class OpenWorlds {
  readonly #worlds: Worlds
  readonly #options: OpenWorldsOptions
  /** By team id, the least recently used first. */
  readonly #calledAt = new Map<string, number>()
  /** Teams with a call since the times were last stored. */
  readonly #unsaved = new Set<string>()
  readonly #opening = new Map<string, Promise<KnownWorld>>()
  #lastMade: Promise<unknown> = Promise.resolve()
  #savedAt: number

  constructor(worlds: Worlds, options: OpenWorldsOptions) {
    this.#worlds = worlds
    this.#options = options
    this.#savedAt = options.wall()
  }

  /** Loads the worlds of an earlier run. The time between the runs does not count as time without calls. */
  load(): void {
    const now = this.#options.wall()
    const { organisation } = this.#worlds
    const storedAt = (teamId: string) =>
      organisation.isReadable ? (organisation.db.find(lastCalls, teamId)?.at ?? 0) : 0
    const teams = this.#worlds.all().filter(isOpenWorld)
    const ids = teams.map(({ identity }) => identity.teamId).sort((a, b) => storedAt(a) - storedAt(b))
    for (const teamId of ids) this.#calledAt.set(teamId, now)
  }

  mayOpen(key: string): boolean {
    return (this.#options.isAnyKeyOpen ? ANY_KEY : OPEN_KEY).test(key)
  }

  /** Creates the world of a new key. Simultaneous calls with the same key get the same world. */
  open(key: string): Promise<KnownWorld> {
    const opening = this.#opening.get(key)
    if (opening) return opening
    const made = this.#lastMade.then(() => this.#make(key)).finally(() => this.#opening.delete(key))
    this.#lastMade = made.catch(() => undefined)
    this.#opening.set(key, made)
    return made
  }

  /** Records the time of a call to a world. */
  used({ identity: { teamId } }: KnownWorld): void {
    if (this.#calledAt.delete(teamId)) this.#recordCall(teamId)
  }

  /** Deletes worlds whose time without calls is over, and stores the times of the last calls periodically. */
  async maintain(): Promise<void> {
    const now = this.#options.wall()
    for (const [teamId, at] of this.#calledAt) {
      if (at > now - this.#options.ttlMs) break
      await this.#drop(teamId, 'it was not called for as long as PETRI_WORLD_TTL says')
    }
    if (now - this.#savedAt >= SAVE_MS) await this.save()
  }

  /** Stores the time of the last call to each world, so that the order of deletion survives a restart. */
  async save(): Promise<void> {
    this.#savedAt = this.#options.wall()
    const teams = [...this.#unsaved]
    this.#unsaved.clear()
    if (teams.length === 0) return
    await this.#worlds.organisation.change((db) => {
      for (const team_id of teams) {
        const at = this.#calledAt.get(team_id)
        if (at === undefined) db.delete(lastCalls, team_id)
        else db.put(lastCalls, { team_id, at })
      }
    })
  }

  async #make(key: string): Promise<KnownWorld> {
    const { template, limit } = this.#options
    const region = /^[sp]k_eu_/.test(key) ? 'eu' : 'us'
    const options = { ...template, teamId: teamOfKey(key), apiKey: key, seed: key, region } as const
    for (const longestUnused of this.#calledAt.keys()) {
      if (this.#calledAt.size < limit) break
      await this.#drop(longestUnused, 'there are as many worlds as PETRI_WORLD_LIMIT allows')
    }
    // The files of a world that could not be opened are kept; a call with its key gets the reason.
    const setAside = this.#worlds.isSetAside(options) ? this.#worlds.byKey(key) : undefined
    const world = setAside ?? (await this.#worlds.make(options))
    this.#recordCall(options.teamId)
    return world
  }

  #recordCall(teamId: string): void {
    this.#calledAt.set(teamId, this.#options.wall())
    this.#unsaved.add(teamId)
  }

  async #drop(teamId: string, reason: string): Promise<void> {
    const isKnown = this.#calledAt.delete(teamId)
    this.#unsaved.add(teamId)
    const world = this.#worlds.byTeam(teamId)
    if (!isKnown || !world) return
    this.#options.onDrop(world, reason)
    await this.#worlds.drop(world).catch((error: unknown) => {
      this.#options.reportBug(
        new Error(`The world of team ${teamId} could not be dropped: ${reasonOf(error)}`),
      )
    })
  }
}

/** The team id of a key: the same in every run and on every machine. */
const teamOfKey = (key: string): string => namesOf(key, 'open').uuid('team')

const isOpenWorld = ({ identity: { teamId, apiKey, retiredKeys = [] } }: KnownWorld): boolean =>
  [apiKey, ...retiredKeys].some((key) => teamOfKey(key) === teamId)
