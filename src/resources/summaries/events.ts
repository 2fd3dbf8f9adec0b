import type { EventType } from '../../api/resource.ts'
import { summaryTable } from './catalogue.ts'

export const summaryEvents: readonly EventType[] = summaryTable.flatMap(({ resource, schema }) =>
  ['created', 'updated'].map((what) => ({ name: `daily.data.${resource}.${what}`, data: schema })),
)
