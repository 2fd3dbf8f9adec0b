import * as z from 'zod'
import { schema } from '../../api/schema.ts'

const LifecycleStatus = schema('PetriLifecycleStatus', () =>
  z.object({
    /** Low-level, such as `transit_customer`. */
    name: z.string(),
    /** Dotted, as orders show it. */
    status: z.string(),
    /** The first part of the dotted status. */
    phase: z.string(),
    /** The low-level statuses that may follow; the history of an order may rule some of them out. */
    leads_to: z.array(z.string()),
  }),
)

const Workflow = schema('PetriWorkflow', () =>
  z.object({
    name: z.string(),
    method: z.string(),
    /** The statuses of an order without problems. */
    happy_path: z.array(z.string()),
    statuses: z.array(LifecycleStatus()),
  }),
)

export const Lifecycle = schema('PetriLifecycle', () =>
  z.object({
    workflows: z.array(Workflow()),
    /** In the sequence an order passes them; the last two are final. */
    phases: z.array(z.string()),
    /** The possible details of a status. */
    status_details: z.record(z.string(), z.array(z.string())),
  }),
)
