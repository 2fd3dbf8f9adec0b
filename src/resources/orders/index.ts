import type { Resource } from '../../api/resource.ts'
import { fillDirectory } from './directory.ts'
import { orderEvents } from './events.ts'
import { orderOperations } from './operations.ts'
import { scheduleJobs } from './schedule.ts'
import { simulateJobs } from './simulation.ts'

export const orderResource: Resource = {
  name: 'orders',
  operations: orderOperations,
  events: orderEvents,
  onOpen: fillDirectory,
  jobs: { ...scheduleJobs, ...simulateJobs },
}
