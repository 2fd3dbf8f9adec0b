import type { Next } from 'hono'
import type { AnyOperation } from '../api/operation.ts'
import { applyFault, delayCall } from '../faults/apply.ts'
import { type FaultOutcome, matchFault } from '../faults/model.ts'
import type { World } from '../world/world.ts'
import { type AppContext, type Middleware, nodeOf } from './context.ts'
import { replaceResponse } from './respond.ts'

/** Delays, replaces or cuts off the response to a call that a fault applies to. */
export const injectFault =
  ({ id }: AnyOperation): Middleware =>
  (c, next) => {
    const world = c.get('world')
    const fault = world && !c.get('isAside') && matchFault(world, id, c.req.param('order_id'))
    return fault ? inject(world, fault, c, next) : next()
  }

async function inject(world: World, fault: FaultOutcome, c: AppContext, next: Next): Promise<void> {
  c.set('faultId', fault.id)
  if (fault.latencyMs > 0) await delayCall(world, fault.latencyMs)
  const reply = await applyFault(fault, nodeOf(c), async () => {
    await next()
    return c.get('reply')
  })
  replaceResponse(c, reply)
}
