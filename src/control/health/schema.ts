import * as z from 'zod'
import { schema } from '../../api/schema.ts'

export const Health = schema('PetriHealth', () =>
  z.object({
    status: z.enum(['ok', 'degraded']),
    /** What is wrong. */
    detail: z.string().optional(),
    version: z.string(),
    contract_version: z.string(),
  }),
)
