import type { Parsed } from '../../api/schema.ts'
import { collectionMethods } from '../../resources/catalogue/schema.ts'
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
} from '../../resources/orders/lifecycle.ts'
import type { Lifecycle } from './schema.ts'

/** The lifecycle tables, as data. */
export const describeLifecycle = (): Parsed<typeof Lifecycle> => ({
  workflows: collectionMethods.flatMap((method) =>
    workflowsOf(method).map((workflow) => describeWorkflow(method, workflow)),
  ),
  phases: [...topStatuses],
  status_details: Object.fromEntries(
    Object.entries(detailsOf).map(([status, details]) => [status, [...details]]),
  ),
})

const describeWorkflow = (method: Method, workflow: Workflow) => ({
  name: workflow,
  method,
  happy_path: [...happyPaths[workflow]],
  statuses: reachable(workflow).map((name) => ({
    name,
    status: dotted(method, name),
    phase: topStatusOf(method, name) ?? '',
    leads_to: movesFrom(workflow, name),
  })),
})

/** Every status an order can reach, those of the happy path first. */
function reachable(workflow: Workflow): LowStatus[] {
  const found = new Set<LowStatus>(happyPaths[workflow])
  for (const status of found) for (const next of movesFrom(workflow, status)) found.add(next)
  return [...found]
}
