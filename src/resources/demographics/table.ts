import * as z from 'zod'
import { type Parsed, unnamed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import { Demographics } from './schema.ts'

/** The demographics of a user. */
export const DemographicsRow = unnamed(() => Demographics().extend({ user_id: z.string() }))
export type DemographicsRow = Parsed<typeof DemographicsRow>

export const demographics = table<DemographicsRow>('demographics', ({ user_id }) => user_id)
