import type { Resource } from '../../api/resource.ts'
import { etlJobs, queueEvent } from './service.ts'

/** The delivery of events to a data pipeline; the pipelines themselves are managed by the management API. */
export const etlResource: Resource = { name: 'etl', operations: [], jobs: etlJobs, onEvent: queueEvent }
