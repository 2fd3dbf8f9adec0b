import * as z from 'zod'
import { schema } from '../../api/schema.ts'

export const Health = schema('PetriHealth', () =>
  z.object({ status: z.literal('ok'), version: z.string(), contract_version: z.string() }),
)
