import type { Resource } from '../../api/resource.ts'
import { documentOperations } from './operations.ts'

export const documentResource: Resource = { name: 'documents', operations: documentOperations }
