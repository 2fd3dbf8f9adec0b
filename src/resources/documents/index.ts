import type { Resource } from '../../contract/resource.ts'
import { documentOperations } from './operations.ts'

export const documentResource: Resource = { name: 'documents', operations: documentOperations }
