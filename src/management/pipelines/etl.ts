import { feature } from '../../api/features.ts'
import { pageAfter } from '../../api/pagination.ts'
import type { Parsed } from '../../api/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import {
  type DestinationKind,
  destinationKinds,
  type EtlPipeline,
  etlPipelines,
} from '../../resources/etl/table.ts'
import type { World } from '../../world/world.ts'
import { filterTeams, getTeams, stored } from '../parts.ts'
import type { EtlPipelinePage, EtlPipelinesInput, PipelineQuery, EtlPipeline as Shown } from './schema.ts'
import { withoutSecrets } from './secrets.ts'

type Input = Parsed<typeof EtlPipelinesInput>
type Presented = Parsed<typeof Shown>

const PAGE = 100

export function listEtlPipelines(
  teams: readonly World[],
  { team_id, next_cursor }: Parsed<typeof PipelineQuery>,
): Parsed<typeof EtlPipelinePage> {
  const all = filterTeams(teams, team_id).flatMap(presentAny)
  const { items, nextCursor } = pageAfter(all, (pipeline) => pipeline.team_id, next_cursor, PAGE)
  return { pipelines: [...items], next_cursor: nextCursor }
}

/** Updates the given fields for the given teams, or for all teams of a region and environment. */
export async function setEtlPipelines(managed: readonly World[], input: Input): Promise<Presented[]> {
  const teams = input.team_ids.length > 0 ? getTeams(managed, input.team_ids) : managed
  const rows = teams.map((team) => ({ team, row: changed(team, input) }))
  for (const { team, row } of rows) {
    team.db.put(etlPipelines, row)
    const { features } = team.settings()
    team.setSettings({ features: { ...features, push_historical_data: row.push_historical_data } })
  }
  await stored(teams)
  return teams.flatMap(presentAny)
}

/** Deletes pipelines and returns them. */
export async function deleteEtlPipelines(
  managed: readonly World[],
  teamIds: readonly string[],
): Promise<Presented[]> {
  const teams = filterTeams(managed, teamIds)
  const deleted = teams.flatMap(presentAny)
  for (const { db } of teams) db.delete(etlPipelines, 'pipeline')
  await stored(teams)
  return deleted
}

function changed(team: World, input: Input): EtlPipeline {
  const before = team.db.find(etlPipelines, 'pipeline') ?? {
    push_historical_data: feature(team, 'push_historical_data'),
    provider_raw_data: false,
    preferences: { preferred: 'svix' as const, enabled: ['svix' as const] },
    destinations: {},
    event_type_prefixes: null,
  }
  const given = destinationKinds.flatMap((kind): [DestinationKind, object][] => {
    const destination = input[kind]
    return destination ? [[kind, withoutSecrets(destination) as object]] : []
  })
  const destinations = { ...before.destinations, ...Object.fromEntries(given) }
  const preferences = input.preferences ?? before.preferences
  assertUsable(preferences, destinations)
  return {
    id: 'pipeline',
    push_historical_data: input.push_historical_data ?? before.push_historical_data,
    provider_raw_data: input.provider_raw_data ?? before.provider_raw_data,
    preferences,
    destinations,
    event_type_prefixes: prefixesAfter(before.event_type_prefixes, input.event_type_prefixes),
  }
}

/** The prefixes after an update; an empty list removes the filter. */
const prefixesAfter = (before: readonly string[] | null, given: readonly string[] | undefined) =>
  given === undefined ? before : given.length > 0 ? given : null

/** Throws if an enabled destination is not configured. Webhooks need no configuration. */
function assertUsable(
  { preferred, enabled }: EtlPipeline['preferences'],
  destinations: EtlPipeline['destinations'],
): void {
  if (!enabled.includes(preferred)) {
    throw new Problem('bad_request', `The preferred destination ${preferred} is not enabled.`)
  }
  const missing = enabled.filter((kind) => kind !== 'svix' && !destinations[kind])
  if (missing.length > 0) {
    throw new Problem(
      'bad_request',
      `These destinations are enabled and not configured: ${missing.join(', ')}`,
    )
  }
}

function presentAny({ db, identity }: World): Presented[] {
  const row = db.find(etlPipelines, 'pipeline')
  if (!row) return []
  const { id: _, preferences, destinations, event_type_prefixes, ...flags } = row
  const { cloud_pubsub = null, rabbitmq = null, svix = null, azure_amqp = null } = destinations
  const shown = { cloud_pubsub, rabbitmq, svix, azure_amqp } as Partial<Presented>
  return [
    {
      team_id: identity.teamId,
      ...flags,
      preferences: { preferred: preferences.preferred, enabled: [...preferences.enabled] },
      ...shown,
      event_type_prefixes: event_type_prefixes && [...event_type_prefixes],
    },
  ]
}
