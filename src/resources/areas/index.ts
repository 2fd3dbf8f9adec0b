import type { Resource } from '../../api/resource.ts'
import { areaOperations } from './operations.ts'

export const areaResource: Resource = { name: 'areas', operations: areaOperations }
