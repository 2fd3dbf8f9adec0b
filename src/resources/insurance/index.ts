import type { Resource } from '../../api/resource.ts'
import { insuranceOperations } from './operations.ts'

export const insuranceResource: Resource = { name: 'insurance', operations: insuranceOperations }
