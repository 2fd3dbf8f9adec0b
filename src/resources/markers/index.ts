import type { Resource } from '../../api/resource.ts'
import { markerOperations } from './operations.ts'

export const markerResource: Resource = { name: 'markers', operations: markerOperations }
