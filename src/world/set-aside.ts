import { Problem } from '../kernel/problem.ts'
import type { NewWorld } from './new-world.ts'
import { firstTeamOf } from './new-world.ts'
import { ORGANISATION } from './organisation.ts'

/** A world that could not be opened, or the organisation. Its files are left unchanged. */
export interface SetAsideWorld {
  readonly teamId: string
  /** Why, and what to do. */
  readonly reason: string
  /** The API keys that are known of it. */
  readonly keys: readonly string[]
  /** Whether the system has refused to read it, which may change. */
  readonly mayHeal: boolean
}

/** What could not be opened, in words. */
export const nameOf = ({ teamId }: SetAsideWorld): string =>
  teamId === ORGANISATION ? 'The data of the organisation' : `The world of team ${teamId}`

/** Whether a world that could not be opened has the team id or key of a world that is to be created. */
export const isSameWorld = (
  { teamId, keys }: SetAsideWorld,
  { apiKey, seed = '', ...wanted }: NewWorld,
): boolean =>
  (apiKey !== undefined && keys.includes(apiKey)) || teamId === (wanted.teamId ?? firstTeamOf(seed))

/** Throws a 503 for a call to a world that could not be opened. */
export function assertNotSetAside({ teamId, reason }: SetAsideWorld): never {
  throw new Problem('unavailable', `The world of this key (team ${teamId}) could not be opened: ${reason}`)
}
