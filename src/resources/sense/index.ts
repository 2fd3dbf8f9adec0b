import type { Resource } from '../../api/resource.ts'
import { scheduleQueries, senseEvents, senseJobs } from './continuous-queries.ts'
import { senseOperations } from './operations.ts'
import { resultTables, tasks } from './table.ts'

export const senseResource: Resource = {
  name: 'sense',
  operations: senseOperations,
  events: senseEvents,
  jobs: senseJobs,
  onEvent: scheduleQueries,
  tables: [resultTables, tasks],
}
