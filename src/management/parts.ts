import { feature } from '../api/features.ts'
import { oneOf, uuid } from '../api/fields.ts'
import { type Manager, managesTeam } from '../api/management-key.ts'
import { Problem } from '../kernel/problem.ts'
import type { Region, WorldOptions } from '../world/identity.ts'
import type { World } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'

/** What the management API works with: it manages worlds rather than what is in one. */
export interface ManagementParts {
  readonly worlds: Worlds
  readonly wall: () => number
  /** The key that was there before any was made; undefined when there is none. */
  readonly firstKey: string | undefined
  /** How a new team's world is made. */
  readonly newWorldDefaults: WorldOptions
  /** The names of events there are; undefined when any is taken. */
  readonly eventTypes: () => ReadonlySet<string> | undefined
}

export const environments = ['production', 'sandbox'] as const
export type Environment = (typeof environments)[number]

export const regions = ['us', 'eu'] as const satisfies readonly Region[]

export const orgId = () => uuid()
export const environment = () => oneOf(environments)
export const region = () => oneOf(regions)

/** A team of Petri has one environment: the sandbox, unless the world is told to be like production. */
export const environmentOf = (world: World): Environment => feature(world, 'parity')

export const regionOf = ({ identity }: World): Region => identity.region ?? 'us'

/** Where teams are looked for. */
export interface Place {
  readonly env: Environment
  readonly region: Region
}

/** The teams a key manages, all of them or those of one place. */
export const teamsOf = ({ worlds }: ManagementParts, manager: Manager, place?: Place): World[] =>
  worlds
    .all()
    .filter((world) => managesTeam(manager, world.identity.teamId))
    .filter((world) => !place || (environmentOf(world) === place.env && regionOf(world) === place.region))

export function getTeam(teams: readonly World[], teamId: string): World {
  const world = teams.find(({ identity }) => identity.teamId === teamId)
  if (!world) throw new Problem('not_found', 'Team not found')
  return world
}

/** The teams named, each once. Throws for one that is not among them. */
export const getTeams = (teams: readonly World[], teamIds: readonly string[]): World[] =>
  [...new Set(teamIds)].map((teamId) => getTeam(teams, teamId))

/** The teams among those named; all of them where none is named. */
export const filterTeams = (
  teams: readonly World[],
  teamIds: readonly string[] | string | null | undefined,
): readonly World[] =>
  teamIds?.length ? teams.filter(({ identity }) => teamIds.includes(identity.teamId)) : teams

/** Answers once what was changed in these worlds is stored. */
export const stored = (teams: readonly World[]): Promise<unknown> =>
  Promise.all(teams.map(({ db }) => db.settled()))

export function assertEnvironment(world: World, env: Environment): void {
  if (env !== environmentOf(world)) throw new Problem('not_found', `The team has no ${env} environment`)
}

/** For operations that take a management key: whoever it stands for. */
export function managerIn({ manager }: { readonly manager?: Manager | undefined }): Manager {
  if (!manager) throw new Error('this operation takes no management key')
  return manager
}
