import { operation } from '../../api/operation.ts'
import { Nothing, OrganisationPath, Refusal } from '../organisation/schema.ts'
import { type ManagementParts, managerIn } from '../parts.ts'
import { createDashboardUrl, showDashboard } from './dashboard.ts'
import * as schemas from './schema.ts'
import * as service from './service.ts'

export const ehrIntegrationOperations = (parts: ManagementParts) => [
  operation({
    id: 'get_ehr_integration_configuration',
    route: 'GET /v1/org/{org_id}/ehr_integration/configuration',
    summary: 'Tell how the dashboard is shown in an application of your own',
    params: OrganisationPath,
    returns: schemas.IntegrationConfig,
    run: () => service.presentConfig(service.getConfig(parts)),
  }),
  operation({
    id: 'upsert_ehr_integration_configuration',
    route: 'PUT /v1/org/{org_id}/ehr_integration/configuration',
    summary: 'Say how the dashboard is shown in an application of your own',
    params: OrganisationPath,
    body: schemas.ConfigInput,
    returns: schemas.IntegrationConfig,
    alsoReturns: { 409: Refusal },
    run: (_, { body }) => service.setConfig(parts, body),
  }),
  operation({
    id: 'create_dashboard_url',
    route: 'POST /v1/org/{org_id}/ehr_integration/create_dashboard_url',
    summary: 'Make a URL that shows a member a dashboard of a team, for five minutes of its clock',
    params: OrganisationPath,
    body: schemas.DashboardInput,
    returns: schemas.DashboardUrl,
    run: (_, { body }, context) => createDashboardUrl(parts, managerIn(context), body),
  }),
  ...managedMemberOperations(parts),
  ...knownMemberOperations(parts),
]

const managedMemberOperations = (parts: ManagementParts) => [
  operation({
    id: 'list_integration_managed_members',
    route: 'GET /v1/org/{org_id}/ehr_integration/member',
    summary: 'List the members your application signs in',
    params: OrganisationPath,
    query: schemas.ManagedMemberQuery,
    returns: schemas.ManagedMemberPage,
    run: (_, { query }, context) => service.listManagedMembers(parts, managerIn(context), query.next_cursor),
  }),
  operation({
    id: 'create_integration_managed_member',
    route: 'POST /v1/org/{org_id}/ehr_integration/member',
    summary: 'Add a member by your own id, with the teams they manage',
    params: OrganisationPath,
    body: schemas.ManagedMemberInput,
    returns: schemas.ManagedMember,
    alsoReturns: { 409: schemas.MemberIdTaken },
    run: (_, { body }) => service.addManagedMember(parts, body),
  }),
  operation({
    id: 'resolve_integration_managed_member',
    route: 'POST /v1/org/{org_id}/ehr_integration/resolve_member',
    summary: 'Find a member by your own id',
    params: OrganisationPath,
    body: schemas.ResolveMember,
    returns: schemas.ManagedMember,
    run: (_, { body }, context) =>
      service.presentManagedMember(service.getManagedMember(parts, managerIn(context), body)),
  }),
]

const knownMemberOperations = (parts: ManagementParts) => [
  operation({
    id: 'get_integration_managed_member',
    route: 'GET /v1/org/{org_id}/ehr_integration/member/{member_id}',
    summary: 'Get a member your application signs in',
    params: schemas.ManagedMemberPath,
    returns: schemas.ManagedMember,
    run: (_, { params }, context) =>
      service.presentManagedMember(
        service.getManagedMember(parts, managerIn(context), { id: params.member_id }),
      ),
  }),
  operation({
    id: 'update_integration_managed_member',
    route: 'PATCH /v1/org/{org_id}/ehr_integration/member/{member_id}',
    summary: 'Change a member your application signs in',
    params: schemas.ManagedMemberPath,
    body: schemas.ManagedMemberPatch,
    returns: schemas.ManagedMember,
    alsoReturns: { 409: schemas.MemberIdTaken },
    run: (_, { params, body }, context) =>
      service.changeManagedMember(parts, managerIn(context), params.member_id, body),
  }),
  operation({
    id: 'delete_integration_managed_member',
    route: 'DELETE /v1/org/{org_id}/ehr_integration/member/{member_id}',
    summary: 'Remove a member your application signs in',
    params: schemas.ManagedMemberPath,
    returns: Nothing,
    run: (_, { params }, context) => service.removeManagedMember(parts, managerIn(context), params.member_id),
  }),
]

/** The pages behind dashboard URLs. */
export const dashboardOperations = (parts: ManagementParts) => [
  operation({
    id: 'petri_dashboard_page',
    route: 'GET /dashboard',
    access: 'open',
    produces: 'text/html',
    summary: 'The page behind a dashboard URL, which takes no key but the token in the URL',
    query: schemas.DashboardQuery,
    run: (_, { query }) => showDashboard(parts, query.token),
  }),
]
