import type { Resource } from '../../api/resource.ts'
import { providerOperations } from './operations.ts'

export const providerResource: Resource = { name: 'providers', operations: providerOperations }
