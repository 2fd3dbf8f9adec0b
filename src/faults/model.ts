import * as z from 'zod'
import { type Parsed, unnamed } from '../api/schema.ts'
import { count, table } from '../storage/table.ts'
import type { World } from '../world/world.ts'

/** A fault that is injected into calls of one operation. Times in milliseconds. */
export const Fault = unnamed(() =>
  z.object({
    id: z.string(),
    /** As it was requested: an id or a route. */
    operation: z.string(),
    operation_id: z.string(),
    /** Only calls about this order; null is all. */
    order_id: z.string().nullable(),
    /** How many calls it applies to at most; null is without end. */
    times: z.number().nullable(),
    /** The share of calls it applies to, from 0 to 1; which ones follows from the world's seed. */
    rate: z.number().min(0).max(1),
    /** How many calls pass first. */
    after: z.number().min(0),
    respond: z
      .object({
        status: z.int().min(200).max(599),
        /** What the body says; left out, the service's usual words for the status. */
        detail: z.unknown().optional(),
        headers: z.record(z.string(), z.string()).optional(),
      })
      .nullable(),
    /** Real time by which a response is late. */
    latency: z.object({ min: z.number().min(0), max: z.number().min(0) }).nullable(),
    /** `reset`: the connection is reset and no response is sent. `truncate`: it is closed in the middle of the body. */
    drop: z.enum(['reset', 'truncate']).nullable(),
    /** Calls of the operation counted so far, and those the fault was applied to. */
    seen: count(),
    hits: count(),
  }),
)
export type Fault = Parsed<typeof Fault>
export type FaultResponse = NonNullable<Fault['respond']>

export type FaultInput = Omit<Fault, 'id' | 'seen' | 'hits'>

export const faults = table('faults', Fault, ({ id }) => id, {
  target: ({ operation_id, order_id }) => targetOf(operation_id, order_id),
  order: ({ order_id }) => order_id,
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
