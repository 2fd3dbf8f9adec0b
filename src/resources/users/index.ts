import type { Resource } from '../../api/resource.ts'
import { deviceOperations, userOperations } from './operations.ts'
import { userJobs } from './service.ts'
import { deletedUsers, portalPasses, refreshes, users } from './table.ts'

export const userResource: Resource = {
  name: 'users',
  operations: [...userOperations, ...deviceOperations],
  tables: [users, deletedUsers, refreshes, portalPasses],
  jobs: userJobs,
}
