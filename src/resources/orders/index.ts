import type { Resource } from '../../api/resource.ts'
import { orderEvents } from './events.ts'
import { fillDirectory } from './filled-directory.ts'
import { orderOperations } from './operations.ts'
import { scheduleJobs } from './schedule.ts'
import { simulateJobs } from './simulate.ts'

export const orderResource: Resource = {
  name: 'orders',
  operations: orderOperations,
  events: orderEvents,
  onOpen: fillDirectory,
  jobs: { ...scheduleJobs, ...simulateJobs },
}
