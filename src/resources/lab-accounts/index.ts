import type { Resource } from '../../contract/resource.ts'
import { labAccountOperations } from './operations.ts'

export const labAccountResource: Resource = { name: 'lab-accounts', operations: labAccountOperations }
