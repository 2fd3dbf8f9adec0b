import { table } from '../storage/table.ts'
import type { Identity, WorldOptions } from './identity.ts'

/** The settings of a world that can be changed, and the options it was created with. */
export interface Settings {
  readonly identity: Identity
  /** The options the world was created with. */
  readonly options: WorldOptions
  /** How many times faster than true simulated waits pass while the clock is live. */
  readonly pace: number
  /** The default scenario of orders. */
  readonly scenario: string
  readonly features: Readonly<Record<string, unknown>>
}

export const settings = table<Settings>('world', ({ identity }) => identity.teamId)
