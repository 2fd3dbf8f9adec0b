import type { Parsed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import type { Insurance } from './schema.ts'

/** An insurance record and its user. */
export interface InsuranceRow extends Parsed<typeof Insurance> {
  readonly id: string
  readonly user_id: string
}

export const insurances = table<InsuranceRow, 'userId'>('insurances', ({ id }) => id, {
  indexes: { userId: ({ user_id }) => user_id },
})
