import * as z from 'zod'
import { feature } from '../../api/features.ts'
import { type Parsed, schema } from '../../api/schema.ts'
import { orNotFound, Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { orderEntries } from '../orders/directory.ts'
import { OrderInTransaction } from '../orders/schema.ts'
import { type OrderRow, orders } from '../orders/table.ts'

/** An order of a transaction, with both spellings of its status. Source: docs/contract/order-transactions.md. */
const OrderSummary = schema('OrderSummary', () => {
  const { id, low_level_status, low_level_status_created_at, origin, parent_id, created_at, updated_at } =
    OrderInTransaction().shape
  return z.object({
    id,
    origin,
    parent_id,
    last_status: low_level_status,
    last_status_created_at: low_level_status_created_at,
    low_level_status,
    low_level_status_created_at,
    updated_at,
    created_at,
  })
})

export const TeamOrderTransaction = schema('TeamOrderTransaction', () => ({
  id: z.uuid(),
  team_id: z.uuid(),
  status: z.enum(['active', 'completed', 'cancelled']),
  orders: z.array(OrderSummary()),
}))

/** The orders of a transaction in the order they were placed, or the 404. */
export function ordersOfTransaction(world: World, transactionId: string): [OrderRow, ...OrderRow[]] {
  const first = firstOrder(world, transactionId)
  const lines = first.order_transaction?.orders ?? []
  const others = lines.filter(({ id }) => id !== first.id && world.db.has(orders, id))
  return [first, ...others.map(({ id }) => world.db.get(orders, id))]
}

function firstOrder(world: World, id: string): OrderRow {
  if (!feature(world, 'order_transactions'))
    throw new Problem('forbidden', 'This feature is not available to your team')
  const first = orNotFound(
    orderEntries(world).find(({ transactionId }) => transactionId === id),
    "This order transaction doesn't exist",
  )
  return world.db.get(orders, first.id)
}

/** The transaction of an order, as each of its orders shows it. Source: docs/contract/order-transactions.md. */
export function getTransaction(world: World, transactionId: string): Parsed<typeof TeamOrderTransaction> {
  const first = firstOrder(world, transactionId)
  const { status = 'active', orders: lines = [] } = first.order_transaction ?? {}
  return { id: transactionId, team_id: first.team_id, status, orders: lines.map(toSummary) }
}

const toSummary = (line: Parsed<typeof OrderInTransaction>): Parsed<typeof OrderSummary> => ({
  id: line.id,
  origin: line.origin,
  parent_id: line.parent_id,
  last_status: line.low_level_status,
  last_status_created_at: line.low_level_status_created_at,
  low_level_status: line.low_level_status,
  low_level_status_created_at: line.low_level_status_created_at,
  updated_at: line.updated_at,
  created_at: line.created_at,
})
