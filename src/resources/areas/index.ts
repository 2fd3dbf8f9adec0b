import type { Resource } from '../../contract/resource.ts'
import { areaOperations } from './operations.ts'

export const areaResource: Resource = { name: 'areas', operations: areaOperations }
