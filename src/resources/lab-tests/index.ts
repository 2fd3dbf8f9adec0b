import type { Resource } from '../../api/resource.ts'
import { labTestJobs } from './administration.ts'
import { labTestOperations } from './operations.ts'

export const labTestResource: Resource = {
  name: 'lab-tests',
  operations: labTestOperations,
  jobs: labTestJobs,
}
