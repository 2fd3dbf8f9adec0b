import { randomUUID } from 'node:crypto'

/** The order a reference server creates from a request, as large and as deeply nested as Petri's. */
export function makeOrder(template, { user_id, shipping_details }) {
  const id = randomUUID()
  const now = new Date().toISOString()
  const stamp = { created_at: now, updated_at: now }
  const { details, events, lab_test, order_transaction } = template
  const own = events.map((event, at) => ({ ...event, id: at, created_at: now }))
  return {
    ...template,
    ...stamp,
    id,
    user_id,
    shipping_details: { ...shipping_details },
    lab_test: { ...lab_test, markers: lab_test.markers?.map((marker) => ({ ...marker })) ?? null },
    details: { ...details, data: { ...details.data, ...stamp, id: randomUUID() } },
    events: own,
    last_event: own.at(-1),
    order_transaction: {
      ...order_transaction,
      id: randomUUID(),
      orders: order_transaction.orders.map((line) => ({ ...line, ...stamp, id })),
    },
  }
}
