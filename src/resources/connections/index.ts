import type { Resource } from '../../api/resource.ts'
import { connections, devices, pullPreferences, refreshes } from './table.ts'

export const connectionResource: Resource = {
  name: 'connections',
  operations: [],
  tables: [connections, pullPreferences, devices, refreshes],
}
