import { feature } from '../../api/features.ts'
import type { Parsed } from '../../api/schema.ts'
import { omit } from '../../kernel/fields.ts'
import { toWire } from '../../kernel/instant.ts'
import { badRequest, Problem } from '../../kernel/problem.ts'
import { filterInSlices, Slices } from '../../kernel/slices.ts'
import { apiKeysOf } from '../../world/settings.ts'
import type { World, WorldOutline } from '../../world/world.ts'
import { etlPipelines } from '../etl/table.ts'
import { orders } from '../orders/table.ts'
import { listProviders, providerName, sourceIdOf } from '../providers/service.ts'
import { users } from '../users/table.ts'
import { dataTypes, type FoundUsers, type Physicians, type PriorityChanges, type Team } from './schema.ts'
import { priorities, priorityId, type TeamProfile, teamProfiles } from './table.ts'

/** The maximum number of users a search returns. */
const MAX_FOUND = 100

export function assertOwnTeam(world: World, teamId: string): void {
  if (teamId !== world.identity.teamId) throw new Problem('not_found', 'Team not found')
}

/** The team of a world. */
export function presentTeam(world: World): Parsed<typeof Team> {
  const { teamId, orgId, name, apiKey, webhookSecret } = world.identity
  const profile = profileOf(world)
  const teamCreatedAt = createdAtOf(world)
  return {
    id: teamId,
    org_id: orgId,
    name,
    svix_app_id: world.ids.uuid('svix_app'),
    client_id: '',
    client_secret: '',
    airtable_api_key: '',
    airtable_base_id: '',
    webhook_secret: webhookSecret,
    api_key: apiKey,
    api_keys: apiKeysOf(world.identity).map(({ id, label, value, createdAt }) => ({
      label,
      value,
      team_id: teamId,
      id,
      created_at: toWire(createdAt ?? teamCreatedAt),
      deleted_at: null,
    })),
    configuration: configurationOf(world),
    testkits_texts_enabled: false,
    lab_tests_patient_communication_enabled: false,
    lab_tests_patient_sms_communication_enabled: profile.lab_tests_patient_sms_communication_enabled,
    lab_tests_patient_email_communication_enabled: profile.lab_tests_patient_email_communication_enabled,
    logo_url: profile.logo_url,
    delegated_flow: 'order_and_results_with_vital_physician_network',
    critical_result_notification_email: profile.critical_result_notification_email,
  }
}

/** When a team was created, in milliseconds since 1970. */
export const createdAtOf = ({ identity, options, clock }: WorldOutline): number =>
  identity.createdAt ?? options.now ?? clock.now()

const untouched: TeamProfile = {
  lab_tests_patient_sms_communication_enabled: true,
  lab_tests_patient_email_communication_enabled: true,
  critical_result_notification_email: null,
  brand_information: null,
  logo_url: null,
  sdk_per_device_activity_timeseries: false,
}

/** The profile of a team. */
export function profileOf(world: World): TeamProfile {
  const found = world.db.find(teamProfiles, world.identity.teamId)
  return found ? omit(found, 'team_id') : untouched
}

export const setProfile = (world: World, profile: TeamProfile): void =>
  void world.db.put(teamProfiles, { ...profile, team_id: world.identity.teamId })

function configurationOf(world: World): Parsed<typeof Team>['configuration'] {
  const pipeline = world.db.find(etlPipelines, 'pipeline')
  const { preferred, enabled } = pipeline?.preferences ?? { preferred: 'svix', enabled: ['svix'] }
  return {
    libreview: { practice_id: {}, strip_tz: false },
    texts_enabled: false,
    push_historical_data: feature(world, 'push_historical_data'),
    provider_raw_data: pipeline?.provider_raw_data ?? false,
    reject_duplicate_connection: feature(world, 'reject_duplicate_connection'),
    sdk_per_device_activity_timeseries: profileOf(world).sdk_per_device_activity_timeseries,
    partial_webhooks_enabled: feature(world, 'partial_results_webhooks'),
    minor_ordering_enabled: feature(world, 'minor_ordering'),
    eds_preferences: { preferred, enabled: [...enabled] },
    event_type_prefixes: pipeline?.event_type_prefixes ? [...pipeline.event_type_prefixes] : null,
  }
}

/** All physicians of the team's orders, including the service's own. */
export async function listPhysicians(world: World): Promise<Parsed<typeof Physicians>> {
  const byNpi = new Map<string, Parsed<typeof Physicians>[number]>()
  const slices = new Slices()
  for (const { physician } of world.db.all(orders)) {
    if (physician) byNpi.set(physician.npi, physician)
    if (slices.isOver) await slices.next()
  }
  return [...byNpi.values()]
}

/** Users whose id or client user id contains a text. */
export async function searchUsers(world: World, part: string): Promise<Parsed<typeof FoundUsers>> {
  const wanted = part.toLowerCase()
  const found = await filterInSlices(
    world.db.all(users),
    ({ user_id, client_user_id }) =>
      user_id.includes(wanted) || client_user_id.toLowerCase().includes(wanted),
  )
  return found.slice(0, MAX_FOUND)
}

/** The URL of the team's message log. */
export const portalOf = (world: World) => ({ url: `${world.baseUrl}/_petri/webhooks/messages` })

type DataType = (typeof dataTypes)[number]

/** The priorities of providers with the same data, highest first. Source: docs/contract/users.md. */
export function listPriorities(world: World, dataType?: DataType | null) {
  const slugs = listProviders(world).map(({ slug }) => slug)
  return dataTypes
    .filter((type) => !dataType || type === dataType)
    .flatMap((type) =>
      slugs
        .map((slug, at) => ({
          team_id: world.identity.teamId,
          data_type: type,
          source_id: sourceIdOf(world, slug),
          priority: world.db.find(priorities, priorityId(type, slug))?.priority ?? slugs.length - at,
          source: providerName(world, slug),
        }))
        .sort((a, b) => b.priority - a.priority),
    )
}

/** Sets priorities. Returns those of the affected data types, or all. */
export function setPriorities(world: World, changes: Parsed<typeof PriorityChanges>) {
  const slugs = new Map(listProviders(world).map(({ slug }) => [sourceIdOf(world, slug), slug]))
  slugs.delete(0)
  const rows = changes.map(({ data_type, source_id, slug, priority }) => ({
    data_type,
    slug: slug ?? slugs.get(source_id ?? 0) ?? unknown(source_id),
    priority,
  }))
  for (const row of rows) world.db.put(priorities, row)
  const concerned = new Set(rows.map(({ data_type }) => data_type))
  return listPriorities(world).filter(({ data_type }) => concerned.size === 0 || concerned.has(data_type))
}

function unknown(sourceId: number | null | undefined): never {
  throw badRequest(
    sourceId === null || sourceId === undefined
      ? 'source_id or slug must be provided'
      : `There is no source ${sourceId}.`,
  )
}
