import type { Resource } from '../../api/resource.ts'
import { summaryEvents } from './events.ts'
import { summaryOperations } from './operations.ts'

export const summaryResource: Resource = {
  name: 'summaries',
  operations: summaryOperations,
  events: summaryEvents,
}
