import type { Parsed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import type { Demographics } from './schema.ts'

/** The demographics of a user. */
export interface DemographicsRow extends Parsed<typeof Demographics> {
  readonly user_id: string
}

export const demographics = table<DemographicsRow>('demographics', ({ user_id }) => user_id)
