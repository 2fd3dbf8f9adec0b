import type { Manager } from '../../api/credentials.ts'
import { feature } from '../../api/features.ts'
import { pageAfter } from '../../api/pagination.ts'
import type { Parsed } from '../../api/schema.ts'
import { toWire } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import { createdAtOf, profileOf, setProfile } from '../../resources/team/service.ts'
import type { TeamProfile } from '../../resources/team/table.ts'
import type { World } from '../../world/world.ts'
import {
  assertEnvironment,
  type Environment,
  environmentOf,
  environments,
  type ManagementParts,
  regionOf,
  teamsOf,
} from '../parts.ts'
import type { EnvironmentPatch, ManagedTeam, TeamInput, TeamPatch, TeamQuery } from './schema.ts'

const PAGE = 100

const headOf = (world: World) => ({
  id: world.identity.teamId,
  name: world.identity.name,
  created_on: toWire(createdAtOf(world)),
  region: regionOf(world),
  integration_team_id: world.identity.integrationTeamId ?? null,
})

/** A team with its settings in the given environments; all by default. */
export function presentTeam(
  world: World,
  include: readonly Environment[] = environments,
): Parsed<typeof ManagedTeam> {
  const own = environmentOf(world)
  const settingsIn = (env: Environment) => (env === own && include.includes(env) ? settingsOf(world) : null)
  return {
    ...headOf(world),
    environments: [own],
    sandbox: settingsIn('sandbox'),
    production: settingsIn('production'),
  }
}

const settingsOf = (world: World) => ({
  ...profileOf(world),
  reject_duplicate_connection: feature(world, 'reject_duplicate_connection'),
  partial_webhooks_enabled: feature(world, 'partial_results_webhooks'),
  minor_ordering_enabled: feature(world, 'minor_ordering'),
})

export function listTeams(parts: ManagementParts, manager: Manager, query: Parsed<typeof TeamQuery>) {
  const { region, search_query, team_id, next_cursor } = query
  const wanted = search_query?.toLowerCase() ?? ''
  const found = teamsOf(parts, manager)
    .filter((world) => !region?.length || region.includes(regionOf(world)))
    .filter(({ identity }) => identity.name.toLowerCase().includes(wanted))
    .filter(({ identity }) => !team_id || identity.teamId === team_id)
  const { items, nextCursor } = pageAfter(found.map(headOf), ({ id }) => id, next_cursor, PAGE)
  return { teams: [...items], next_cursor: nextCursor }
}

/** Creates a team: a new world with the options of the first. */
export async function makeTeam(parts: ManagementParts, input: Parsed<typeof TeamInput>) {
  const wanted = {
    ...parts.newWorldDefaults,
    name: input.name,
    region: input.region,
    integrationTeamId: input.integration_team_id ?? null,
    ...(input.id && { teamId: input.id }),
  }
  const world = await parts.worlds.make(wanted, () => assertNameAvailable(parts, input.integration_team_id))
  setEnvironment(world, input)
  await world.db.settled()
  return presentTeam(world)
}

export async function changeTeam(
  parts: ManagementParts,
  world: World,
  { name, integration_team_id, sandbox, production }: Parsed<typeof TeamPatch>,
) {
  const changes = Object.entries({ sandbox, production }) as [
    Environment,
    EnvironmentPatch | null | undefined,
  ][]
  for (const [env, change] of changes) if (change) assertEnvironment(world, env)
  const changed = await parts.worlds.identify(world, (identity, current) => {
    assertNameAvailable(parts, integration_team_id, current)
    for (const [, change] of changes) if (change) setEnvironment(current, change)
    return {
      ...identity,
      name: name ?? identity.name,
      integrationTeamId:
        integration_team_id === undefined ? (identity.integrationTeamId ?? null) : integration_team_id,
    }
  })
  return presentTeam(changed)
}

export function resolveTeam(parts: ManagementParts, manager: Manager, integrationTeamId: string) {
  const world = teamsOf(parts, manager).find(
    ({ identity }) => identity.integrationTeamId === integrationTeamId,
  )
  if (!world) throw new Problem('not_found', 'Team not found')
  return presentTeam(world)
}

function assertNameAvailable(
  { worlds }: ManagementParts,
  name: string | null | undefined,
  self?: World,
): void {
  if (name === null || name === undefined) return
  const taken = worlds.all().find((world) => world !== self && world.identity.integrationTeamId === name)
  if (taken) throw new Problem('conflict', '', { bare: { team_id: taken.identity.teamId } })
}

/** Changes the given fields; null clears an optional field. */
function setEnvironment(world: World, change: EnvironmentPatch): void {
  const before = profileOf(world)
  const orKept = <Name extends keyof TeamProfile & keyof EnvironmentPatch>(name: Name) =>
    change[name] === undefined ? before[name] : change[name]
  setProfile(world, {
    lab_tests_patient_sms_communication_enabled:
      change.lab_tests_patient_sms_communication_enabled ??
      before.lab_tests_patient_sms_communication_enabled,
    lab_tests_patient_email_communication_enabled:
      change.lab_tests_patient_email_communication_enabled ??
      before.lab_tests_patient_email_communication_enabled,
    sdk_per_device_activity_timeseries:
      change.sdk_per_device_activity_timeseries ?? before.sdk_per_device_activity_timeseries,
    critical_result_notification_email: orKept('critical_result_notification_email') as string | null,
    logo_url: orKept('logo_url') as string | null,
    brand_information: brandAfter(before.brand_information, change.brand_information),
  })
  const features = Object.entries({
    reject_duplicate_connection: change.reject_duplicate_connection,
    partial_results_webhooks: change.partial_webhooks_enabled,
    minor_ordering: change.minor_ordering_enabled,
  }).filter(([, value]) => typeof value === 'boolean')
  world.setSettings({ features: { ...world.settings().features, ...Object.fromEntries(features) } })
}

const blank: NonNullable<TeamProfile['brand_information']> = {
  company_name: '',
  company_website: '',
  support_email: 'help@petri.example',
  support_contact: '',
  company_address: '',
  brand_color: '',
}

function brandAfter(
  before: TeamProfile['brand_information'],
  change: EnvironmentPatch['brand_information'],
): TeamProfile['brand_information'] {
  if (!change) return change === null ? null : before
  const named = Object.entries(change).filter(([, value]) => value !== null && value !== undefined)
  return { ...blank, ...before, ...Object.fromEntries(named) }
}
