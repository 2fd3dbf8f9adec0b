import type { Resource } from '../../contract/resource.ts'
import { payorOperations } from './operations.ts'

export const payorResource: Resource = { name: 'payors', operations: payorOperations }
