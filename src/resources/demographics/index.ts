import type { Resource } from '../../contract/resource.ts'
import { demographicsOperations } from './operations.ts'

export const demographicsResource: Resource = { name: 'demographics', operations: demographicsOperations }
