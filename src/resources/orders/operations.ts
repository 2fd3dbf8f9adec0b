import { feature } from '../../api/features.ts'
import { operation } from '../../api/operation.ts'
import { Problem } from '../../kernel/problem.ts'
import { answer } from './answer.ts'
import { placingOperations } from './placing-operations.ts'
import {
  CommunicationChange,
  CommunicationSettings,
  OrderPath,
  OrderQuery,
  OrderUpdate,
  ResendAnswer,
  ResendRequest,
  SimulationAnswer,
  SimulationBody,
  SimulationQuery,
} from './requests.ts'
import { Order, OrderAnswer, OrderPage } from './schema.ts'
import * as service from './service.ts'
import { orders } from './table.ts'

export const orderOperations = [
  ...placingOperations,
  operation({
    id: 'order_resend_events',
    route: 'POST /v3/order/resend_events',
    summary: "Send orders' latest events again",
    body: ResendRequest,
    returns: ResendAnswer,
    run: async (world, { body }) => ({
      order_ids: await service.resendEvents(world, {
        orderIds: body.order_ids,
        startAt: body.start_at,
        endAt: body.end_at,
      }),
    }),
  }),
  operation({
    id: 'lab_tests_get_orders',
    route: 'GET /v3/orders',
    summary: 'List orders, newest first',
    query: OrderQuery,
    returns: OrderPage,
    run: async (world, { query }) => (await service.listOrders(world, query)) as never,
  }),
  operation({
    id: 'lab_tests_get_order',
    route: 'GET /v3/order/{order_id}',
    summary: 'Get an order',
    params: OrderPath,
    returns: Order,
    run(world, { params }) {
      if (!world.db.has(orders, params.order_id)) service.getOrder(world, params.order_id)
      return world.db.text(orders, params.order_id)
    },
  }),
  operation({
    id: 'lab_tests_update_order',
    route: 'PATCH /v3/order/{order_id}',
    summary: 'Change the day a scheduled order is for',
    params: OrderPath,
    body: OrderUpdate,
    returns: OrderAnswer,
    needs: 'scenarios',
    run: (world, { params, body }) =>
      answer(world, service.reschedule(world, params.order_id, body.activate_by), 'order updated'),
  }),
  operation({
    id: 'lab_tests_update_on_site_collection_order_draw_completed',
    route: 'PATCH /v3/order/{order_id}/draw_completed',
    summary: 'Mark the specimen of an on-site order as collected',
    params: OrderPath,
    returns: OrderAnswer,
    needs: 'scenarios',
    run: (world, { params }) => answer(world, service.completeDraw(world, params.order_id), 'order updated'),
  }),
  operation({
    id: 'get_order_communication_settings',
    route: 'GET /v3/order/{order_id}/communication_settings',
    summary: 'Get whether the patient gets text messages about an order',
    params: OrderPath,
    returns: CommunicationSettings,
    run: (world, { params }) => service.communicationOf(world, params.order_id),
  }),
  operation({
    id: 'create_or_update_order_communication_settings',
    route: 'PATCH /v3/order/{order_id}/communication_settings',
    summary: 'Set whether the patient gets text messages about an order',
    params: OrderPath,
    body: CommunicationChange,
    returns: CommunicationSettings,
    run: (world, { params, body }) => service.setCommunication(world, params.order_id, body.sms_enabled),
  }),
  operation({
    id: 'lab_tests_cancel_order',
    route: 'POST /v3/order/{order_id}/cancel',
    summary: 'Cancel an order',
    params: OrderPath,
    returns: OrderAnswer,
    needs: 'scenarios',
    run(world, { params }) {
      const { order, message } = service.cancelOrder(world, params.order_id)
      return answer(world, order, message)
    },
  }),
  operation({
    id: 'lab_tests_simulate_order_process',
    route: 'POST /v3/order/{order_id}/test',
    summary: 'Simulate the progress of an order, as the live sandbox does',
    params: OrderPath,
    query: SimulationQuery,
    body: SimulationBody,
    bodyOptional: true,
    returns: SimulationAnswer,
    needs: 'scenarios',
    run(world, { params, query, body }) {
      if (feature(world, 'parity') === 'production') throw new Problem('not_found', 'Not Found')
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
