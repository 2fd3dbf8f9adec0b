import type { EventType, Resource } from '../../api/resource.ts'
import { summaryTable } from './catalogue.ts'
import { summaryOperations } from './operations.ts'
import { storedSummaries } from './table.ts'

const summaryEvents: readonly EventType[] = summaryTable.flatMap(({ resource, schema }) =>
  ['created', 'updated'].map((what) => ({ name: `daily.data.${resource}.${what}`, data: schema })),
)

export const summaryResource: Resource = {
  name: 'summaries',
  operations: summaryOperations,
  tables: [storedSummaries],
  events: summaryEvents,
}
