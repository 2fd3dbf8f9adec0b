import type { Resource } from '../../contract/resource.ts'
import { teamOperations } from './operations.ts'

export const teamResource: Resource = { name: 'team', operations: teamOperations }
