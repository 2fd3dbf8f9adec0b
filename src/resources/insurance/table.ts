import * as z from 'zod'
import { type RowOf, table } from '../../storage/table.ts'
import { Insurance } from './schema.ts'

/** An insurance record and its user. */
export const insurances = table(
  'insurances',
  () => Insurance().extend({ id: z.string(), user_id: z.string() }),
  ({ id }) => id,
  { owner: 'user', indexes: { user: ({ user_id }) => user_id } },
)
export type InsuranceRow = RowOf<typeof insurances>
