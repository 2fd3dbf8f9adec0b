import type { Resource } from '../../api/resource.ts'
import { senseJobs } from './evaluate.ts'
import { scheduleQueries } from './event-listener.ts'
import { senseEvents } from './events.ts'
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
