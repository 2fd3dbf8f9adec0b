import * as z from 'zod'
import { nullableText, type Parsed, unnamed } from '../api/schema.ts'
import { count, table } from '../storage/table.ts'
import type { World } from '../world/world.ts'

/** A fault that is injected into calls of one operation. Times in milliseconds. */
export const Fault = unnamed(() => ({
  id: z.string(),
  /** An id or a route, as requested. */
  operation: z.string(),
  operation_id: z.string(),
  /** Applies only to calls about this order; null for all calls. */
  order_id: nullableText(),
  /** The maximum number of calls it applies to; null for no limit. */
  times: z.int().nullable(),
  /** The share of calls it applies to, from 0 to 1; the world's seed determines which. */
  rate: z.number().min(0).max(1),
  /** The number of calls before the first one it applies to. */
  after: z.int().min(0),
  respond: z
    .object({
      status: z.int().min(200).max(599),
      /** The `detail` of the body; the service's default for the status if omitted. */
      detail: z.unknown().optional(),
      /** The whole body instead: any JSON, or a text that is sent as it is. */
      body: z.unknown().optional(),
      headers: z.record(z.string(), z.string()).optional(),
    })
    .nullable(),
  /** The delay of a response in wall-clock milliseconds. */
  latency: z.object({ min: z.number().min(0), max: z.number().min(0) }).nullable(),
  /** `reset`: resets the connection without a response. `truncate`: closes it in the middle of the body. */
  drop: z.enum(['reset', 'truncate']).nullable(),
  /** The number of counted calls of the operation, and of those the fault was applied to. */
  seen: count(),
  hits: count(),
}))
export type Fault = Parsed<typeof Fault>
export type FaultResponse = NonNullable<Fault['respond']>

export type FaultInput = Omit<Fault, 'id' | 'seen' | 'hits'>

export const faults = table('faults', Fault, ({ id }) => id, {
  owner: 'order',
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

/** The effect of a fault on one call. */
export interface FaultOutcome {
  readonly id: string
  readonly respond: FaultResponse | null
  readonly latencyMs: number
  readonly drop: Fault['drop']
}

/** Counts a call and returns the first fault that applies to it. */
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
