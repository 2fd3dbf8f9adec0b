import type { Resource } from '../../api/resource.ts'
import { fillDirectory } from './directory.ts'
import { orderEvents } from './events.ts'
import { orderOperations } from './operations.ts'
import { scheduleJobs } from './schedule.ts'
import { simulateJobs } from './simulation.ts'
import { communications, orderMetadata, orders } from './table.ts'

export const orderResource: Resource = {
  name: 'orders',
  operations: orderOperations,
  tables: [orders, orderMetadata, communications],
  events: orderEvents,
  onOpen: fillDirectory,
  jobs: { ...scheduleJobs, ...simulateJobs },
}
