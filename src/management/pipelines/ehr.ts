import { pageAfter } from '../../api/pagination.ts'
import type { Parsed } from '../../api/schema.ts'
import { ehrPipelines } from '../../resources/etl/table.ts'
import type { World } from '../../world/world.ts'
import { filterTeams, getTeams, stored } from '../parts.ts'
import type {
  EhrPipelineChoice,
  EhrPipelinePage,
  EhrPipelinesInput,
  PipelineQuery,
  EhrPipeline as Shown,
} from './schema.ts'
import { MASK } from './secrets.ts'

type Presented = Parsed<typeof Shown>

const PAGE = 100

export function listEhrPipelines(
  teams: readonly World[],
  { team_id, next_cursor }: Parsed<typeof PipelineQuery>,
): Parsed<typeof EhrPipelinePage> {
  const all = filterTeams(teams, team_id).flatMap(presentAll)
  const keyOf = ({ team_id: id, ehr_type }: Presented) => `${id}/${ehr_type}`
  const { items, nextCursor } = pageAfter(all, keyOf, next_cursor, PAGE)
  return { data: [...items], next_token: nextCursor }
}

/** Sets the pipeline of one EHR type for the given teams, or for all teams of a region and environment. */
export async function setEhrPipelines(
  managed: readonly World[],
  { team_ids, ehr_type, base_url, authentication, allowed_mappers }: Parsed<typeof EhrPipelinesInput>,
): Promise<Presented[]> {
  const teams = team_ids?.length ? getTeams(managed, team_ids) : managed
  const row = {
    ehr_type,
    base_url,
    authentication: masked(authentication),
    allowed_mappers: allowed_mappers ?? null,
  }
  for (const { db } of teams) db.put(ehrPipelines, row)
  await stored(teams)
  return teams.flatMap(presentAll).filter((pipeline) => pipeline.ehr_type === ehr_type)
}

export async function deleteEhrPipelines(
  managed: readonly World[],
  { ehr_type, team_id }: Parsed<typeof EhrPipelineChoice>,
): Promise<null> {
  const teams = filterTeams(managed, team_id)
  for (const { db } of teams) db.delete(ehrPipelines, ehr_type)
  await stored(teams)
  return null
}

/** Authentication with masked secrets. Petri never calls an EHR, so it stores none. */
function masked(authentication: Presented['authentication']): Presented['authentication'] {
  if (authentication.type === 'client_credentials') return { ...authentication, client_secret: MASK }
  return authentication.type === 'api_key' ? { ...authentication, api_key: MASK } : authentication
}

const presentAll = ({ db, identity }: World): Presented[] =>
  [...db.all(ehrPipelines)].map(({ ehr_type, base_url, authentication, allowed_mappers }) => ({
    team_id: identity.teamId,
    type: ehr_type === 'fhir' ? 'native' : 'ehr_linked',
    ehr_type,
    base_url,
    authentication: authentication as Presented['authentication'],
    allowed_mappers: allowed_mappers && [...allowed_mappers],
  }))
