import type { Resource } from '../../api/resource.ts'
import { summaryEvents } from './events.ts'
import { summaryOperations } from './operations.ts'
import { storedSummaries } from './stored.ts'

export const summaryResource: Resource = {
  name: 'summaries',
  operations: summaryOperations,
  events: summaryEvents,
  tables: [storedSummaries],
}
