import { operation } from '../../api/operation.ts'
import type { Resource } from '../../api/resource.ts'
import { AreaInfo } from '../catalogue/schema.ts'
import { getOrder } from '../orders/service.ts'
import { labOf } from '../orders/table.ts'
import { AreaQuery, OrderPscQuery, PscInfo, PscQuery } from './schema.ts'
import { describeArea, describeSites, findLab } from './service.ts'

const areaOperations = [
  operation({
    id: 'lab_tests_get_area_info',
    route: 'GET /v3/order/area/info',
    summary: 'Show what is offered around a ZIP code',
    query: AreaQuery,
    returns: AreaInfo,
    run: (world, { query }) => describeArea(world, query),
  }),
  operation({
    id: 'lab_tests_get_psc_info',
    route: 'GET /v3/order/psc/info',
    summary: "List a laboratory's patient service centers around a ZIP code",
    query: PscQuery,
    returns: PscInfo,
    run: (world, { query }) =>
      describeSites(world, {
        lab: findLab(world, query.lab_id),
        zip: query.zip_code,
        radius: query.radius,
        capabilities: query.capabilities,
        labAccountId: query.lab_account_id,
      }),
  }),
  operation({
    id: 'lab_tests_get_order_psc_info',
    route: 'GET /v3/order/{order_id}/psc/info',
    summary: "List patient service centers around an order's patient",
    query: OrderPscQuery,
    returns: PscInfo,
    run(world, { params, query }) {
      const order = getOrder(world, params.order_id, "This order doesn't exist.")
      return describeSites(world, {
        lab: world.services.catalogue.labs().get(labOf(order)),
        zip: order.patient_address?.zip ?? '',
        radius: query.radius,
        capabilities: query.capabilities,
      })
    },
  }),
]

export const areaResource: Resource = { name: 'areas', operations: areaOperations }
