import * as z from 'zod'
import { schema } from '../../api/schema.ts'
import { FaultFields, MOST_FAULTS } from '../../faults/schema.ts'

/** What goes wrong from now on, in place of what was said before. */
export const FaultsWish = schema('PetriFaultsWish', () =>
  z.strictObject({ faults: z.array(FaultFields()).max(MOST_FAULTS) }),
)

const Fault = schema('PetriFault', () =>
  z.object({
    id: z.string(),
    operation: z.string(),
    operation_id: z.string(),
    /** Set for a fault of an order's story, which strikes only calls about that order. */
    order_id: z.string().nullable(),
    times: z.int().nullable(),
    rate: z.number(),
    after: z.int(),
    respond: z
      .object({
        status: z.int(),
        detail: z.unknown().optional(),
        headers: z.record(z.string(), z.string()).optional(),
      })
      .nullable(),
    latency: z.object({ min: z.string(), max: z.string() }).nullable(),
    drop: z.enum(['reset', 'truncate']).nullable(),
    /** Calls it could have struck, and those it did. */
    seen: z.int(),
    hits: z.int(),
  }),
)

export const Faults = schema('PetriFaults', () => z.object({ faults: z.array(Fault()) }))
