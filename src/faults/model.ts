import { table } from '../storage/table.ts'
import type { World } from '../world/world.ts'

/** A fault that is injected into calls of one operation. Times in milliseconds. */
export interface Fault {
  readonly id: string
  /** As it was requested: an id or a route. */
  readonly operation: string
  readonly operation_id: string
  /** Only calls about this order; null is all. */
  readonly order_id: string | null
  /** How many calls it applies to at most; null is without end. */
  readonly times: number | null
  /** The share of calls it applies to, from 0 to 1; which ones follows from the world's seed. */
  readonly rate: number
  /** How many calls pass first. */
  readonly after: number
  readonly respond: FaultResponse | null
  readonly latency: Latency | null
  readonly drop: Drop | null
  /** Calls of the operation counted so far, and those the fault was applied to. */
  readonly seen: number
  readonly hits: number
}

export interface FaultResponse {
  readonly status: number
  /** What the body says; left out, the service's usual words for the status. */
  readonly detail?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Milliseconds of real time by which a response is late. */
export interface Latency {
  readonly min: number
  readonly max: number
}

/** `reset`: the connection is reset and nothing is answered. `truncate`: it is closed in the middle of the body. */
export type Drop = 'reset' | 'truncate'

export type FaultInput = Omit<Fault, 'id' | 'seen' | 'hits'>

export const faults = table<Fault, 'target' | 'order'>('faults', ({ id }) => id, {
  indexes: {
    target: ({ operation_id, order_id }) => targetOf(operation_id, order_id),
    order: ({ order_id }) => order_id,
  },
})

/** The index key of faults of one operation, or of one operation about one order. */
export const targetOf = (operationId: string, orderId: string | null): string =>
  orderId === null ? operationId : `${operationId}/${orderId}`

export function addFault(world: World, input: FaultInput): Fault {
  return world.db.put(faults, { ...input, id: `fault_${world.next('fault')}`, seen: 0, hits: 0 })
}

export function clearFaults(world: World): void {
  for (const id of world.db.ids(faults)) world.db.delete(faults, id)
}

/** Adds the faults of an order's scenario; those of an earlier scenario of the order are removed. */
export function armFaultsOfOrder(world: World, orderId: string, inputs: readonly FaultInput[]): void {
  const { db } = world
  for (const id of db.idsBy(faults, 'order', orderId)) db.delete(faults, id)
  for (const input of inputs) addFault(world, { ...input, order_id: orderId })
}
