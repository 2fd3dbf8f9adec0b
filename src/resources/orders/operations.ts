import { operation, type RequestContext } from '../../contract/operation.ts'
import { DAY_MS } from '../../kernel/instant.ts'
import type { JsonText } from '../../kernel/json.ts'
import type { World } from '../../world/world.ts'
import {
  IdempotencyHeaders,
  KitRegistration,
  NewKitOrder,
  NewOrder,
  OrderPath,
  OrderQuery,
  ResendAnswer,
  ResendRequest,
  SimulationAnswer,
  SimulationBody,
  SimulationQuery,
} from './requests.ts'
import { Order, OrderAnswer, OrderPage } from './schema.ts'
import * as service from './service.ts'
import { type OrderRow, orders } from './table.ts'

const tag = 'order'

/** The wrapper of every call that changes an order; the order in it is JSON already written. */
const answer = (world: World, order: OrderRow, message: string) => ({
  order: world.db.text(orders, order.id) as JsonText<OrderRow> & OrderRow,
  status: 'success',
  message,
})

const placing = {
  tag,
  headers: IdempotencyHeaders,
  body: NewOrder,
  returns: OrderAnswer,
  repeatableFor: DAY_MS,
  async run(
    world: World,
    { body }: { body: ReturnType<ReturnType<typeof NewOrder>['parse']> },
    context: RequestContext,
  ) {
    await world.parts.stories.ready()
    return answer(world, service.placeOrder(world, body, context), 'Order created successfully')
  },
} as const

export const orderOperations = [
  operation({
    ...placing,
    id: 'lab_tests_create_order',
    route: 'POST /v3/order',
    summary: 'Order a lab test for a patient',
  }),
  operation({
    ...placing,
    id: 'create_order_by_its_other_path',
    route: 'POST /v3/order/create',
    summary: 'Order a lab test for a patient (the path of the specification)',
  }),
  operation({
    id: 'testkit_create_order',
    route: 'POST /v3/order/testkit',
    tag,
    summary: 'Order a test kit that a patient registers later',
    body: NewKitOrder,
    returns: OrderAnswer,
    async run(world, { body }, context) {
      await world.parts.stories.ready()
      return answer(world, service.placeKit(world, body, context), 'Order created successfully')
    },
  }),
  operation({
    id: 'testkit_register',
    route: 'POST /v3/order/testkit/register',
    tag,
    summary: 'Bind a test kit to a patient',
    body: KitRegistration,
    returns: OrderAnswer,
    async run(world, { body }) {
      await world.parts.stories.ready()
      return answer(world, service.registerKit(world, body), 'Testkit registered successfully')
    },
  }),
  operation({
    id: 'order_resend_events',
    route: 'POST /v3/order/resend_events',
    tag,
    summary: "Send orders' latest events again",
    body: ResendRequest,
    returns: ResendAnswer,
    run: (world, { body }) => ({
      order_ids: service.resendEvents(world, {
        orderIds: body.order_ids,
        startAt: body.start_at,
        endAt: body.end_at,
      }),
    }),
  }),
  operation({
    id: 'lab_tests_get_orders',
    route: 'GET /v3/orders',
    tag: 'orders',
    summary: 'List orders, newest first',
    query: OrderQuery,
    returns: OrderPage,
    run: (world, { query }) => service.listOrders(world, query) as never,
  }),
  operation({
    id: 'lab_tests_get_order',
    route: 'GET /v3/order/{order_id}',
    tag,
    summary: 'Get an order',
    params: OrderPath,
    returns: Order,
    run(world, { params }) {
      if (!world.db.has(orders, params.order_id)) service.getOrder(world, params.order_id)
      return world.db.text(orders, params.order_id)
    },
  }),
  operation({
    id: 'lab_tests_cancel_order',
    route: 'POST /v3/order/{order_id}/cancel',
    tag,
    summary: 'Cancel an order that has not gone too far',
    params: OrderPath,
    returns: OrderAnswer,
    run(world, { params }) {
      const { order, message } = service.cancelOrder(world, params.order_id)
      return answer(world, order, message)
    },
  }),
  operation({
    id: 'lab_tests_simulate_order_process',
    route: 'POST /v3/order/{order_id}/test',
    tag,
    summary: 'Walk an order on, as the live sandbox does',
    params: OrderPath,
    query: SimulationQuery,
    body: SimulationBody,
    bodyOptional: true,
    returns: SimulationAnswer,
    run(world, { params, query, body }) {
      const { interpretation = 'normal', result_types: types, has_missing_results: missing } = body ?? {}
      service.simulateOrder(world, params.order_id, {
        to: query.final_status ?? undefined,
        delaySeconds: query.delay ?? 0,
        results: { interpretation, ...(types && { types }), ...(missing && { missing }) },
      })
      return 'Success'
    },
  }),
]
