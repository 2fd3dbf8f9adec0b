import type { AnyOperation } from '../api/operation.ts'
import type { AnyTable } from '../storage/table.ts'
import { lastCalls } from '../world/open-worlds.ts'
import { continuousQueryOperations } from './continuous-queries.ts'
import { customCredentialOperations } from './custom-credentials.ts'
import { createDashboardUrl, dashboardOperation } from './dashboard.ts'
import { dataPullPreferenceOperations } from './data-pull-preferences.ts'
import { domainOperations, publishDomain } from './domains.ts'
import { ehrIntegrationOperations, managedMembers } from './ehr-integration.ts'
import { ehrPipelineOperations } from './ehr-pipelines.ts'
import { etlPipelineOperations } from './etl-pipelines.ts'
import { keyOperations, keyRows } from './keys.ts'
import { labAccountOperations } from './lab-accounts.ts'
import { acceptInvite, inviteOperations, invites, memberOperations, memberRows } from './members.ts'
import { type Management, routed } from './operation.ts'
import { organisationOperations } from './organisation.ts'
import { scopeRequirementOperations } from './scope-requirements.ts'
import { teamApiKeyOperations } from './team-api-keys.ts'
import { teamOperations } from './teams.ts'
import { webhookOperations } from './webhooks.ts'

/** The tables of the organisation whose rows belong to teams. */
export const teamTables: readonly AnyTable[] = [keyRows, memberRows, invites, managedMembers, lastCalls]

/** All operations of the management API. Adding a resource is one line here. */
export const managementOperations = (management: Management): readonly AnyOperation[] =>
  [
    ...organisationOperations,
    ...keyOperations,
    ...teamOperations,
    ...teamApiKeyOperations,
    ...webhookOperations,
    ...labAccountOperations,
    ...continuousQueryOperations,
    ...dataPullPreferenceOperations,
    ...scopeRequirementOperations,
    ...customCredentialOperations,
    ...etlPipelineOperations,
    ...ehrPipelineOperations,
    ...ehrIntegrationOperations,
    createDashboardUrl,
    ...memberOperations,
    ...inviteOperations,
    ...domainOperations,
  ].map(routed(management))

/** Operations in addition to the management API: the dashboard, and control calls that stand for actions outside Petri. */
export const managementCompanions = (management: Management): readonly AnyOperation[] => [
  dashboardOperation(management),
  acceptInvite(management),
  publishDomain(management),
]
