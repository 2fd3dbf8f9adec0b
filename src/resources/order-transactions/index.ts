import { operation } from '../../api/operation.ts'
import type { Resource } from '../../api/resource.ts'
import { getTransaction, TeamOrderTransaction } from './service.ts'

const orderTransactionOperations = [
  operation({
    id: 'order_transaction_get_transaction',
    route: 'GET /v3/order_transaction/{transaction_id}',
    summary: 'Get an order transaction',
    returns: TeamOrderTransaction,
    run: (world, { params }) => getTransaction(world, params.transaction_id),
  }),
]

export const orderTransactionResource: Resource = {
  name: 'order-transactions',
  operations: orderTransactionOperations,
}
