import type { Resource } from '../../api/resource.ts'
import { bulkJobs } from './bulk.ts'
import { linkOperations } from './operations.ts'
import { bulkOps, linkCodes, linkTokens, providerCredentials, recipes, scopeRequirements } from './table.ts'

export const linkResource: Resource = {
  name: 'link',
  operations: linkOperations,
  tables: [linkTokens, linkCodes, recipes, bulkOps, scopeRequirements, providerCredentials],
  jobs: bulkJobs,
}
