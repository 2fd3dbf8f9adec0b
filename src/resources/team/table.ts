import { table } from '../../world/table.ts'
import type { dataTypes } from './schema.ts'

/** The rank a team has given a provider for a kind of data; the larger number wins. */
export interface PriorityRow {
  readonly data_type: (typeof dataTypes)[number]
  readonly slug: string
  readonly priority: number
}

export const priorityId = (dataType: string, slug: string): string => `${dataType}/${slug}`

export const priorities = table<PriorityRow>('source_priorities', ({ data_type, slug }) =>
  priorityId(data_type, slug),
)
