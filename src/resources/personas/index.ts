import type { Resource } from '../../api/resource.ts'

import { people } from './table.ts'

export const personaResource: Resource = {
  name: 'personas',
  operations: [],
  tables: [people],
}
