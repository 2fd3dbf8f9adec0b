import type { Parsed } from '../../contract/schema.ts'
import { table } from '../../world/table.ts'
import type { Insurance } from './schema.ts'

/** An insurance record, and whose it is. */
export interface InsuranceRow extends Parsed<typeof Insurance> {
  readonly id: string
  readonly user_id: string
}

export const insurances = table<InsuranceRow, 'userId'>('insurances', ({ id }) => id, {
  indexes: { userId: ({ user_id }) => user_id },
})
