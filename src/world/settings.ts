import { table } from '../storage/table.ts'
import type { Birth, Identity } from './world.ts'

/** What a user may change about a world while it lives, beside what it was born with. */
export interface Settings {
  readonly identity: Identity
  readonly birth: Birth
  /** How many times faster than true simulated waits pass while the clock is live. */
  readonly pace: number
  /** The scenario an order follows when nothing else chooses one. */
  readonly scenario: string
  readonly features: Readonly<Record<string, unknown>>
}

export const settings = table<Settings>('world', ({ identity }) => identity.teamId)
