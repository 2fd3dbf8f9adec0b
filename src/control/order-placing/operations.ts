import { operation } from '../../api/operation.ts'
import { Order } from '../../resources/orders/schema.ts'
import { orders } from '../../resources/orders/table.ts'
import type { ScenarioEngine } from '../../scenarios/engine.ts'
import { OrderPlacing } from './schema.ts'
import { placeMadeUpOrder } from './service.ts'

export const orderPlacingOperations = (engine: ScenarioEngine) => [
  operation({
    id: 'petri_orders_place',
    route: 'POST /_petri/orders',
    summary: 'Place an order by its scenario; user, patient, address and lab test are made up unless given',
    tool: {
      name: 'place_order',
      description:
        'It is in no journal and no coverage, as the program under test did not place it. In a live world it goes on by itself, a day in ten seconds.',
    },
    body: OrderPlacing,
    bodyOptional: true,
    returns: Order,
    status: 201,
    needs: 'scenarios',
    run(world, { body }) {
      const { id } = placeMadeUpOrder(world, engine, body ?? {})
      return world.db.text(orders, id)
    },
  }),
]
