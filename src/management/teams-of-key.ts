import { type Manager, managesTeam } from '../api/credentials.ts'
import { feature } from '../api/features.ts'
import { notFound, orNotFound } from '../kernel/problem.ts'
import type { KnownWorld } from '../world/resting-world.ts'
import type { Region } from '../world/settings.ts'
import type { World } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'
import type { Environment } from './fields.ts'

/** A team of Petri has one environment: sandbox, or production with the feature `parity`. */
export const environmentOf = (world: Pick<World, 'settings'>): Environment => feature(world, 'parity')

export const regionOf = ({ identity }: Pick<World, 'identity'>): Region => identity.region ?? 'us'

export function assertEnvironment(world: Pick<World, 'settings'>, env: Environment): void {
  if (env !== environmentOf(world)) throw notFound(`The team has no ${env} environment`)
}

/** A filter by region and environment. */
export interface TeamFilter {
  readonly env: Environment
  readonly region: Region
}

/** The teams a key manages, optionally of one region and environment. */
export const teamsOf = (worlds: Worlds, manager: Manager, filter?: TeamFilter): KnownWorld[] =>
  worlds
    .all()
    .filter((world) => managesTeam(manager, world.identity.teamId))
    .filter((world) => !filter || (environmentOf(world) === filter.env && regionOf(world) === filter.region))

export const getTeam = <Team extends KnownWorld>(teams: readonly Team[], teamId: string): Team =>
  orNotFound(
    teams.find(({ identity }) => identity.teamId === teamId),
    'Team not found',
  )

/** The teams with these ids, each once. Throws for an unknown one. */
export const getTeams = (teams: readonly KnownWorld[], teamIds: readonly string[]): KnownWorld[] =>
  [...new Set(teamIds)].map((teamId) => getTeam(teams, teamId))

/** The teams with these ids; all if none are given. */
export const filterTeams = (
  teams: readonly KnownWorld[],
  teamIds: readonly string[] | string | null | undefined,
): readonly KnownWorld[] =>
  teamIds?.length ? teams.filter(({ identity }) => teamIds.includes(identity.teamId)) : teams

/** Resolves once the changes in these worlds are stored. */
export const stored = (teams: readonly World[]): Promise<unknown> =>
  Promise.all(teams.map(({ db }) => db.settled()))

interface TeamBinding {
  readonly team_id: string
}

/** The team ids of bindings, each once. Throws for an unknown team. */
export function boundTeams(worlds: Worlds, bindings: readonly TeamBinding[] | null | undefined): string[] {
  const teamIds = new Set(bindings?.map(({ team_id }) => team_id))
  for (const teamId of teamIds) getTeam(worlds.all(), teamId)
  return [...teamIds]
}

/** The options of a table whose rows are bound to teams: a deleted team is taken out of them. */
export const ofTeams = {
  owner: 'team',
  without: <Row extends { readonly team_ids: readonly string[] | null }>(row: Row, teamId: string): Row =>
    row.team_ids === null ? row : { ...row, team_ids: row.team_ids.filter((each) => each !== teamId) },
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
