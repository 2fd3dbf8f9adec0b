import type { Resource } from '../../api/resource.ts'
import { labAccountOperations } from './operations.ts'

export const labAccountResource: Resource = { name: 'lab-accounts', operations: labAccountOperations }
