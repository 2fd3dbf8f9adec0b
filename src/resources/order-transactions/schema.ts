import * as z from 'zod'
import { uuid } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { OrderInTransaction } from '../orders/schema.ts'

/** A transaction. Its orders have both spellings of their status. Source: contract/README.md #15. */
export const TeamOrderTransaction = schema('TeamOrderTransaction', () =>
  z.object({
    id: z.uuid(),
    team_id: z.uuid(),
    status: z.enum(['active', 'completed', 'cancelled']),
    orders: z.array(OrderInTransaction()),
  }),
)

export const TransactionPath = unnamed(() => z.object({ transaction_id: uuid() }))
