import { Clock, type ClockState } from '../kernel/clock.ts'
import type { Activity } from '../scheduler/activity.ts'
import type { Tables } from '../storage/rows.ts'
import type { Requests } from './requests.ts'
import type { Settings } from './settings.ts'
import type { World, WorldOutline } from './world.ts'

export interface MessageCounts {
  /** Webhook messages that wait for an attempt. */
  readonly pending: number
  /** Webhook messages that were given up, or whose last attempt failed. */
  readonly failing: number
}

/** What is known of a world without its rows. */
export interface WorldSummary {
  readonly settings: Settings
  readonly clock: ClockState
  /** The number of rows of each table that has some. */
  readonly counts: Readonly<Record<string, number>>
  readonly messages: MessageCounts
  readonly pending: number
  /** When the next job is due, by the world's clock. */
  readonly nextDue: number | null
}

/** What a world has in memory only, which it continues with when its rows are read again. */
export interface Unstored {
  readonly requests: Requests
  readonly activity: Activity
}

/** A world whose rows are not in memory. */
export interface RestingWorld extends WorldOutline {
  readonly summary: WorldSummary
  unstored: Unstored | undefined
  /** The state of its files; undefined until they are closed. */
  state: string | undefined
  storing: Promise<void> | undefined
  reading: Promise<World> | undefined
  /** Whether it is to be read because a job is due. */
  isAwaited: boolean
  /** Why it could not be read the last time. */
  trouble: string | undefined
}

export type KnownWorld = World | RestingWorld

/** Whether the rows of a world are in memory. */
export const isInMemory = (world: KnownWorld): world is World => 'db' in world

export const summarise = (world: World, tables: Tables, messages: MessageCounts): WorldSummary => ({
  settings: world.settings(),
  clock: world.clock.state(),
  counts: Object.fromEntries(
    [...tables].filter(([, { size }]) => size > 0).map(([name, { size }]) => [name, size]),
  ),
  messages,
  pending: world.agenda.pending,
  nextDue: world.agenda.nextDue() ?? null,
})

/** `read` is called when a job is due. */
export function createRestingWorld(
  summary: WorldSummary,
  { wall, read }: { readonly wall: () => number; readonly read: (world: RestingWorld) => void },
): RestingWorld {
  const { settings, counts, pending, nextDue } = summary
  const clock = new Clock(summary.clock, wall)
  const world: RestingWorld = {
    identity: settings.identity,
    options: settings.options,
    clock,
    agenda: {
      advancing: false,
      get busy() {
        return world.isAwaited
      },
      get failures() {
        return world.unstored?.activity.failures ?? []
      },
      nextDue: () => nextDue ?? undefined,
      pending,
      runDue: () => read(world),
      scenarioTime: { rate: clock.frozen ? 1 : settings.pace },
    },
    longWork: new Set(),
    settings: () => settings,
    count: ({ name }) => counts[name] ?? 0,
    summary,
    unstored: undefined,
    state: undefined,
    storing: undefined,
    reading: undefined,
    isAwaited: false,
    trouble: undefined,
  }
  return world
}
