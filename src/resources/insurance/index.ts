import type { Resource } from '../../contract/resource.ts'
import { insuranceOperations } from './operations.ts'

export const insuranceResource: Resource = { name: 'insurance', operations: insuranceOperations }
