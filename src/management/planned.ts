import type { AnyOperation, Route } from '../api/operation.ts'
import { Problem } from '../kernel/problem.ts'
import { tag } from './parts.ts'

/** Every operation of the management API: its id and its route. Source: contract/management.json. */
export const managementContract: readonly (readonly [id: string, route: Route])[] = [
  [
    'archive_continuous_query',
    'DELETE /v1/org/{org_id}/team/{team_id}/{environment}/continuous_query/{query_id}',
  ],
  ['create_continuous_query', 'POST /v1/org/{org_id}/team/{team_id}/{environment}/continuous_query'],
  ['create_dashboard_url', 'POST /v1/org/{org_id}/ehr_integration/create_dashboard_url'],
  ['create_integration_managed_member', 'POST /v1/org/{org_id}/ehr_integration/member'],
  ['create_management_key', 'POST /v1/org/{org_id}/management_key'],
  ['create_or_resend_invite_in_org', 'POST /v1/org/{org_id}/invite'],
  ['create_org_domain', 'POST /v1/org/{org_id}/domain'],
  ['create_team_api_access_token', 'POST /v1/org/{org_id}/team/{team_id}/create_api_access_token'],
  ['create_team_api_key', 'POST /v1/org/{org_id}/team_api_keys/{env}/{region}'],
  ['create_team_in_org', 'POST /v1/org/{org_id}/team'],
  ['create_webhook', 'POST /v1/org/{org_id}/team/{team_id}/{environment}/webhook'],
  ['delete_integration_managed_member', 'DELETE /v1/org/{org_id}/ehr_integration/member/{member_id}'],
  ['delete_org_domain', 'DELETE /v1/org/{org_id}/domain/{domain_id}'],
  ['delete_team_api_keys', 'DELETE /v1/org/{org_id}/team_api_keys/{env}/{region}'],
  ['delete_team_custom_credentials', 'DELETE /v1/org/{org_id}/team_custom_credentials/{env}/{region}'],
  ['delete_team_data_pull_preferences', 'DELETE /v1/org/{org_id}/team_data_pull_preferences/{env}/{region}'],
  ['delete_team_ehr_pipelines', 'DELETE /v1/org/{org_id}/team_ehr_pipelines/{environment}/{region}'],
  ['delete_team_etl_pipelines', 'DELETE /v1/org/{org_id}/team_etl_pipelines/{env}/{region}'],
  ['delete_team_in_org', 'DELETE /v1/org/{org_id}/team/{team_id}'],
  ['delete_webhook', 'DELETE /v1/org/{org_id}/team/{team_id}/{environment}/webhook/{webhook_id}'],
  ['get_continuous_queries', 'GET /v1/org/{org_id}/team/{team_id}/{environment}/continuous_query'],
  ['get_ehr_integration_configuration', 'GET /v1/org/{org_id}/ehr_integration/configuration'],
  ['get_integration_managed_member', 'GET /v1/org/{org_id}/ehr_integration/member/{member_id}'],
  ['get_lab_accounts', 'GET /v1/org/{org_id}/lab_account/{env}/{region}'],
  ['get_org', 'GET /v1/org/{org_id}'],
  ['get_org_domain', 'GET /v1/org/{org_id}/domain/{domain_id}'],
  ['get_team_custom_credentials', 'GET /v1/org/{org_id}/team_custom_credentials/{env}/{region}'],
  ['get_team_data_pull_preferences', 'GET /v1/org/{org_id}/team_data_pull_preferences/{env}/{region}'],
  ['get_team_ehr_pipelines', 'GET /v1/org/{org_id}/team_ehr_pipelines/{environment}/{region}'],
  ['get_team_etl_pipelines', 'GET /v1/org/{org_id}/team_etl_pipelines/{env}/{region}'],
  [
    'get_team_event_delivery_metric',
    'GET /v1/org/{org_id}/team/{team_id}/{environment}/event_delivery_metric',
  ],
  ['get_team_in_org', 'GET /v1/org/{org_id}/team/{team_id}'],
  ['get_team_scope_requirements', 'GET /v1/org/{org_id}/team/{team_id}/scope_requirements'],
  ['get_webhook', 'GET /v1/org/{org_id}/team/{team_id}/{environment}/webhook/{webhook_id}'],
  ['get_webhook_headers', 'GET /v1/org/{org_id}/team/{team_id}/{environment}/webhook/{webhook_id}/headers'],
  ['get_webhook_secret', 'GET /v1/org/{org_id}/team/{team_id}/{environment}/webhook/{webhook_id}/secret'],
  ['list_integration_managed_members', 'GET /v1/org/{org_id}/ehr_integration/member'],
  ['list_invites_in_org', 'GET /v1/org/{org_id}/invite'],
  ['list_management_key', 'GET /v1/org/{org_id}/management_key'],
  ['list_members_in_org', 'GET /v1/org/{org_id}/member'],
  ['list_org_domains', 'GET /v1/org/{org_id}/domain'],
  ['list_team_api_keys', 'GET /v1/org/{org_id}/team_api_keys/{env}/{region}'],
  ['list_teams_in_org', 'GET /v1/org/{org_id}/team'],
  ['list_webhooks', 'GET /v1/org/{org_id}/team/{team_id}/{environment}/webhook'],
  ['patch_management_key', 'PATCH /v1/org/{org_id}/management_key/{key_id}'],
  ['patch_webhook', 'PATCH /v1/org/{org_id}/team/{team_id}/{environment}/webhook/{webhook_id}'],
  ['prepare_team_custom_credentials', 'POST /v1/org/{org_id}/prepare_team_custom_credentials/{env}/{region}'],
  ['remove_management_key', 'DELETE /v1/org/{org_id}/management_key/{key_id}'],
  ['remove_member_from_org', 'DELETE /v1/org/{org_id}/member/{member_id}'],
  ['resolve_integration_managed_member', 'POST /v1/org/{org_id}/ehr_integration/resolve_member'],
  ['resolve_team', 'POST /v1/org/{org_id}/resolve_team'],
  ['revoke_invite_in_org', 'DELETE /v1/org/{org_id}/invite/{invite_id}'],
  [
    'rotate_webhook_secret',
    'POST /v1/org/{org_id}/team/{team_id}/{environment}/webhook/{webhook_id}/secret/rotate',
  ],
  ['send_org_domain_instructions', 'POST /v1/org/{org_id}/domain/{domain_id}/send_domain_instructions'],
  [
    'update_continuous_query',
    'PATCH /v1/org/{org_id}/team/{team_id}/{environment}/continuous_query/{query_id}',
  ],
  ['update_integration_managed_member', 'PATCH /v1/org/{org_id}/ehr_integration/member/{member_id}'],
  ['update_lab_account_team_id_allowlist', 'PATCH /v1/org/{org_id}/lab_account/{env}/{region}/{account_id}'],
  ['update_member', 'PATCH /v1/org/{org_id}/member/{member_id}'],
  ['update_org', 'PATCH /v1/org/{org_id}'],
  ['update_team_in_org', 'PATCH /v1/org/{org_id}/team/{team_id}'],
  [
    'update_webhook_headers',
    'PUT /v1/org/{org_id}/team/{team_id}/{environment}/webhook/{webhook_id}/headers',
  ],
  ['upsert_ehr_integration_configuration', 'PUT /v1/org/{org_id}/ehr_integration/configuration'],
  ['upsert_team_custom_credentials', 'POST /v1/org/{org_id}/team_custom_credentials/{env}/{region}'],
  ['upsert_team_data_pull_preferences', 'POST /v1/org/{org_id}/team_data_pull_preferences/{env}/{region}'],
  ['upsert_team_ehr_pipelines', 'POST /v1/org/{org_id}/team_ehr_pipelines/{environment}/{region}'],
  ['upsert_team_etl_pipelines', 'POST /v1/org/{org_id}/team_etl_pipelines/{env}/{region}'],
  ['upsert_team_scope_requirements', 'POST /v1/org/{org_id}/team/{team_id}/scope_requirements'],
  [
    'validate_continuous_query',
    'POST /v1/org/{org_id}/team/{team_id}/{environment}/validate_continuous_query',
  ],
  ['verify_org_domain', 'POST /v1/org/{org_id}/domain/{domain_id}/verify'],
]

/** Operations of the contract that Petri does not support: each needs its key and answers 501. */
export function plannedManagement(implemented: readonly AnyOperation[]): AnyOperation[] {
  const there = new Set(implemented.map(({ id }) => id))
  return managementContract
    .filter(([id]) => !there.has(id))
    .map(([id, route]) => ({
      id,
      route,
      tag,
      summary: 'Not there',
      access: 'management',
      run() {
        throw new Problem('not_implemented', `Petri does not implement ${route} (${id}).`)
      },
    }))
}
