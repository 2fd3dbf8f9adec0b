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
    /** Null for a step that waits for the customer, and for all steps after it. */
    due: instant().nullable(),
    /** The action of the customer it waits for: `registration` or `appointment`. */
    waits_for: z.string().nullable(),
  }),
)

const OrderDocument = schema('PetriOrderDocument', () =>
  z.object({
    name: z.string(),
    path: z.string(),
    /** Whether the order has reached the status that makes it available. */
    available: z.boolean(),
  }),
)

export const OrderLife = schema('PetriOrderLife', () =>
  z.object({
    order: Order(),
    /** `registered_kit`, `registrable_kit`, or the method. */
    workflow: z.string(),
    /** The dotted statuses that a move without force can set. */
    legal: z.array(z.string()),
    /** The remaining statuses of its scenario. */
    planned: z.array(PlannedStatus()),
    scenario: OrderScenario(),
    agenda: z.array(AgendaItem()),
    messages: z.object({ total: z.int(), delivered: z.int(), pending: z.int(), failed: z.int() }),
    /** Recorded calls that mention the order, newest first. */
    request_ids: z.array(z.string()),
    documents: z.array(OrderDocument()),
  }),
)
