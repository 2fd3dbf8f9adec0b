import * as z from 'zod'
import { maybe, oneOf, text, uuid } from '../api/fields.ts'
import { pageAfter } from '../api/pagination.ts'
import { nullableText, type Parsed, schema, texts, unnamed } from '../api/schema.ts'
import { ehrPipelines } from '../resources/etl/table.ts'
import type { RowOf } from '../storage/table.ts'
import { webUrl } from '../webhooks/fields.ts'
import type { World } from '../world/world.ts'
import { MASK, PipelineQuery } from './etl-pipelines.ts'
import { Nothing } from './fields.ts'
import { managed } from './operation.ts'
import { filterTeams, getTeams, stored } from './teams-of-key.ts'

const ehrTypes = ['fhir', 'hint_health'] as const

const authentication = () =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('client_credentials'),
      client_id: text(),
      client_secret: text().meta({ format: 'password' }),
      token_url: webUrl(),
    }),
    z.object({
      type: z.literal('google_iam'),
      service_account_email: text(),
      audience: z.literal('https://healthcare.googleapis.com/'),
    }),
    z.object({ type: z.literal('api_key'), api_key: text() }),
  ])

/** Secrets are shown as asterisks. */
const EhrPipelineView = schema('EhrPipeline', () => ({
  team_id: z.uuid(),
  type: z.enum(['native', 'ehr_linked']),
  ehr_type: z.enum(ehrTypes),
  base_url: webUrl(),
  authentication: authentication(),
  allowed_mappers: texts().nullable(),
}))

const EhrPipelines = unnamed(() => z.array(EhrPipelineView()))
const EhrPipelinePage = schema('EhrPipelinePage', () => ({
  data: z.array(EhrPipelineView()),
  next_token: nullableText(),
}))

const EhrPipelinesInput = schema('EhrPipelinesInput', () => ({
  team_ids: maybe(z.array(uuid())),
  ehr_type: oneOf(ehrTypes),
  base_url: webUrl(),
  authentication: authentication(),
  allowed_mappers: maybe(z.array(text())),
}))

const EhrPipelineChoice = unnamed(() => ({ ehr_type: oneOf(ehrTypes), team_id: z.array(uuid()).default([]) }))

export const ehrPipelineOperations = [
  managed({
    id: 'get_team_ehr_pipelines',
    route: 'GET /v1/org/{org_id}/team_ehr_pipelines/{environment}/{region}',
    summary: 'List the EHR pipelines of teams',
    query: PipelineQuery,
    returns: EhrPipelinePage,
    async run(_, { params, query: { next_cursor, team_id } }, { worlds, teams }) {
      const holders = filterTeams(teams(), team_id).filter((team) => team.count(ehrPipelines) > 0)
      const all = await worlds.each(holders, present)
      const { items, nextCursor } = pageAfter(
        {
          of: ['ehr_pipelines', params, team_id],
          rows: all.flat(),
          idOf: (pipeline) => `${pipeline.team_id}/${pipeline.ehr_type}`,
        },
        next_cursor,
        100,
      )
      return { data: items, next_token: nextCursor }
    },
  }),
  managed({
    id: 'upsert_team_ehr_pipelines',
    route: 'POST /v1/org/{org_id}/team_ehr_pipelines/{environment}/{region}',
    summary: 'Set an EHR pipeline of teams; Petri stores it, but calls no EHR',
    body: EhrPipelinesInput,
    returns: EhrPipelines,
    async run(_, { body: { team_ids, ehr_type, base_url, ...given } }, { worlds, teams }) {
      const wanted = team_ids?.length ? getTeams(teams(), team_ids) : teams()
      const authentication = masked(given.authentication)
      const row = { ehr_type, base_url, authentication, allowed_mappers: given.allowed_mappers ?? null }
      return worlds.useAll(wanted, async (chosen) => {
        for (const { db } of chosen) db.put(ehrPipelines, row)
        await stored(chosen)
        return chosen.flatMap(present).filter((pipeline) => pipeline.ehr_type === ehr_type)
      })
    },
  }),
  managed({
    id: 'delete_team_ehr_pipelines',
    route: 'DELETE /v1/org/{org_id}/team_ehr_pipelines/{environment}/{region}',
    summary: 'Delete the pipelines of teams to one type of EHR',
    query: EhrPipelineChoice,
    returns: Nothing,
    async run(_, { query: { ehr_type, team_id } }, { worlds, teams }) {
      await worlds.useAll(filterTeams(teams(), team_id), (chosen) => {
        for (const { db } of chosen) db.delete(ehrPipelines, ehr_type)
        return stored(chosen)
      })
      return null
    },
  }),
]

type Authentication = Parsed<typeof EhrPipelineView>['authentication']

/** Authentication with masked secrets. Petri never calls an EHR, so it stores none. */
function masked(authentication: Authentication): Authentication {
  if (authentication.type === 'client_credentials') return { ...authentication, client_secret: MASK }
  return authentication.type === 'api_key' ? { ...authentication, api_key: MASK } : authentication
}

const present = (team: World): Parsed<typeof EhrPipelines> =>
  [...team.db.all(ehrPipelines)].map((row) => presentPipeline(team, row))

const presentPipeline = (
  { identity }: World,
  { ehr_type, base_url, authentication, allowed_mappers }: RowOf<typeof ehrPipelines>,
): Parsed<typeof EhrPipelines>[number] => ({
  team_id: identity.teamId,
  type: ehr_type === 'fhir' ? 'native' : 'ehr_linked',
  ehr_type,
  base_url,
  authentication: authentication as Authentication,
  allowed_mappers: allowed_mappers && [...allowed_mappers],
})
