import * as z from 'zod'
import { type RowOf, table } from '../../storage/table.ts'
import { Payor } from './schema.ts'

/** A payor that the team has added, and what an external provider calls it. */
export const payors = table(
  'payors',
  () => Payor().extend({ provider: z.string().nullable(), provider_payor_id: z.string().nullable() }),
  ({ payor_code }) => payor_code,
)
export type PayorRow = RowOf<typeof payors>
