import type { World } from '../../world/world.ts'
import { currentStatusOf } from './apply-step.ts'
import type { Predecessor } from './draft.ts'
import { ordersBy } from './filled-directory.ts'
import type { LowStatus } from './lifecycle.ts'
import type { Selection } from './selection.ts'
import type { OrderRow } from './table.ts'

/** Statuses that end an order without a result. */
const ended: readonly LowStatus[] = [
  'cancelled',
  'do_not_process',
  'sample_error',
  'lost',
  'failure_to_deliver_to_customer',
  'failure_to_deliver_to_lab',
]

/**
 * The order that a recreated one takes the place of: of the user's orders with a test in common, the latest that ended
 * without a result, else the latest that still goes on. Markers are compared by slug, for the laboratory may be another.
 */
export function findRecreated(
  world: World,
  userId: string,
  { markers, labTest }: Selection,
): Predecessor | undefined {
  const wanted = new Set(markers.map(({ slug }) => slug))
  const candidates = ordersBy(world, 'userId', userId)
    .filter((order) => order.lab_test.id === labTest?.id || hasAny(order, wanted))
    .filter((order) => !isReplaced(order))
  const order =
    candidates.findLast((candidate) => ended.includes(currentStatusOf(candidate))) ??
    candidates.findLast(
      (candidate) => !['completed', 'corrected', 'redraw_available'].includes(currentStatusOf(candidate)),
    )
  return order && { order, origin: 'recreation' }
}

const hasAny = ({ lab_test }: OrderRow, slugs: ReadonlySet<string>) =>
  lab_test.markers?.some(({ slug }) => slugs.has(slug)) === true

const isReplaced = ({ id, order_transaction }: OrderRow) =>
  order_transaction?.orders.some(({ parent_id }) => parent_id === id) === true
