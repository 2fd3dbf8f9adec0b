import * as z from 'zod'
import { type Parsed, unnamed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import { Payor } from './schema.ts'

/** A payor that the team has added, and what an external provider calls it. */
export const PayorRow = unnamed(() =>
  Payor().extend({ provider: z.string().nullable(), provider_payor_id: z.string().nullable() }),
)
export type PayorRow = Parsed<typeof PayorRow>

export const payors = table<PayorRow>('payors', ({ payor_code }) => payor_code)
