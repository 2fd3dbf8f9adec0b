import { asInFuture, futureOrdinal } from '../api/forward-compatibility.ts'
import type { AnyOperation } from '../api/operation.ts'
import type { World } from '../world/world.ts'
import type { Reply } from './problems.ts'

/** An answer as a later version of the service may give it, where the world is to give those. */
export function inFuture(world: World, operation: AnyOperation, reply: Reply): Reply {
  const { status, body, contentType } = reply
  const schema = status === (operation.status ?? 200) ? operation.returns : operation.alsoReturns?.[status]
  if (status >= 300 || !schema || typeof body !== 'string') return reply
  if (contentType !== undefined && contentType !== 'application/json') return reply
  const ordinal = futureOrdinal(world)
  if (ordinal === undefined) return reply
  return { ...reply, body: JSON.stringify(asInFuture(schema(), JSON.parse(body), ordinal)) }
}
