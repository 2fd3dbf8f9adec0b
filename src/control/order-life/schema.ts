import * as z from 'zod'
import { schema } from '../../api/schema.ts'
import { Order } from '../../resources/orders/schema.ts'
import { AgendaItem } from '../agenda/schema.ts'
import { OrderScenario } from '../scenarios/schema.ts'

const instant = () => z.iso.datetime({ offset: true })

const PlannedStatus = schema('PetriPlannedStatus', () =>
  z.object({
    /** Dotted. */
    status: z.string(),
    status_detail: z.string().nullable(),
    /** Null for what waits for the customer, and for all that follows. */
    due: instant().nullable(),
    /** What the customer has to do for it: `registration` or `appointment`. */
    waits_for: z.string().nullable(),
  }),
)

const OrderDocument = schema('PetriOrderDocument', () =>
  z.object({
    name: z.string(),
    path: z.string(),
    /** Whether the order has come far enough for it. */
    available: z.boolean(),
  }),
)

export const OrderLife = schema('PetriOrderLife', () =>
  z.object({
    order: Order(),
    /** `registered_kit`, `registrable_kit`, or the method. */
    workflow: z.string(),
    /** Dotted statuses it could become by a move without force. */
    legal: z.array(z.string()),
    /** What its scenario brings yet. */
    planned: z.array(PlannedStatus()),
    scenario: OrderScenario(),
    agenda: z.array(AgendaItem()),
    messages: z.object({ total: z.int(), delivered: z.int(), pending: z.int(), failed: z.int() }),
    /** Calls of the journal that mention it, the newest first. */
    request_ids: z.array(z.string()),
    documents: z.array(OrderDocument()),
  }),
)
