import type { Resource } from '../../api/resource.ts'
import { mobileOperations } from './operations.ts'
import { mobileSessions, phoneSyncs } from './table.ts'

export const mobileResource: Resource = {
  name: 'mobile',
  operations: mobileOperations,
  tables: [mobileSessions, phoneSyncs],
}
