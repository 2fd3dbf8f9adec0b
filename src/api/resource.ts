import type { Job } from '../scheduler/job.ts'
import type { EventListener } from '../world/events.ts'
import type { World } from '../world/world.ts'
import type { AnyOperation } from './operation.ts'
import type { LazySchema } from './schema.ts'

/** An event type of the service: its name, and the schema its `data` keeps to. */
export interface EventType {
  readonly name: string
  readonly data: LazySchema
}

/** A folder under `resources/`, as the rest of Petri sees it. */
export interface Resource {
  readonly name: string
  readonly operations: readonly AnyOperation[]
  readonly events?: readonly EventType[]
  /** Scheduled work this resource knows how to do, by job kind. */
  readonly jobs?: Readonly<Record<string, (world: World, job: Job) => void | Promise<void>>>
  /** Told of every event, once it is written down. */
  readonly hears?: EventListener
  /** What goes with an order's moves in this resource: done before a move is told, so that the news has it. It leaves the order where it is. */
  readonly accompaniesOrders?: OrderFollower
  /** What comes of an order's moves in this resource. */
  readonly followsOrders?: OrderFollower
}

/** Called when an order has reached a status, once that is stored and told. It may move the order further. */
export type OrderFollower = (world: World, orderId: string, low: string) => void

declare module '../world/world.ts' {
  interface WorldParts {
    readonly orderCompanions: readonly OrderFollower[]
    readonly orderFollowers: readonly OrderFollower[]
  }
}
