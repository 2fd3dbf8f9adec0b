import type { Resource } from '../../api/resource.ts'
import { connectionEvents } from './events.ts'
import { connectionOperations } from './operations.ts'
import { demoJobs } from './service.ts'
import { connectionJobs } from './sync.ts'

export const connectingResource: Resource = {
  name: 'connecting',
  operations: connectionOperations,
  events: connectionEvents,
  jobs: { ...connectionJobs, ...demoJobs },
}
