import { table } from '../storage/table.ts'
import type { Identity, WorldOptions } from './identity.ts'

/** What a user may change about a world while it lives, beside what it was made with. */
export interface Settings {
  readonly identity: Identity
  /** How it was made. */
  readonly birth: WorldOptions
  /** How many times faster than true simulated waits pass while the clock is live. */
  readonly pace: number
  /** The scenario an order follows when nothing else chooses one. */
  readonly scenario: string
  readonly features: Readonly<Record<string, unknown>>
}

export const settings = table<Settings>('world', ({ identity }) => identity.teamId)
