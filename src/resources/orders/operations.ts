import { operation, type RequestContext } from '../../api/operation.ts'
import type { Parsed } from '../../api/schema.ts'
import { DAY_MS } from '../../kernel/instant.ts'
import { JsonText, writeJson } from '../../kernel/json.ts'
import type { World } from '../../world/world.ts'
import { placeKit, registerKit } from './kits.ts'
import { listOrders } from './listing.ts'
import { assertPossiblePhones } from './patient.ts'
import { importOrder, placeClientOrder } from './placing.ts'
import {
  CommunicationChange,
  CommunicationSettings,
  failsLiveOn,
  IdempotencyHeaders,
  ImportedOrder,
  KitRegistration,
  NewKitOrder,
  NewOrder,
  NewOrderQuery,
  OrderQuery,
  OrderUpdate,
  ResendAnswer,
  ResendRequest,
} from './requests.ts'
import { reschedule } from './schedule.ts'
import { Order, OrderAnswer, OrderPage } from './schema.ts'
import {
  cancelOrder,
  communicationOf,
  completeDraw,
  getOrder,
  resendEvents,
  setCommunication,
} from './service.ts'
import { type OrderRow, orders } from './table.ts'

const CREATED = 'Order created successfully'

interface Placing {
  readonly body: Parsed<typeof NewOrder>
  readonly query: Parsed<typeof NewOrderQuery>
}

const placingOnce = {
  headers: IdempotencyHeaders,
  returns: OrderAnswer,
  repeatableFor: DAY_MS,
  needs: 'scenarios',
} as const

const placing = {
  ...placingOnce,
  query: NewOrderQuery,
  body: NewOrder,
  failsLiveOn,
  async run(world: World, { body, query }: Placing, context: RequestContext) {
    const order = await placeClientOrder(world, body, { ...context, updateReason: query.update_reason })
    return answer(world, order, CREATED)
  },
} as const

const cancelling = {
  returns: OrderAnswer,
  needs: 'scenarios',
  run(world: World, { params }: { readonly params: { readonly order_id: string } }) {
    const { order, message } = cancelOrder(world, params.order_id)
    return answer(world, order, message)
  },
} as const

export const orderOperations = [
  operation({
    ...placing,
    id: 'lab_tests_create_order',
    route: 'POST /v3/order',
    summary: 'Order a lab test for a patient',
    assumes: [
      'Orders show `lab_account_id`, which clients since 3.0 know, only with the feature `order_lab_account`: no recorded order has it.',
      '`order_set.parameters.fasting` answers the question of the laboratory about fasting.',
      'The billing type `upfront_payment` is refused unless the lab account allows it.',
    ],
  }),
  operation({
    ...placing,
    id: 'create_order_by_its_other_path',
    route: 'POST /v3/order/create',
    tag: 'order',
    summary: 'Order a lab test for a patient (the path of the specification)',
  }),
  operation({
    ...placingOnce,
    id: 'testkit_create_order',
    route: 'POST /v3/order/testkit',
    summary: 'Order a test kit that a patient registers later',
    assumes: ['Its idempotency keys follow the rules of `POST /v3/order`.'],
    body: NewKitOrder,
    async run(world, { body }, context) {
      await assertPossiblePhones(world, [body.shipping_details])
      return answer(world, placeKit(world, body, context), CREATED)
    },
  }),
  operation({
    id: 'testkit_register',
    route: 'POST /v3/order/testkit/register',
    summary: 'Bind a test kit to a patient',
    body: KitRegistration,
    returns: OrderAnswer,
    needs: 'scenarios',
    async run(world, { body }) {
      await assertPossiblePhones(world, [body.patient_details])
      return answer(world, registerKit(world, body), 'Testkit registered successfully')
    },
  }),
  operation({
    ...placingOnce,
    id: 'lab_tests_import_order',
    route: 'POST /v3/order/import',
    summary: 'Import an order whose requisition exists elsewhere',
    body: ImportedOrder,
    async run(world, { body }, context) {
      await assertPossiblePhones(world, [body.patient_details])
      return answer(world, importOrder(world, body, context), CREATED)
    },
  }),
  operation({
    id: 'order_resend_events',
    route: 'POST /v3/order/resend_events',
    summary: "Send orders' latest events again",
    body: ResendRequest,
    returns: ResendAnswer,
    run: async (world, { body }) => ({
      order_ids: await resendEvents(world, {
        orderIds: body.order_ids,
        startAt: body.start_at,
        endAt: body.end_at,
      }),
    }),
  }),
  operation({
    id: 'lab_tests_get_orders',
    route: 'GET /v3/orders',
    summary: 'List orders, the last changed first',
    query: OrderQuery,
    returns: OrderPage,
    run: (world, { query }) => new JsonText(writeJson(listOrders(world, query))),
  }),
  operation({
    id: 'lab_tests_get_order',
    route: 'GET /v3/order/{order_id}',
    summary: 'Get an order',
    returns: Order,
    run(world, { params }) {
      if (!world.db.has(orders, params.order_id)) getOrder(world, params.order_id)
      return world.db.text(orders, params.order_id)
    },
  }),
  operation({
    id: 'lab_tests_update_order',
    route: 'PATCH /v3/order/{order_id}',
    summary: 'Change the day a scheduled order is for',
    body: OrderUpdate,
    returns: OrderAnswer,
    needs: 'scenarios',
    run: (world, { params, body }) =>
      answer(world, reschedule(world, params.order_id, body.activate_by), 'order updated'),
  }),
  operation({
    id: 'lab_tests_update_on_site_collection_order_draw_completed',
    route: 'PATCH /v3/order/{order_id}/draw_completed',
    summary: 'Mark the specimen of an on-site order as collected',
    returns: OrderAnswer,
    needs: 'scenarios',
    run: (world, { params }) => answer(world, completeDraw(world, params.order_id), 'order updated'),
  }),
  operation({
    id: 'get_order_communication_settings',
    route: 'GET /v3/order/{order_id}/communication_settings',
    summary: 'Get whether the patient gets text messages about an order',
    returns: CommunicationSettings,
    run: (world, { params }) => communicationOf(world, params.order_id),
  }),
  operation({
    id: 'create_or_update_order_communication_settings',
    route: 'PATCH /v3/order/{order_id}/communication_settings',
    summary: 'Set whether the patient gets text messages about an order',
    body: CommunicationChange,
    returns: CommunicationSettings,
    run: (world, { params, body }) => setCommunication(world, params.order_id, body.sms_enabled),
  }),
  operation({
    ...cancelling,
    id: 'lab_tests_cancel_order',
    route: 'POST /v3/order/{order_id}/cancel',
    summary: 'Cancel an order',
  }),
  operation({
    ...cancelling,
    id: 'cancel_order_by_its_printed_path',
    route: 'DELETE /v3/lab_test/{order_id}/cancel',
    tag: 'order',
    summary: 'Cancel an order (the path in a printed example)',
  }),
]

/** The response of calls that change an order; the order is already serialised. */
const answer = (world: World, order: OrderRow, message: string) => ({
  order: world.db.text(orders, order.id) as JsonText<OrderRow> & OrderRow,
  status: 'success',
  message,
})
