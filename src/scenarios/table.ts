import * as z from 'zod'
import { count, type Row, unnamed } from '../api/schema.ts'
import { table } from '../storage/table.ts'

/** The progress of an order in its scenario. */
export const OrderScenarioRow = unnamed(() =>
  z.object({
    order_id: z.string(),
    scenario: z.string(),
    /** Index of the next step. */
    next: count(),
    /** What the customer has to do before the next step. */
    waits: z.enum(['registration', 'appointment']).exactOptional(),
    /** Set when the order left its scenario: why, and the statuses that were dropped. */
    left: z.object({ because: z.string(), dropped: z.array(z.string()) }).exactOptional(),
  }),
)
export type OrderScenarioRow = Row<typeof OrderScenarioRow>

export const orderScenarios = table<OrderScenarioRow>('order_scenarios', (row) => row.order_id)

/** A scenario that was uploaded to this world. */
export const UploadedScenario = unnamed(() =>
  z.object({
    name: z.string(),
    source: z.string(),
    /** The magic ZIP code that selects it. */
    zip: z.string().nullable(),
  }),
)
export type UploadedScenario = Row<typeof UploadedScenario>

export const uploadedScenarios = table<UploadedScenario>('uploaded_scenarios', ({ name }) => name)

/** The default scenario of a user's orders. */
export const UserScenarioRow = unnamed(() => z.object({ user_id: z.string(), scenario: z.string() }))

export const userScenarios = table<Row<typeof UserScenarioRow>>('user_scenarios', (row) => row.user_id)
