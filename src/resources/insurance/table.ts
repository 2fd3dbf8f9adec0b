import * as z from 'zod'
import { ofUser, type RowOf, table } from '../../storage/table.ts'
import { Insurance } from './schema.ts'

/** An insurance record and its user. */
export const insurances = table(
  'insurances',
  () => Insurance().extend({ id: z.string(), user_id: z.string() }),
  ({ id }) => id,
  ofUser,
)
export type InsuranceRow = RowOf<typeof insurances>
