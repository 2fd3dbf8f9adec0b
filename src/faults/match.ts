import type { World } from '../world/world.ts'
import { type Fault, type FaultResponse, faults, targetOf } from './model.ts'

/** What a fault does to one call. */
export interface FaultOutcome {
  readonly id: string
  readonly respond: FaultResponse | null
  readonly latencyMs: number
  readonly drop: Fault['drop']
}

/** Counts a call, and finds what is injected into it. The first fault that applies is the only one. */
export function matchFault(
  world: World,
  operationId: string,
  orderId: string | undefined,
): FaultOutcome | undefined {
  const { db } = world
  if (db.count(faults) === 0) return undefined
  const ofOrder = orderId === undefined ? [] : db.by(faults, 'target', targetOf(operationId, orderId))
  for (const fault of [...ofOrder, ...db.by(faults, 'target', operationId)]) {
    const isSpent = fault.times !== null && fault.hits >= fault.times
    if (isSpent) continue
    const seen = fault.seen + 1
    const key = `${fault.id}/${seen}`
    const hit = seen > fault.after && world.random.noise(`fault/${key}`) < fault.rate
    db.put(faults, { ...fault, seen, hits: fault.hits + Number(hit) })
    const { id, respond, drop } = fault
    if (hit) return { id, respond, drop, latencyMs: latencyOf(world, fault, key) }
  }
  return undefined
}

const latencyOf = ({ random }: World, { latency }: Fault, key: string) =>
  latency === null ? 0 : random.integer(`latency/${key}`, latency.min, latency.max)
