import type { Resource } from '../../api/resource.ts'
import { resultOperations } from './operations.ts'

export const resultResource: Resource = { name: 'results', operations: resultOperations }
