import type { Resource } from '../../contract/resource.ts'
import { orderTransactionOperations } from './operations.ts'

export const orderTransactionResource: Resource = {
  name: 'order-transactions',
  operations: orderTransactionOperations,
}
