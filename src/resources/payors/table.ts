import * as z from 'zod'
import { type RowOf, table } from '../../storage/table.ts'
import { Payor } from './schema.ts'

/** A payor that the team has added, and its name at an external provider. */
export const payors = table(
  'payors',
  () => Payor().extend({ provider: z.string().nullable(), provider_payor_id: z.string().nullable() }),
  ({ payor_code }) => payor_code,
)
export type PayorRow = RowOf<typeof payors>
