import type { Resource } from '../../api/resource.ts'
import { etlJobs } from './service.ts'
import { ehrPipelines, etlOutbox, etlPipelines, etlTargets } from './table.ts'

/** The delivery of events to a data pipeline; the pipelines themselves are managed by the management API. */
export const etlResource: Resource = {
  name: 'etl',
  operations: [],
  tables: [etlPipelines, etlTargets, etlOutbox, ehrPipelines],
  jobs: etlJobs,
}
