import type { Caller } from './caller.ts'
import type { OrderInput } from './inputs.ts'
import { assertKnownOptions, type OptionNames } from './known-options.ts'
import type { Order } from './responses.ts'

const orderOptions: OptionNames<OrderInput> = {
  id: true,
  scenario: true,
  zip: true,
  userId: true,
  labTestId: true,
  registrable: true,
}

/** Places an order; fields that are left out are made up, and the patient is the person behind the user's data. */
export async function placeOrder(call: Caller['call'], input: OrderInput = {}): Promise<Order> {
  assertKnownOptions('orders.place', input, orderOptions)
  const { userId: user_id, labTestId: lab_test_id, ...rest } = input
  return call('POST', '/_petri/orders', { ...rest, user_id, lab_test_id })
}
