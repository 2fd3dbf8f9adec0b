import { operation } from '../../api/operation.ts'
import { Nothing } from '../organisation/schema.ts'
import { type ManagementParts, teamsIn } from '../parts.ts'
import { PlacePath } from '../place.ts'
import { PreferencesFilter, PreferencesInput, PreferencesPage, PreferencesQuery } from './schema.ts'
import { clearPreferences, listPreferences, setPreferences } from './service.ts'

export const dataPullPreferenceOperations = (parts: ManagementParts) => [
  operation({
    id: 'get_team_data_pull_preferences',
    route: 'GET /v1/org/{org_id}/team_data_pull_preferences/{env}/{region}',
    summary: 'List how many days of history teams want of each provider',
    params: PlacePath,
    query: PreferencesQuery,
    returns: PreferencesPage,
    run: (_, { params, query }, context) => listPreferences(teamsIn(parts, context, params), query),
  }),
  operation({
    id: 'upsert_team_data_pull_preferences',
    route: 'POST /v1/org/{org_id}/team_data_pull_preferences/{env}/{region}',
    summary: 'Set how many days of history teams want of providers, and of single resources',
    params: PlacePath,
    body: PreferencesInput,
    returns: PreferencesPage,
    run: (_, { params, body }, context) => setPreferences(teamsIn(parts, context, params), body),
  }),
  operation({
    id: 'delete_team_data_pull_preferences',
    route: 'DELETE /v1/org/{org_id}/team_data_pull_preferences/{env}/{region}',
    summary: "Delete the teams' settings; the default number of days applies again",
    params: PlacePath,
    query: PreferencesFilter,
    returns: Nothing,
    run: (_, { params, query }, context) => clearPreferences(teamsIn(parts, context, params), query),
  }),
]
