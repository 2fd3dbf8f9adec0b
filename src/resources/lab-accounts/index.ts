import { operation } from '../../api/operation.ts'
import type { Resource } from '../../api/resource.ts'
import { LabAccountList, LabAccountQuery } from './schema.ts'
import { listLabAccounts } from './service.ts'
import { labAccounts } from './table.ts'

export const labAccountOperations = [
  operation({
    id: 'lab_account_get_team_lab_accounts',
    route: 'GET /v3/lab_test/lab_account',
    summary: 'List the lab accounts your team may order with',
    query: LabAccountQuery,
    returns: LabAccountList,
    run: (world, { query }) => ({ data: listLabAccounts(world, query) }),
  }),
]

export const labAccountResource: Resource = {
  name: 'lab-accounts',
  operations: labAccountOperations,
  tables: [labAccounts],
}
