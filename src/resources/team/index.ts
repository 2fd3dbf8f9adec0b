import type { Resource } from '../../api/resource.ts'
import { teamOperations } from './operations.ts'
import { priorities, teamProfiles } from './table.ts'

export const teamResource: Resource = {
  name: 'team',
  operations: teamOperations,
  tables: [priorities, teamProfiles],
}
