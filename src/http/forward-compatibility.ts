import { addUnknownFields, nextUnknown } from '../api/forward-compatibility.ts'
import { type AnyOperation, successStatus } from '../api/operation.ts'
import type { Reply } from '../api/reply.ts'
import type { World } from '../world/world.ts'

/** Adds unknown fields and values to a reply, in worlds with the feature `unknown_futures`. */
export function withUnknownFields(world: World, operation: AnyOperation, reply: Reply): Reply {
  const { status, body, contentType } = reply
  const schema = status === successStatus(operation) ? operation.returns : operation.alsoReturns?.[status]
  if (status >= 300 || !schema || typeof body !== 'string') return reply
  if (contentType !== undefined && contentType !== 'application/json') return reply
  const ordinal = nextUnknown(world)
  if (ordinal === undefined) return reply
  return { ...reply, body: JSON.stringify(addUnknownFields(schema(), JSON.parse(body), ordinal)) }
}
