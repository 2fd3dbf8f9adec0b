import type { Resource } from '../../api/resource.ts'
import { noteSent } from './event-listener.ts'
import { introspectionOperations } from './operations.ts'

export const introspectionResource: Resource = {
  name: 'introspection',
  operations: introspectionOperations,
  onEvent: noteSent,
}
