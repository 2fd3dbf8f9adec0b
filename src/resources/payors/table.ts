import { nullableText } from '../../api/schema.ts'
import { type RowOf, table } from '../../storage/table.ts'
import { Payor } from './schema.ts'

/** A payor that the team has added, and its name at an external provider. */
export const payors = table(
  'payors',
  () => Payor().extend({ provider: nullableText(), provider_payor_id: nullableText() }),
  ({ payor_code }) => payor_code,
)
export type PayorRow = RowOf<typeof payors>
