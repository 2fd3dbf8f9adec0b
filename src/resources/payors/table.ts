import type { Parsed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import type { Payor } from './schema.ts'

/** A payor that the team has added, and what an external provider calls it. */
export interface PayorRow extends Parsed<typeof Payor> {
  readonly provider: string | null
  readonly provider_payor_id: string | null
}

export const payors = table<PayorRow>('payors', ({ payor_code }) => payor_code)
