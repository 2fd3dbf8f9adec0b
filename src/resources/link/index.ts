import type { Resource } from '../../api/resource.ts'
import { bulkJobs } from './bulk.ts'
import { bulkLinkOperations } from './bulk-operations.ts'
import { olderLinkOperations } from './older-operations.ts'
import { linkOperations } from './operations.ts'
import { linkPageOperations } from './page-operations.ts'

export const linkResource: Resource = {
  name: 'link',
  operations: [...linkOperations, ...linkPageOperations, ...bulkLinkOperations, ...olderLinkOperations],
  jobs: bulkJobs,
}
