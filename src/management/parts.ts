import { feature } from '../api/features.ts'
import { oneOf, uuid } from '../api/fields.ts'
import { type Manager, managesTeam } from '../api/management-key.ts'
import { Problem } from '../kernel/problem.ts'
import type { Region, WorldOptions } from '../world/identity.ts'
import type { World } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'

/** The OpenAPI tag of all these operations. */
export const tag = 'management'

/** The dependencies of the management API, which manages worlds. */
export interface ManagementParts {
  readonly worlds: Worlds
  readonly wall: () => number
  /** Milliseconds since 1970, by the clock of the first world; what the organisation keeps expires by it. */
  readonly now: () => number
  /** The key from the settings; undefined if there is none. */
  readonly firstKey: string | undefined
  /** How a new team's world is made. */
  readonly newWorldDefaults: WorldOptions
  /** The allowed event types; undefined if any is allowed. */
  readonly eventTypes: () => ReadonlySet<string> | undefined
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

/** Region and environment to select teams by. */
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

/** The ids of the teams bound to, each of which is there. */
export function boundTeams({ worlds }: ManagementParts, bindings: readonly TeamBinding[]): string[] {
  return getTeams(
    worlds.all(),
    bindings.map(({ team_id }) => team_id),
  ).map(({ identity }) => identity.teamId)
}

interface TeamBinding {
  readonly team_id: string
}

/** Teams as answers name them; null for all of them. */
export const toBindings = (teamIds: readonly string[] | null): TeamBinding[] | null =>
  teamIds?.map((team_id) => ({ team_id })) ?? null

/** Those who are bound to teams a key manages, each with these teams alone; everybody for a key that manages all. */
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
