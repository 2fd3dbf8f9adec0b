import type { ExploreCoverage } from '../../client/explore.ts'
import { sortedFields } from '../../kernel/fields.ts'
import {
  type LowStatus,
  lowStatuses,
  movesFrom,
  type Workflow,
  workflows,
} from '../../resources/orders/lifecycle.ts'
import { initialStatuses } from '../../scenarios/planned-steps.ts'

/** The edges, events and pairs that an exploration has covered so far. They guide the generation of the next histories. */
export interface Coverage {
  readonly edges: Map<string, number>
  readonly events: Map<string, number>
  readonly pairs: Map<string, number>
  /** Operations that the program under test has called, by route. */
  readonly operations: Map<string, number>
}

export const newCoverage = (): Coverage => ({
  edges: new Map(),
  events: new Map(),
  pairs: new Map(),
  operations: new Map(),
})

export const edgeOf = (workflow: Workflow, from: LowStatus, to: LowStatus): string =>
  `${workflow}: ${from} > ${to}`

export function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** All edges of all lifecycles that an order can come along. */
export const allEdges = (): string[] =>
  workflows.flatMap((workflow) =>
    lowStatuses.flatMap((from) =>
      movesFrom(workflow, from)
        .filter((to) => isPossible(workflow, from, to))
        .map((to) => edgeOf(workflow, from, to)),
    ),
  )

/** A kit without a patient awaits its registration at once, so nothing else can follow its first status. */
function isPossible(workflow: Workflow, from: LowStatus, to: LowStatus): boolean {
  const initial = initialStatuses(workflow)
  const at = initial.indexOf(from)
  return at === -1 || at === initial.length - 1 || initial[at + 1] === to
}

export function describeCoverage({ edges, events, pairs }: Coverage): ExploreCoverage {
  const all = allEdges()
  const never = all.filter((edge) => !edges.has(edge))
  return {
    edges: { covered: all.length - never.length, of: all.length, never, met: sortedFields(edges) },
    events: sortedFields(events),
    pairs: sortedFields(pairs),
  }
}
