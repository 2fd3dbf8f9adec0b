import type { Parsed } from '../../api/schema.ts'
import { toWire } from '../../kernel/instant.ts'
import type { Person } from '../../kernel/people.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { getLabTest } from '../lab-tests/service.ts'
import { isOver } from '../orders/lifecycle.ts'
import { moveByHand, recreateOrder } from '../orders/service.ts'
import { currentStatusOf, methodOf, type OrderRow, orders } from '../orders/table.ts'
import { users } from '../users/table.ts'
import { keepResult } from './events.ts'
import { makePatient, placeForPatient } from './patients.ts'
import type { Acceptance } from './schema.ts'
import { getResult } from './service.ts'
import type { UnmatchedResultRow } from './table.ts'

/** Assigns a result to an order. Returns the order that has it: this one, its replacement or a new one. */
export function acceptResult(world: World, id: string, body: Parsed<typeof Acceptance>): OrderRow {
  const row = getResult(world, id)
  if (!row.allowed_actions.includes('accept')) {
    throw new Problem('not_found', 'Unmatched result is no longer reviewable')
  }
  const target = chooseTarget(world, row, body)
  const order = receive(world, row, orderFor(world, row, target))
  const now = toWire(world.clock.now())
  keepResult(world, {
    ...row,
    status: 'resolved',
    resolution_action: 'accept',
    resolved_user_id: order.user_id,
    resolved_order_id: order.id,
    note: body.note ?? row.note,
    allowed_actions: [],
    updated_at: now,
    reviewed_at: now,
  })
  return order
}

type AcceptTarget = { readonly order: OrderRow } | { readonly newFor: string }

function chooseTarget(
  world: World,
  row: UnmatchedResultRow,
  { order_id, user_id }: Parsed<typeof Acceptance>,
): AcceptTarget {
  if (user_id && !world.db.has(users, user_id)) throw inconsistent('user_id', 'User does not exist', user_id)
  if (order_id) {
    const order = world.db.find(orders, order_id)
    if (!order) throw inconsistent('order_id', 'Order does not exist', order_id)
    if (user_id && order.user_id !== user_id) {
      throw inconsistent('order_id', 'Order does not belong to the user', order_id)
    }
    return { order }
  }
  const candidates = row.candidate_groups
    .filter((group) => !user_id || group.user_id === user_id)
    .flatMap((group) => group.candidates.flatMap(({ order_id: id }) => id ?? []))
  const [only, another] = candidates
  const order = only ? world.db.find(orders, only) : undefined
  if (order && !another) return { order }
  if (user_id && !only) return { newFor: user_id }
  throw inconsistent('order_id', 'The target is ambiguous; order_id or user_id must be set', null)
}

const inconsistent = (field: string, text: string, input: unknown): Problem =>
  new Problem('invalid', [
    {
      type: 'value_error',
      loc: ['body', field],
      msg: `Value error, ${text}`,
      input,
      ctx: { error: {} },
    },
  ])

/** The order for the result; an order that cannot take it, or is at another laboratory, is recreated. */
function orderFor(world: World, row: UnmatchedResultRow, target: AcceptTarget): OrderRow {
  const labTest = getLabTest(world, row.lab_test_id)
  if ('newFor' in target) {
    return placeForPatient(world, target.newFor, row.lab_test_id, patientOf(world, row))
  }
  const { order } = target
  const isElsewhere = order.lab_test.lab?.slug !== row.lab.slug
  return isElsewhere || isOver(currentStatusOf(order)) ? recreateOrder(world, order, labTest) : order
}

/** The patient of a result; missing fields are made up. */
function patientOf(world: World, { id, patient }: UnmatchedResultRow): Person {
  const madeUp = makePatient(world, id)
  return {
    ...madeUp,
    first_name: patient?.first_name ?? madeUp.first_name,
    last_name: patient?.last_name ?? madeUp.last_name,
    dob: patient?.dob?.slice(0, 10) ?? madeUp.dob,
    gender: patient?.gender === 'male' ? 'male' : 'female',
  }
}

/** Completes the order with the results, from any status. */
function receive(world: World, row: UnmatchedResultRow, order: OrderRow): OrderRow {
  const method = methodOf(order)
  const results = row.interpretation ? { interpretation: row.interpretation } : {}
  const to = row.result_status === 'partial' && method !== 'testkit' ? 'partial_results' : 'completed'
  const isDrawn = method === 'at_home_phlebotomy' || method === 'on_site_collection'
  if (
    isDrawn &&
    currentStatusOf(order) !== 'draw_completed' &&
    currentStatusOf(order) !== 'partial_results'
  ) {
    moveByHand(world, order.id, { to: 'draw_completed' }, true)
  }
  return moveByHand(world, order.id, { to, results }, true)
}
