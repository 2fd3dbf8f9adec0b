import type { Resource } from '../../api/resource.ts'
import { connectionEvents } from './events.ts'
import { connectionOperations } from './operations.ts'
import { demoJobs } from './service.ts'
import { connectionJobs } from './sync.ts'
import { connections, devices, pullPreferences, refreshes } from './table.ts'

export const connectionResource: Resource = {
  name: 'connections',
  operations: connectionOperations,
  tables: [connections, pullPreferences, devices, refreshes],
  events: connectionEvents,
  jobs: { ...connectionJobs, ...demoJobs },
}
