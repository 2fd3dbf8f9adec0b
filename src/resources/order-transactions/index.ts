import type { Resource } from '../../api/resource.ts'
import { orderTransactionOperations } from './operations.ts'

export const orderTransactionResource: Resource = {
  name: 'order-transactions',
  operations: orderTransactionOperations,
}
