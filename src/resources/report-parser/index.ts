import type { Resource } from '../../api/resource.ts'
import { parserEvents } from './events.ts'
import { parserOperations } from './operations.ts'
import { parserJobs } from './service.ts'

export const reportParserResource: Resource = {
  name: 'report-parser',
  operations: parserOperations,
  events: parserEvents,
  jobs: parserJobs,
}
