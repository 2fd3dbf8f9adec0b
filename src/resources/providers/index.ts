import type { Resource } from '../../contract/resource.ts'
import { providerOperations } from './operations.ts'

export const providerResource: Resource = { name: 'providers', operations: providerOperations }
