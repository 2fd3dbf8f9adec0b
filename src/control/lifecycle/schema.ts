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
    /** Low-level statuses it leads to; what an order was before may rule some of them out. */
    leads_to: z.array(z.string()),
  }),
)

const Workflow = schema('PetriWorkflow', () =>
  z.object({
    name: z.string(),
    method: z.string(),
    /** What happens when nothing goes wrong. */
    happy_path: z.array(z.string()),
    statuses: z.array(LifecycleStatus()),
  }),
)

export const Lifecycle = schema('PetriLifecycle', () =>
  z.object({
    workflows: z.array(Workflow()),
    /** In the order an order goes through them; the last two are ends. */
    phases: z.array(z.string()),
    /** The details that may explain a status. */
    status_details: z.record(z.string(), z.array(z.string())),
  }),
)
