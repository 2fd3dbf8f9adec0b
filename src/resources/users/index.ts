import type { Resource } from '../../api/resource.ts'
import { userOperations } from './operations.ts'
import { userJobs } from './service.ts'
import { deletedUsers, ingestionBounds, users } from './table.ts'

export const userResource: Resource = {
  name: 'users',
  operations: userOperations,
  tables: [users, deletedUsers, ingestionBounds],
  jobs: userJobs,
}
