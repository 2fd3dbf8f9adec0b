import type { World } from '../world/world.ts'

/** Called when an order has reached a status. */
type OrderHook = (world: World, orderId: string, low: string) => void

/** Actions of other resources and of scenarios when an order has reached a status; `hooks.ts` lists them. */
export interface OrderHooks {
  /** Changes the order's data before the event is sent, so that the event contains it. Does not move the order. */
  readonly beforeAnnounce: OrderHook
  /** Runs once the status is stored and announced. May move the order further. */
  readonly afterCommit: OrderHook
}

declare module '../world/services.ts' {
  interface Services {
    readonly orderHooks: OrderHooks
  }
}
