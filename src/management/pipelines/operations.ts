import { operation } from '../../api/operation.ts'
import { Nothing } from '../organisation/schema.ts'
import { type ManagementParts, type TeamFilter, teamsIn } from '../parts.ts'
import { PlacePath } from '../place.ts'
import { deleteEhrPipelines, listEhrPipelines, setEhrPipelines } from './ehr.ts'
import { deleteEtlPipelines, listEtlPipelines, setEtlPipelines } from './etl.ts'
import * as schemas from './schema.ts'

export const etlPipelineOperations = (parts: ManagementParts) => [
  operation({
    id: 'get_team_etl_pipelines',
    route: 'GET /v1/org/{org_id}/team_etl_pipelines/{env}/{region}',
    summary: 'List where teams have their events sent',
    params: PlacePath,
    query: schemas.PipelineQuery,
    returns: schemas.EtlPipelinePage,
    run: (_, { params, query }, context) => listEtlPipelines(teamsIn(parts, context, params), query),
  }),
  operation({
    id: 'upsert_team_etl_pipelines',
    route: 'POST /v1/org/{org_id}/team_etl_pipelines/{env}/{region}',
    summary: 'Say where teams have their events sent; all teams of the place where none is named',
    params: PlacePath,
    body: schemas.EtlPipelinesInput,
    returns: schemas.EtlPipelines,
    run: (_, { params, body }, context) => setEtlPipelines(teamsIn(parts, context, params), body),
  }),
  operation({
    id: 'delete_team_etl_pipelines',
    route: 'DELETE /v1/org/{org_id}/team_etl_pipelines/{env}/{region}',
    summary: 'Delete the ETL pipelines of teams; of all teams of the place where none is named',
    params: PlacePath,
    query: schemas.PipelineChoice,
    returns: schemas.EtlPipelines,
    run: (_, { params, query }, context) =>
      deleteEtlPipelines(teamsIn(parts, context, params), query.team_id),
  }),
]

export const ehrPipelineOperations = (parts: ManagementParts) => [
  operation({
    id: 'get_team_ehr_pipelines',
    route: 'GET /v1/org/{org_id}/team_ehr_pipelines/{environment}/{region}',
    summary: 'List the EHRs that results of teams go to',
    params: schemas.EnvironmentPlacePath,
    query: schemas.PipelineQuery,
    returns: schemas.EhrPipelinePage,
    run: (_, { params, query }, context) => listEhrPipelines(teamsIn(parts, context, placeIn(params)), query),
  }),
  operation({
    id: 'upsert_team_ehr_pipelines',
    route: 'POST /v1/org/{org_id}/team_ehr_pipelines/{environment}/{region}',
    summary: 'Set an EHR that results of teams go to; Petri keeps it and calls nobody',
    params: schemas.EnvironmentPlacePath,
    body: schemas.EhrPipelinesInput,
    returns: schemas.EhrPipelines,
    run: (_, { params, body }, context) => setEhrPipelines(teamsIn(parts, context, placeIn(params)), body),
  }),
  operation({
    id: 'delete_team_ehr_pipelines',
    route: 'DELETE /v1/org/{org_id}/team_ehr_pipelines/{environment}/{region}',
    summary: 'Delete the pipelines of teams to one type of EHR',
    params: schemas.EnvironmentPlacePath,
    query: schemas.EhrPipelineChoice,
    returns: Nothing,
    run: (_, { params, query }, context) =>
      deleteEhrPipelines(teamsIn(parts, context, placeIn(params)), query),
  }),
]

const placeIn = ({
  environment,
  region,
}: { environment: TeamFilter['env'] } & Pick<TeamFilter, 'region'>): TeamFilter => ({
  env: environment,
  region,
})
