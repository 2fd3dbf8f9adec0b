import type { Resource } from '../../api/resource.ts'
import { teamOperations } from './operations.ts'

export const teamResource: Resource = { name: 'team', operations: teamOperations }
