import { operation } from '../../api/operation.ts'
import { OrderPath } from '../../resources/orders/requests.ts'
import type { ScenarioEngine } from '../../scenarios/engine.ts'
import { OrderLife } from './schema.ts'
import { describeLife } from './service.ts'

export const orderLifeOperations = (engine: ScenarioEngine) => [
  operation({
    id: 'petri_orders_get',
    route: 'GET /_petri/orders/{order_id}',
    summary:
      'The life of an order: its workflow, the legal moves, what its scenario brings and when, what it caused',
    tool: {
      name: 'explain_order',
      description: 'Use it to find out why an order is where it is, and what it waits for',
    },
    params: OrderPath,
    returns: OrderLife,
    needs: 'scenarios',
    run: (world, { params }) => describeLife(world, engine, params.order_id),
  }),
]
