import type { JsonText } from '../../kernel/json.ts'
import type { World } from '../../world/world.ts'
import { type OrderRow, orders } from './table.ts'

/** The response of calls that change an order; the order is already serialised. */
export const answer = (world: World, order: OrderRow, message: string) => ({
  order: world.db.text(orders, order.id) as JsonText<OrderRow> & OrderRow,
  status: 'success',
  message,
})
