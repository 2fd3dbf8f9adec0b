import type { AnyOperation } from '../api/operation.ts'
import { continuousQueryOperations } from './continuous-queries/operations.ts'
import { customCredentialOperations } from './custom-credentials/operations.ts'
import { dataPullPreferenceOperations } from './data-pull-preferences/operations.ts'
import { domainControlOperations, domainOperations } from './domains/operations.ts'
import { dashboardOperations, ehrIntegrationOperations } from './ehr-integration/operations.ts'
import { guarded } from './guard.ts'
import { keyOperations } from './keys/operations.ts'
import { labAccountOperations } from './lab-accounts/operations.ts'
import { inviteControlOperations, inviteOperations, memberOperations } from './members/operations.ts'
import { organisationOperations } from './organisation/operations.ts'
import type { ManagementParts } from './parts.ts'
import { ehrPipelineOperations, etlPipelineOperations } from './pipelines/operations.ts'
import { scopeRequirementOperations } from './scope-requirements/operations.ts'
import { teamApiKeyOperations } from './team-api-keys/operations.ts'
import { teamOperations } from './teams/operations.ts'
import { webhookOperations } from './webhooks/operations.ts'

/** All operations of the management API. Adding a resource is one line here. */
export const managementOperations = (parts: ManagementParts): readonly AnyOperation[] =>
  [
    ...organisationOperations(parts),
    ...keyOperations(parts),
    ...teamOperations(parts),
    ...teamApiKeyOperations(parts),
    ...webhookOperations,
    ...labAccountOperations(parts),
    ...continuousQueryOperations,
    ...dataPullPreferenceOperations(parts),
    ...scopeRequirementOperations,
    ...customCredentialOperations(parts),
    ...etlPipelineOperations(parts),
    ...ehrPipelineOperations(parts),
    ...ehrIntegrationOperations(parts),
    ...memberOperations(parts),
    ...inviteOperations(parts),
    ...domainOperations(parts),
  ].map(guarded(parts))

/** Operations beside the management API: dashboard pages, and control calls that stand for actions outside Petri. */
export const managementCompanions = (parts: ManagementParts): readonly AnyOperation[] => [
  ...dashboardOperations(parts),
  ...inviteControlOperations(parts),
  ...domainControlOperations(parts),
]
