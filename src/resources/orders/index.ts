import type { Resource } from '../../api/resource.ts'
import { orderEvents } from './events.ts'
import { orderOperations } from './operations.ts'
import { scheduleJobs } from './schedule.ts'
import { communications, orderMetadata, orders } from './table.ts'

export const orderResource: Resource = {
  name: 'orders',
  operations: orderOperations,
  tables: [orders, orderMetadata, communications],
  events: orderEvents,
  jobs: scheduleJobs,
}
