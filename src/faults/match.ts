import { table } from '../storage/table.ts'
import type { World } from '../world/world.ts'

/** What goes wrong with calls of one operation. Times in milliseconds. */
export interface Fault {
  readonly id: string
  /** As it was asked for: an id or a route. */
  readonly operation: string
  readonly operation_id: string
  /** Only calls about this order; null is all. */
  readonly order_id: string | null
  /** How many calls it strikes at most; null is without end. */
  readonly times: number | null
  /** Which share of the calls it strikes, from 0 to 1; which ones follows from the world's seed. */
  readonly rate: number
  /** How many calls it lets pass first. */
  readonly after: number
  readonly respond: FaultReply | null
  readonly latency: Latency | null
  readonly drop: Drop | null
  /** Calls it could have struck, and those it struck. */
  readonly seen: number
  readonly hits: number
}

export interface FaultReply {
  readonly status: number
  /** What the body says; left out, the service's usual words for the status. */
  readonly detail?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** True milliseconds an answer is late. */
export interface Latency {
  readonly min: number
  readonly max: number
}

/** The connection is reset instead of an answer, or breaks off in the middle of one. */
export type Drop = 'reset' | 'truncate'

export type FaultWish = Omit<Fault, 'id' | 'seen' | 'hits'>

export const faults = table<Fault, 'target' | 'order'>('faults', ({ id }) => id, {
  indexes: {
    target: ({ operation_id, order_id }) => targetOf(operation_id, order_id),
    order: ({ order_id }) => order_id,
  },
})

const targetOf = (operationId: string, orderId: string | null) =>
  orderId === null ? operationId : `${operationId}/${orderId}`

/** What happens to one call. */
export interface Strike {
  readonly respond: FaultReply | null
  readonly latencyMs: number
  readonly drop: Drop | null
}

export function addFault(world: World, wish: FaultWish): Fault {
  return world.db.put(faults, { ...wish, id: `fault_${world.next('fault')}`, seen: 0, hits: 0 })
}

export function clearFaults(world: World): void {
  for (const id of world.db.ids(faults)) world.db.delete(faults, id)
}

/** Arms what the story of an order says, in place of what an earlier one did. */
export function armForOrder(world: World, orderId: string, wishes: readonly FaultWish[]): void {
  const { db } = world
  if (db.count(faults) > 0) {
    for (const id of db.idsBy(faults, 'order', orderId)) db.delete(faults, id)
  }
  for (const wish of wishes) addFault(world, { ...wish, order_id: orderId })
}

/** Counts a call, and tells what happens to it. The first fault that strikes is the only one. */
export function strike(world: World, operationId: string, orderId: string | undefined): Strike | undefined {
  const { db } = world
  if (db.count(faults) === 0) return undefined
  const aimed = orderId === undefined ? [] : db.by(faults, 'target', targetOf(operationId, orderId))
  for (const fault of [...aimed, ...db.by(faults, 'target', operationId)]) {
    const isOver = fault.times !== null && fault.hits >= fault.times
    if (isOver) continue
    const seen = fault.seen + 1
    const key = `${fault.id}/${seen}`
    const hit = seen > fault.after && (fault.rate >= 1 || world.random.noise(`fault/${key}`) < fault.rate)
    db.put(faults, { ...fault, seen, hits: fault.hits + Number(hit) })
    if (hit) return { ...fault, latencyMs: latencyOf(world, fault, key) }
  }
  return undefined
}

const latencyOf = ({ random }: World, { latency }: Fault, key: string) =>
  latency === null ? 0 : random.integer(`latency/${key}`, latency.min, latency.max)
