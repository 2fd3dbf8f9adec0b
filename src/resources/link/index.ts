import type { Resource } from '../../api/resource.ts'
import { bulkJobs } from './bulk.ts'
import { bulkLinkOperations, linkOperations, linkPageOperations, olderLinkOperations } from './operations.ts'
import { bulkOps, linkTokens, providerCredentials, recipes, scopeRequirements } from './table.ts'

export const linkResource: Resource = {
  name: 'link',
  operations: [...linkOperations, ...linkPageOperations, ...bulkLinkOperations, ...olderLinkOperations],
  tables: [linkTokens, recipes, bulkOps, scopeRequirements, providerCredentials],
  jobs: bulkJobs,
}
