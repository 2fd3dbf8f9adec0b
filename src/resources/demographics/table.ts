import * as z from 'zod'
import { table } from '../../storage/table.ts'
import { Demographics } from './schema.ts'

/** The demographics of a user. */
export const demographics = table(
  'demographics',
  () => Demographics().extend({ user_id: z.string() }),
  ({ user_id }) => user_id,
  { owner: 'user' },
)
