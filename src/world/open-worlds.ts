import { reasonOf } from '../kernel/reason.ts'
import { table } from '../storage/table.ts'
import { type NewWorld, namesOf } from './new-world.ts'
import type { World } from './world.ts'
import type { Worlds } from './worlds.ts'

/** A key that may open a world of its own: letters, digits, `-` and `_` after the region. */
const OPEN_KEY = /^sk_(us|eu)_[A-Za-z0-9_-]{3,64}$/

/** Milliseconds between two writes of the latest calls. */
const SAVE_MS = 60_000

export interface OpenWorldsOptions {
  /** What each is made with, apart from its key, seed and region. */
  readonly template: NewWorld
  /** Milliseconds without a call after which a world is dropped. */
  readonly ttlMs: number
  /** The most worlds there may be; the one that was unused for longest is dropped for a further one. */
  readonly limit: number
  readonly wall: () => number
  /** Told before a world is dropped, and why. */
  readonly onDrop: (world: World, reason: string) => void
  readonly reportBug: (error: unknown) => void
}

/** When a world was called last, by the wall clock, in milliseconds since 1970. */
interface LastCall {
  readonly team_id: string
  readonly at: number
}

const lastCalls = table<LastCall>('open_world_calls', ({ team_id }) => team_id)

/** Worlds that are made when their key is seen first, and dropped when they are used no more. */
export class OpenWorlds {
  readonly #worlds: Worlds
  readonly #options: OpenWorldsOptions
  /** By team, the one unused for longest first. */
  readonly #calledAt = new Map<string, number>()
  /** Teams that were called since that was stored. */
  readonly #unsaved = new Set<string>()
  readonly #opening = new Map<string, Promise<World>>()
  #lastMade: Promise<unknown> = Promise.resolve()
  #savedAt: number

  constructor(worlds: Worlds, options: OpenWorldsOptions) {
    this.#worlds = worlds
    this.#options = options
    this.#savedAt = options.wall()
  }

  /** Takes on the worlds that an earlier run made. The time Petri did not run does not count as unused. */
  load(): void {
    const now = this.#options.wall()
    const calls = this.#worlds.organisation.db
    const storedAt = (teamId: string) => calls.find(lastCalls, teamId)?.at ?? 0
    const teams = this.#worlds.all().filter(isOpenWorld)
    const ids = teams.map(({ identity }) => identity.teamId).sort((a, b) => storedAt(a) - storedAt(b))
    for (const teamId of ids) this.#calledAt.set(teamId, now)
  }

  mayOpen(key: string): boolean {
    return OPEN_KEY.test(key)
  }

  /** The world of a key that opens none so far. They are made one after the other; simultaneous first calls share one. */
  open(key: string): Promise<World> {
    const opening = this.#opening.get(key)
    if (opening) return opening
    const made = this.#lastMade.then(() => this.#make(key)).finally(() => this.#opening.delete(key))
    this.#lastMade = made.catch(() => undefined)
    this.#opening.set(key, made)
    return made
  }

  /** Notes a call to a world. */
  used({ identity: { teamId } }: World): void {
    if (this.#calledAt.delete(teamId)) this.#note(teamId)
  }

  /** Drops what has been unused for too long, and stores now and then what was called when. */
  async maintain(): Promise<void> {
    const now = this.#options.wall()
    for (const [teamId, at] of this.#calledAt) {
      if (at > now - this.#options.ttlMs) break
      await this.#drop(teamId, 'it was not called for as long as PETRI_WORLD_TTL says')
    }
    if (now - this.#savedAt >= SAVE_MS) await this.save()
  }

  /** Stores when each world was called last, for the order in which they are dropped after a restart. */
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

  async #make(key: string): Promise<World> {
    const { template, limit } = this.#options
    const region = key.startsWith('sk_eu_') ? 'eu' : 'us'
    const wanted = { ...template, teamId: teamOfKey(key), apiKey: key, seed: key, region } as const
    for (const longestUnused of this.#calledAt.keys()) {
      if (this.#calledAt.size < limit) break
      await this.#drop(longestUnused, 'there are as many worlds as PETRI_WORLD_LIMIT allows')
    }
    // A world that could not be opened is left as it is; its key then says why.
    const setAside = this.#worlds.isSetAside(wanted) ? this.#worlds.byKey(key) : undefined
    const world = setAside ?? (await this.#worlds.make(wanted))
    this.#note(wanted.teamId)
    return world
  }

  #note(teamId: string): void {
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

/** The team that a key opens, whenever and wherever that happens. */
const teamOfKey = (key: string): string => namesOf(key, 'open').uuid('team')

const isOpenWorld = ({ identity: { teamId, apiKey } }: World): boolean => teamId === teamOfKey(apiKey)
