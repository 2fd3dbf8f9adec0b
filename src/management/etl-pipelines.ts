import * as z from 'zod'
import { feature } from '../api/features.ts'
import { boolean, maybe, oneOf, text, uuid } from '../api/fields.ts'
import { pageAfter, pageOf } from '../api/pagination.ts'
import { type Parsed, schema, texts, unnamed } from '../api/schema.ts'
import { omit } from '../kernel/fields.ts'
import { mapTexts } from '../kernel/json.ts'
import { badRequest } from '../kernel/problem.ts'
import {
  type DestinationKind,
  destinationKinds,
  type EtlPipeline,
  etlPipelines,
} from '../resources/etl/table.ts'
import type { World } from '../world/world.ts'
import { managed } from './operation.ts'
import { filterTeams, getTeams, stored } from './teams-of-key.ts'

const some = () => text().min(1)

/** The configuration of each kind of destination. Source: docs/contract/management.md. */
const destinations = () => ({
  cloud_pubsub: maybe(z.object({ project: some(), topic: some(), message_ordering: boolean() })),
  rabbitmq: maybe(z.object({ uri: text().regex(/^amqps?:\/\/\S+$/), exchange: text() })),
  svix: maybe(z.object({ regional: z.literal(true).default(true) })),
  azure_amqp: maybe(
    z.object({
      connection_string: some(),
      default_event_hub: some(),
      event_hub_matchers: z
        .array(
          z.object({
            event_type_prefix: maybe(text()),
            event_type_regex: maybe(text()),
            event_hub: maybe(text()),
            blob_storage: maybe(z.object({ connection_string: some(), container_name: some() })),
          }),
        )
        .default([]),
      compression: oneOf(['always', 'auto']).default('auto'),
    }),
  ),
})

const preferences = () =>
  z.object({ preferred: oneOf(destinationKinds), enabled: z.array(oneOf(destinationKinds)) })

const EtlPipelineView = schema('EtlPipeline', () => ({
  team_id: z.uuid(),
  push_historical_data: z.boolean(),
  provider_raw_data: z.boolean(),
  preferences: preferences(),
  ...destinations(),
  event_type_prefixes: texts().nullable(),
}))

const EtlPipelines = unnamed(() => z.array(EtlPipelineView()))
const EtlPipelinePage = schema('EtlPipelinePage', () => pageOf(EtlPipelineView(), 'pipelines'))

const EtlPipelinesInput = schema('EtlPipelinesInput', () => ({
  team_ids: z.array(uuid()).default([]),
  push_historical_data: maybe(boolean()),
  provider_raw_data: maybe(boolean()),
  preferences: maybe(preferences()),
  ...destinations(),
  event_type_prefixes: z.array(some()).optional(),
}))

export const PipelineQuery = unnamed(() => ({ next_cursor: maybe(text()), team_id: maybe(uuid()) }))
const PipelineChoice = unnamed(() => ({ team_id: z.array(uuid()).default([]) }))

export const etlPipelineOperations = [
  managed({
    id: 'get_team_etl_pipelines',
    route: 'GET /v1/org/{org_id}/team_etl_pipelines/{env}/{region}',
    summary: 'List the ETL pipelines of teams',
    query: PipelineQuery,
    returns: EtlPipelinePage,
    async run(_, { params, query: { next_cursor, team_id } }, { worlds, teams }) {
      const { items, nextCursor } = pageAfter(
        {
          of: ['etl_pipelines', params, team_id],
          rows: filterTeams(teams(), team_id),
          idOf: ({ identity }) => identity.teamId,
          isWanted: (team) => team.count(etlPipelines) > 0,
        },
        next_cursor,
        100,
      )
      const shown = await worlds.each(items, present)
      return { pipelines: shown.flat(), next_cursor: nextCursor }
    },
  }),
  managed({
    id: 'upsert_team_etl_pipelines',
    route: 'POST /v1/org/{org_id}/team_etl_pipelines/{env}/{region}',
    summary:
      'Set where events of teams are sent; without team ids, of all teams of the environment and region',
    body: EtlPipelinesInput,
    returns: EtlPipelines,
    async run(_, { body }, { worlds, teams }) {
      const wanted = body.team_ids.length > 0 ? getTeams(teams(), body.team_ids) : teams()
      return worlds.useAll(wanted, async (chosen) => {
        const rows = chosen.map((team) => ({ team, row: changed(team, body) }))
        for (const { team, row } of rows) {
          team.db.put(etlPipelines, row)
          const { features } = team.settings()
          team.setSettings({ features: { ...features, push_historical_data: row.push_historical_data } })
        }
        await stored(chosen)
        return chosen.flatMap(present)
      })
    },
  }),
  managed({
    id: 'delete_team_etl_pipelines',
    route: 'DELETE /v1/org/{org_id}/team_etl_pipelines/{env}/{region}',
    summary:
      'Delete the ETL pipelines of teams; without team ids, of all teams of the environment and region',
    query: PipelineChoice,
    returns: EtlPipelines,
    async run(_, { query }, { worlds, teams }) {
      return worlds.useAll(filterTeams(teams(), query.team_id), async (chosen) => {
        const deleted = chosen.flatMap(present)
        for (const { db } of chosen) db.delete(etlPipelines, 'pipeline')
        await stored(chosen)
        return deleted
      })
    },
  }),
]

/** The pipeline of a team with the given fields. */
function changed(team: World, input: Parsed<typeof EtlPipelinesInput>): EtlPipeline {
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
function prefixesAfter(before: readonly string[] | null, given: readonly string[] | undefined) {
  if (given === undefined) return before
  return given.length > 0 ? given : null
}

/** Throws if an enabled destination is not configured. Webhooks need no configuration. */
function assertUsable(
  { preferred, enabled }: EtlPipeline['preferences'],
  destinations: EtlPipeline['destinations'],
): void {
  if (!enabled.includes(preferred)) {
    throw badRequest(`The preferred destination ${preferred} is not enabled.`)
  }
  const missing = enabled.filter((kind) => kind !== 'svix' && !destinations[kind])
  if (missing.length > 0) {
    throw badRequest(`These destinations are enabled and not configured: ${missing.join(', ')}`)
  }
}

function present({ db, identity }: World): Parsed<typeof EtlPipelines> {
  const row = db.find(etlPipelines, 'pipeline')
  if (!row) return []
  const { preferences, destinations, event_type_prefixes, ...flags } = omit(row, 'id')
  const { cloud_pubsub = null, rabbitmq = null, svix = null, azure_amqp = null } = destinations
  const shown = { cloud_pubsub, rabbitmq, svix, azure_amqp } as Partial<Parsed<typeof EtlPipelineView>>
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

/** The text the service shows in place of a secret. */
export const MASK = '**********'

/** The password in a URI. */
const PASSWORD = /(:\/\/[^\s/:@]*:)[^\s@]*@/g
const KEY = /\b((?:SharedAccess|Account)(?:Key|Signature)=)[^;]*/gi

/** A value with masked secrets. Petri never connects to these destinations, so it stores none. */
const withoutSecrets = (value: unknown): unknown =>
  mapTexts(value, (text) => text.replace(PASSWORD, `$1${MASK}@`).replace(KEY, `$1${MASK}`))
