import { currentStatusOf, methodOf, statusHistoryOf } from './apply-step.ts'
import { type LowStatus, type Method, topStatusOf } from './lifecycle.ts'
import type { OrderRow } from './table.ts'

/** The requested final status of a simulation. */
export interface TargetStatus {
  readonly low: LowStatus
  readonly method?: Method
}

/** Statuses of walk-in orders that the live sandbox never reaches by a simulation. */
const neverReached: readonly LowStatus[] = [
  'appointment_pending',
  'appointment_scheduled',
  'appointment_cancelled',
  'requisition_created',
  'requisition_bypassed',
  'redraw_available',
]

/** The observed steps of the live sandbox; undefined where it behaves as documented. Source: contract/lab-testing.md §3. */
export function livePath(order: OrderRow, to: TargetStatus | undefined): LowStatus[] | undefined {
  const [low, method] = [currentStatusOf(order), methodOf(order)]
  if (low === 'ordered') return ['requisition_created']
  if (method === 'at_home_phlebotomy') return []
  if (method !== 'walk_in_test' || !statusHistoryOf(order).some((had) => had.startsWith('requisition_')))
    return undefined
  const end: LowStatus[] = low === 'partial_results' ? ['completed'] : ['partial_results', 'completed']
  if (!to || (to.method ?? method) !== method) return end
  if (neverReached.includes(to.low)) return []
  if (to.low === 'partial_results') return ['partial_results']
  return topStatusOf(method, to.low) === 'failed' ? [to.low] : end
}

/** The types of results in the live sandbox by default, in turn. Source: contract/lab-testing.md §11. */
export const liveTypes = ['numeric', 'comment', 'range'] as const
