import type { Resource } from '../../api/resource.ts'
import { labOperations } from './operations.ts'

export const labResource: Resource = { name: 'labs', operations: labOperations }
