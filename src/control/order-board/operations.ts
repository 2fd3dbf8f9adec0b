import { type AnyOperation, operation } from '../../api/operation.ts'
import type { ScenarioEngine } from '../../scenarios/engine.ts'
import { Board, BoardQuery } from './schema.ts'
import { describeBoard } from './service.ts'

export const orderBoardOperations = (engine: ScenarioEngine, mirrored: () => readonly AnyOperation[]) => [
  operation({
    id: 'petri_orders_list',
    route: 'GET /_petri/orders',
    summary:
      'One light row for each order, newest first, with what comes next; counts by status; what needs attention',
    tool: { name: 'list_orders' },
    query: BoardQuery,
    returns: Board,
    needs: 'scenarios',
    run: (world, { query }) => describeBoard(world, engine, query, mirrored()),
  }),
]
