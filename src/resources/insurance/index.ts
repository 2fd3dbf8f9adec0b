import type { Resource } from '../../api/resource.ts'
import { insuranceOperations } from './operations.ts'
import { insurances } from './table.ts'

export const insuranceResource: Resource = {
  name: 'insurance',
  operations: insuranceOperations,
  tables: [insurances],
}
