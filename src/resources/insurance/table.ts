import * as z from 'zod'
import { type Parsed, unnamed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import { Insurance } from './schema.ts'

/** An insurance record and its user. */
export const InsuranceRow = unnamed(() => Insurance().extend({ id: z.string(), user_id: z.string() }))
export type InsuranceRow = Parsed<typeof InsuranceRow>

export const insurances = table<InsuranceRow, 'userId'>('insurances', ({ id }) => id, {
  indexes: { userId: ({ user_id }) => user_id },
})
