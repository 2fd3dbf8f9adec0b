import type { Resource } from '../../api/resource.ts'
import { senseEvents, senseJobs } from './continuous-queries.ts'
import { senseOperations } from './operations.ts'
import { continuousQueries, resultTables, tasks } from './table.ts'

export const senseResource: Resource = {
  name: 'sense',
  operations: senseOperations,
  tables: [continuousQueries, resultTables, tasks],
  events: senseEvents,
  jobs: senseJobs,
}
