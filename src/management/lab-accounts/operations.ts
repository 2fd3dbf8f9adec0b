import { operation } from '../../api/operation.ts'
import { LabAccountList } from '../../resources/lab-accounts/schema.ts'
import { type ManagementParts, teamsIn } from '../parts.ts'
import { PlacePath } from '../place.ts'
import { AccountPath, AccountQuery, AccountTeams, ManagedLabAccount } from './schema.ts'
import { linkAccount, listAccounts } from './service.ts'

export const labAccountOperations = (parts: ManagementParts) => [
  operation({
    id: 'get_lab_accounts',
    route: 'GET /v1/org/{org_id}/lab_account/{env}/{region}',
    summary: 'List the lab accounts of the organisation with their teams',
    params: PlacePath,
    query: AccountQuery,
    returns: LabAccountList,
    run: async (_, { params, query }, context) => ({
      data: await listAccounts(teamsIn(parts, context, params), query),
    }),
  }),
  operation({
    id: 'update_lab_account_team_id_allowlist',
    route: 'PATCH /v1/org/{org_id}/lab_account/{env}/{region}/{account_id}',
    summary: 'Set the teams that may use a lab account',
    params: AccountPath,
    body: AccountTeams,
    returns: ManagedLabAccount,
    run: async (_, { params, body }, context) => ({
      lab_account: await linkAccount(teamsIn(parts, context, params), {
        id: params.account_id,
        teamIds: body.team_id_allowlist,
      }),
    }),
  }),
]
