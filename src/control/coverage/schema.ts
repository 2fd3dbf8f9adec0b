import * as z from 'zod'
import { schema } from '../../api/schema.ts'

const tally = () => z.record(z.string(), z.int())

/** What this world's clients have used since Petri started, and what not. */
export const Coverage = schema('PetriCoverage', () =>
  z.object({
    operations: z.object({
      met: z.array(z.object({ id: z.string(), route: z.string(), statuses: tally() })),
      never: z.array(z.object({ id: z.string(), route: z.string() })),
    }),
    order_statuses: z.object({ met: tally(), never: z.array(z.string()) }),
    /** The events of each type, and their deliveries. */
    event_types: z.object({ met: tally(), delivered: tally(), never: z.array(z.string()) }),
    /** HTTP statuses of error responses, and the error types in their bodies. */
    errors: z.object({ met: tally(), never: z.array(z.string()) }),
    /** Calls of unknown paths, by status. */
    unknown_paths: tally(),
  }),
)
