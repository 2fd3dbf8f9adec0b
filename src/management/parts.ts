import { type Manager, managesTeam } from '../api/credentials.ts'
import { feature } from '../api/features.ts'
import { oneOf, uuid } from '../api/fields.ts'
import { Problem } from '../kernel/problem.ts'
import type { Region, WorldOptions } from '../world/identity.ts'
import type { World } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'

/** The dependencies of the management API, which manages worlds. */
export interface ManagementParts {
  readonly worlds: Worlds
  readonly wall: () => number
  /** Milliseconds since 1970, by the clock of the first world. Rows of the organisation expire by it. */
  readonly now: () => number
  /** The key from the settings; undefined if there is none. */
  readonly firstKey: string | undefined
  /** Options of a new team's world. */
  readonly newWorldDefaults: WorldOptions
}

export const environments = ['production', 'sandbox'] as const
export type Environment = (typeof environments)[number]

export const regions = ['us', 'eu'] as const satisfies readonly Region[]

export const orgId = () => uuid()
export const environment = () => oneOf(environments)
export const region = () => oneOf(regions)

/** A team of Petri has one environment: sandbox, or production with the feature `parity`. */
export const environmentOf = (world: World): Environment => feature(world, 'parity')

export const regionOf = ({ identity }: World): Region => identity.region ?? 'us'

/** A filter by region and environment. */
export interface TeamFilter {
  readonly env: Environment
  readonly region: Region
}

/** The teams a key manages, optionally of one region and environment. */
export const teamsOf = ({ worlds }: ManagementParts, manager: Manager, place?: TeamFilter): World[] =>
  worlds
    .all()
    .filter((world) => managesTeam(manager, world.identity.teamId))
    .filter((world) => !place || (environmentOf(world) === place.env && regionOf(world) === place.region))

/** The teams that the key of a call manages, of the region and environment in its path. */
export const teamsIn = (parts: ManagementParts, caller: Parameters<typeof managerIn>[0], place: TeamFilter) =>
  teamsOf(parts, managerIn(caller), place)

export function getTeam(teams: readonly World[], teamId: string): World {
  const world = teams.find(({ identity }) => identity.teamId === teamId)
  if (!world) throw new Problem('not_found', 'Team not found')
  return world
}

/** The teams with these ids, each once. Throws for an unknown one. */
export const getTeams = (teams: readonly World[], teamIds: readonly string[]): World[] =>
  [...new Set(teamIds)].map((teamId) => getTeam(teams, teamId))

/** The teams with these ids; all if none are given. */
export const filterTeams = (
  teams: readonly World[],
  teamIds: readonly string[] | string | null | undefined,
): readonly World[] =>
  teamIds?.length ? teams.filter(({ identity }) => teamIds.includes(identity.teamId)) : teams

/** The team ids of bindings. Throws for an unknown team. */
export function boundTeams({ worlds }: ManagementParts, bindings: readonly TeamBinding[]): string[] {
  return getTeams(
    worlds.all(),
    bindings.map(({ team_id }) => team_id),
  ).map(({ identity }) => identity.teamId)
}

interface TeamBinding {
  readonly team_id: string
}

/** Team bindings in wire format; null for all teams. */
export const toBindings = (teamIds: readonly string[] | null): TeamBinding[] | null =>
  teamIds?.map((team_id) => ({ team_id })) ?? null

/** Rows with at least one team of the manager, reduced to those teams. An `org_admin` sees all rows unchanged. */
export const seenBy = <Row extends { readonly team_ids: readonly string[] | null }>(
  manager: Manager,
  rows: Iterable<Row>,
): Row[] =>
  [...rows].flatMap((row) => {
    if (manager.teamIds === null) return row
    const team_ids = row.team_ids?.filter((teamId) => managesTeam(manager, teamId)) ?? []
    return team_ids.length > 0 ? { ...row, team_ids } : []
  })

/** Resolves once the changes in these worlds are stored. */
export const stored = (teams: readonly World[]): Promise<unknown> =>
  Promise.all(teams.map(({ db }) => db.settled()))

export function assertEnvironment(world: World, env: Environment): void {
  if (env !== environmentOf(world)) throw new Problem('not_found', `The team has no ${env} environment`)
}

/** The manager of the key, for operations that take a management key. */
export function managerIn({ manager }: { readonly manager?: Manager | undefined }): Manager {
  if (!manager) throw new Error('this operation takes no management key')
  return manager
}
