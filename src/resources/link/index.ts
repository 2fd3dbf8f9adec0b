import type { Resource } from '../../api/resource.ts'
import { bulkJobs } from './bulk.ts'
import { bulkLinkOperations, linkOperations, linkPageOperations, olderLinkOperations } from './operations.ts'

export const linkResource: Resource = {
  name: 'link',
  operations: [...linkOperations, ...linkPageOperations, ...bulkLinkOperations, ...olderLinkOperations],
  jobs: bulkJobs,
}
