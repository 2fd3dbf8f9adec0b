import { runInSlices } from '../kernel/slices.ts'
import type { World } from '../world/world.ts'
import { STEP } from './run.ts'
import { orderScenarios } from './table.ts'

/** Why the orders that follow a scenario leave it; undefined when they do not. */
export type LeaveReason = (scenario: string) => string | undefined

/** Takes orders out of scenarios that are about to be replaced or removed. */
export interface LeaveAll {
  /**
   * Takes the orders of a world out of their scenarios, in slices. The function it answers takes out those that have begun one
   * since: it is called in the turn in which the scenarios change.
   */
  begin(world: World, reason: LeaveReason): Promise<() => void>
  /** To be told of each order that begins a scenario. */
  begun(world: World, orderId: string): void
}

export function createLeaveAll(leave: (world: World, orderId: string, because: string) => void): LeaveAll {
  /** For each `begin` under way, the orders that have begun a scenario since. */
  const begunSince = new WeakMap<World, Set<Set<string>>>()

  const leaveIfUnderWay = (world: World, orderId: string, reason: LeaveReason) => {
    const row = world.db.find(orderScenarios, orderId)
    if (!row || row.left) return
    const because = reason(row.scenario)
    const isUnderWay = row.waits !== undefined || world.agenda.find(STEP, orderId) !== undefined
    if (because !== undefined && isUnderWay) leave(world, orderId, because)
  }
  function* steps(world: World, reason: LeaveReason): Generator<void, void> {
    for (const id of world.db.ids(orderScenarios)) yield leaveIfUnderWay(world, id, reason)
  }
  return {
    async begin(world, reason) {
      const orders = new Set<string>()
      const all = begunSince.get(world) ?? new Set()
      begunSince.set(world, all.add(orders))
      await runInSlices(steps(world, reason))
      return () => {
        all.delete(orders)
        for (const id of orders) leaveIfUnderWay(world, id, reason)
      }
    },
    begun(world, orderId) {
      for (const orders of begunSince.get(world) ?? []) orders.add(orderId)
    },
  }
}
