import { operation, type RequestContext } from '../../api/operation.ts'
import type { Parsed } from '../../api/schema.ts'
import { DAY_MS } from '../../kernel/instant.ts'
import type { World } from '../../world/world.ts'
import { answer } from './answer.ts'
import { withPossiblePhones } from './phone-numbers.ts'
import {
  IdempotencyHeaders,
  ImportedOrder,
  KitRegistration,
  NewKitOrder,
  NewOrder,
  NewOrderQuery,
} from './requests.ts'
import { OrderAnswer } from './schema.ts'
import * as service from './service.ts'

const CREATED = 'Order created successfully'

interface Placing {
  readonly body: Parsed<typeof NewOrder>
  readonly query: Parsed<typeof NewOrderQuery>
}

const placing = {
  headers: IdempotencyHeaders,
  query: NewOrderQuery,
  body: NewOrder,
  returns: OrderAnswer,
  repeatableFor: DAY_MS,
  needs: 'scenarios',
  indexed: (world: World, { body, query }: Placing) =>
    (body.update_reason ?? query.update_reason) == null ? undefined : service.ordersIndexed(world),
  run(world: World, { body, query }: Placing, context: RequestContext) {
    const { patient_details, patient_address } = body
    return withPossiblePhones(world, [patient_details, patient_address], () => {
      const order = service.placeOrder(world, body, { ...context, updateReason: query.update_reason })
      return answer(world, order, CREATED)
    })
  },
} as const

/** The operations that create orders. */
export const placingOperations = [
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
    tag: 'order',
    summary: 'Order a lab test for a patient (the path of the specification)',
  }),
  operation({
    id: 'testkit_create_order',
    route: 'POST /v3/order/testkit',
    summary: 'Order a test kit that a patient registers later',
    body: NewKitOrder,
    returns: OrderAnswer,
    needs: 'scenarios',
    run: (world, { body }, context) =>
      withPossiblePhones(world, [body.shipping_details], () =>
        answer(world, service.placeKit(world, body, context), CREATED),
      ),
  }),
  operation({
    id: 'testkit_register',
    route: 'POST /v3/order/testkit/register',
    summary: 'Bind a test kit to a patient',
    body: KitRegistration,
    returns: OrderAnswer,
    needs: 'scenarios',
    indexed: service.ordersIndexed,
    run: (world, { body }) =>
      withPossiblePhones(world, [body.patient_details], () =>
        answer(world, service.registerKit(world, body), 'Testkit registered successfully'),
      ),
  }),
  operation({
    id: 'lab_tests_import_order',
    route: 'POST /v3/order/import',
    summary: 'Import an order whose requisition exists elsewhere',
    headers: IdempotencyHeaders,
    body: ImportedOrder,
    returns: OrderAnswer,
    repeatableFor: DAY_MS,
    needs: 'scenarios',
    indexed: service.ordersIndexed,
    run: (world, { body }, context) =>
      withPossiblePhones(world, [body.patient_details], () =>
        answer(world, service.importOrder(world, body, context), CREATED),
      ),
  }),
]
