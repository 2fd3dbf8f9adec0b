import { operation } from '../../api/operation.ts'
import type { Resource } from '../../api/resource.ts'
import { OrderTracking } from './schema.ts'
import { getTracking, trackingJobs } from './service.ts'
import { trackings } from './table.ts'

const trackingOperations = [
  operation({
    id: 'lab_tests_get_order_tracking',
    route: 'GET /v3/order/{order_id}/tracking',
    summary: 'Get when the results of an order are expected, and how that has changed',
    assumes: [
      'The first estimate is the usual turnaround after the collection, which is that of `expected_result_by_date`. It is not an update.',
      'A problem in transit, a stop at the laboratory, and the end of an order without results withdraw the estimate; the next arrival or draw sets another. After the usual turnaround the longest one is expected.',
      'Updates are listed oldest first. Each has a reason in words of Petri, and concerns all markers.',
    ],
    returns: OrderTracking,
    run: (world, { params }) => getTracking(world, params.order_id),
  }),
]

export const orderTrackingResource: Resource = {
  name: 'order-tracking',
  operations: trackingOperations,
  tables: [trackings],
  events: [{ name: 'labtest.order_tracking.updated', data: OrderTracking }],
  jobs: trackingJobs,
}
