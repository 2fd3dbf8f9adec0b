import type { Resource } from '../../api/resource.ts'
import { reviewEvents } from './events.ts'
import { unmatchedResultOperations } from './operations.ts'
import { runJobs } from './runs/service.ts'

export const unmatchedResultResource: Resource = {
  name: 'unmatched-results',
  operations: unmatchedResultOperations,
  events: reviewEvents,
  jobs: runJobs,
}
