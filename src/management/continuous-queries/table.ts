import { table } from '../../storage/table.ts'

/** How often a continuous query may run, as set by the team. */
export interface QueryScheduling {
  readonly query_id: string
  readonly minimum_gap_duration_second: number | null
}

export const queryScheduling = table<QueryScheduling>(
  'continuous_query_scheduling',
  ({ query_id }) => query_id,
)
