import * as z from 'zod'
import { operation } from '../api/operation.ts'
import { schema, texts } from '../api/schema.ts'
import { collectionMethods } from '../resources/catalogue/schema.ts'
import {
  detailsOf,
  dotted,
  happyPaths,
  type LowStatus,
  type Method,
  movesFrom,
  topStatuses,
  topStatusOf,
  type Workflow,
  workflowsOf,
} from '../resources/orders/lifecycle.ts'

const LifecycleStatus = schema('PetriLifecycleStatus', () => ({
  /** Low-level, such as `transit_customer`. */
  name: z.string(),
  /** Dotted, as orders show it. */
  status: z.string(),
  /** The first part of the dotted status. */
  phase: z.string(),
  /** The low-level statuses that may follow; the history of an order may rule some of them out. */
  leads_to: texts(),
}))

const WorkflowView = schema('PetriWorkflow', () => ({
  name: z.string(),
  method: z.string(),
  /** The statuses of an order without problems. */
  happy_path: texts(),
  statuses: z.array(LifecycleStatus()),
}))

export const Lifecycle = schema('PetriLifecycle', () => ({
  workflows: z.array(WorkflowView()),
  /** In the sequence an order passes them; the last two are final. */
  phases: texts(),
  /** The possible details of a status. */
  status_details: z.record(z.string(), texts()),
}))

export const lifecycleOperation = operation({
  id: 'petri_lifecycle',
  route: 'GET /_petri/lifecycle',
  summary: 'List the statuses of an order by workflow, with the next statuses of each and the happy paths',
  returns: Lifecycle,
  run: describeLifecycle,
})

export function describeLifecycle() {
  return {
    workflows: collectionMethods.flatMap((method) =>
      workflowsOf(method).map((workflow) => describeWorkflow(method, workflow)),
    ),
    phases: [...topStatuses],
    status_details: Object.fromEntries([...detailsOf].map(([status, details]) => [status, [...details]])),
  }
}

const describeWorkflow = (method: Method, workflow: Workflow) => ({
  name: workflow,
  method,
  happy_path: [...happyPaths.get(workflow)],
  statuses: reachable(workflow).map((name) => ({
    name,
    status: dotted(method, name),
    phase: topStatusOf(method, name) ?? '',
    leads_to: movesFrom(workflow, name),
  })),
})

/** Every status an order can reach, those of the happy path first. */
function reachable(workflow: Workflow): LowStatus[] {
  const found = new Set<LowStatus>(happyPaths.get(workflow))
  for (const status of found) for (const next of movesFrom(workflow, status)) found.add(next)
  return [...found]
}
