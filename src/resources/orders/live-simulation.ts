import { currentStatusOf, methodOf, statusHistoryOf } from './apply-step.ts'
import { type LowStatus, type Method, topStatusOf } from './lifecycle.ts'
import type { OrderRow } from './table.ts'

/** Where a simulation is asked to end. */
export interface Target {
  readonly low: LowStatus
  readonly method?: Method
}

/** Statuses that the live sandbox takes a walk-in order to by no call. */
const deaf: readonly LowStatus[] = [
  'appointment_pending',
  'appointment_scheduled',
  'appointment_cancelled',
  'requisition_created',
  'requisition_bypassed',
  'redraw_available',
]

/** The steps the live sandbox was seen to take; undefined where nothing narrower was seen than is documented. Source: contract/lab-testing.md §3. */
export function livePath(order: OrderRow, to: Target | undefined): LowStatus[] | undefined {
  const [low, method] = [currentStatusOf(order), methodOf(order)]
  if (low === 'ordered') return ['requisition_created']
  if (method === 'at_home_phlebotomy') return []
  if (method !== 'walk_in_test' || !statusHistoryOf(order).some((had) => had.startsWith('requisition_')))
    return undefined
  const end: LowStatus[] = low === 'partial_results' ? ['completed'] : ['partial_results', 'completed']
  if (!to || (to.method ?? method) !== method) return end
  if (deaf.includes(to.low)) return []
  if (to.low === 'partial_results') return ['partial_results']
  return topStatusOf(method, to.low) === 'failed' ? [to.low] : end
}

/** How the live sandbox tells results unless asked for others, in turn. Source: contract/lab-testing.md §11. */
export const liveTypes = ['numeric', 'comment', 'range'] as const
