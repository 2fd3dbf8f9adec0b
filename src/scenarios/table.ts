import * as z from 'zod'
import { texts } from '../api/schema.ts'
import { count, type RowOf, table } from '../storage/table.ts'

/** Magic ZIP codes: unassigned ones that select scenarios. */
export const MAGIC_ZIP = /^00[1-4]\d\d$/

/** The progress of an order in its scenario. */
export const orderScenarios = table(
  'order_scenarios',
  () =>
    z.object({
      order_id: z.string(),
      scenario: z.string(),
      /** Index of the next step. */
      next: count(),
      /** What the customer has to do before the next step. */
      waits: z.enum(['registration', 'appointment']).exactOptional(),
      /** Steps that could not be done, and why. */
      dropped: texts().exactOptional(),
      /** Set after the last step. */
      is_over: z.boolean().exactOptional(),
      /** Set when the order left its scenario: why, and the statuses that were dropped. */
      left: z.object({ because: z.string(), dropped: texts() }).exactOptional(),
    }),
  (row) => row.order_id,
  {
    owner: 'order',
    indexes: {
      follows: ({ scenario, is_over, left }) => (is_over || left ? null : scenario),
      waits: ({ waits, is_over, left }) => (is_over || left ? null : (waits ?? null)),
    },
  },
)
export type OrderScenarioRow = RowOf<typeof orderScenarios>

/** A scenario that was uploaded to this world. */
export const uploadedScenarios = table(
  'uploaded_scenarios',
  () =>
    z.object({
      name: z.string(),
      source: z.string(),
      /** The magic ZIP code that selects it. */
      zip: z.string().nullable(),
    }),
  ({ name }) => name,
)

/** The default scenario of a user's orders. */
export const userScenarios = table(
  'user_scenarios',
  () => z.object({ user_id: z.string(), scenario: z.string() }),
  (row) => row.user_id,
  { owner: 'user' },
)
