import * as z from 'zod'
import { text } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { FaultFields, MAX_FAULTS } from '../../faults/schema.ts'

/** Replaces all faults. */
export const FaultsInput = schema('PetriFaultsInput', () =>
  z.strictObject({ faults: z.array(FaultFields()).max(MAX_FAULTS) }),
)

const Fault = schema('PetriFault', () =>
  z.object({
    id: z.string(),
    operation: z.string(),
    operation_id: z.string(),
    /** The order, if the fault belongs to its scenario; it then applies only to calls about this order. */
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
    /** Calls of the operation counted so far, and those the fault was applied to. */
    seen: z.int(),
    hits: z.int(),
  }),
)

export const FaultPath = unnamed(() => z.object({ fault_id: text() }))

export const Faults = schema('PetriFaults', () => z.object({ faults: z.array(Fault()) }))
