import type { Resource } from '../../api/resource.ts'
import { countSent } from './event-listener.ts'
import { introspectionOperations } from './operations.ts'

export const introspectionResource: Resource = {
  name: 'introspection',
  operations: introspectionOperations,
  onEvent: countSent,
}
