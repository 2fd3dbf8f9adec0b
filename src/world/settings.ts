import { table } from '../storage/table.ts'
import type { Identity, WorldOptions } from './identity.ts'

/** The version of stored rows. */
export const ROW_VERSION = 2

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
  /** `ROW_VERSION` when the rows were written; missing in those written before there was one. */
  readonly rowVersion: number
}

export const settings = table<Settings>('world', ({ identity }) => identity.teamId)
