import type { Job } from '../scheduler/job.ts'
import type { AnyTable } from '../storage/table.ts'
import type { EventListener, World } from '../world/world.ts'
import type { AnyOperation } from './operation.ts'
import type { LazySchema } from './schema.ts'

/** An event type of the service: its name, and the schema of its `data`. */
export interface EventType {
  readonly name: string
  readonly data: LazySchema
}

/** A folder under `resources/`, as other layers see it. */
export interface Resource {
  readonly name: string
  readonly operations: readonly AnyOperation[]
  readonly events?: readonly EventType[]
  /** Job handlers, by job kind. */
  readonly jobs?: Readonly<Record<string, (world: World, job: Job) => void | Promise<void>>>
  /** Called with every event once it is stored. */
  readonly onEvent?: EventListener
  /** All tables it declares. */
  readonly tables?: readonly AnyTable[]
  /** Called when a world with existing rows was opened. */
  readonly onOpen?: (world: World) => void | Promise<void>
  readonly orderHooks?: Partial<OrderHooks>
}

/** Called when an order has reached a status. */
export type OrderHook = (world: World, orderId: string, low: string) => void

export interface OrderHooks {
  /** Changes the order's data before the event is sent, so that the event contains it. Does not move the order. */
  readonly beforeAnnounce: OrderHook
  /** Runs once the status is stored and announced. May move the order further. */
  readonly afterCommit: OrderHook
}
