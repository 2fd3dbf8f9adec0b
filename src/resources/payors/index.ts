import type { Resource } from '../../api/resource.ts'
import { payorOperations } from './operations.ts'

export const payorResource: Resource = { name: 'payors', operations: payorOperations }
