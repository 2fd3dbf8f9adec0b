import type { Resource } from '../../api/resource.ts'
import { demographicsOperations } from './operations.ts'

export const demographicsResource: Resource = { name: 'demographics', operations: demographicsOperations }
