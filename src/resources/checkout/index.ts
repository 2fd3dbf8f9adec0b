import type { Resource } from '../../api/resource.ts'
import { checkoutEvents } from './events.ts'
import { checkoutOperations } from './operations.ts'
import { sessionJobs } from './sessions.ts'
import { quotes, sessions } from './table.ts'

export const checkoutResource: Resource = {
  name: 'checkout',
  operations: checkoutOperations,
  tables: [quotes, sessions],
  events: checkoutEvents,
  jobs: sessionJobs,
}
