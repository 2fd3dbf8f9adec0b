import { runAtOnce, runInSlices } from '../kernel/slices.ts'
import type { World } from '../world/world.ts'
import { STEP } from './run.ts'
import { type OrderScenarioRow, orderScenarios } from './table.ts'

/** Takes orders out of a scenario that is replaced or removed. */
export interface LeaveAll {
  /** Takes out all orders that follow a scenario, in slices; then `change` is called, before any other order can begin it. */
  before(world: World, name: string, because: string, change: () => void): Promise<void>
  /** The same at once, without a change. */
  atOnce(world: World, name: string, because: string): void
  /** To be told of each order that begins a scenario. */
  begun(world: World, orderId: string): void
}

export function createLeaveAll(leave: (world: World, orderId: string, because: string) => void): LeaveAll {
  const lastChanges = new WeakMap<World, Promise<void>>()
  /** Orders that have begun a scenario since orders began to leave theirs. */
  const begunMeanwhile = new WeakMap<World, Set<string>>()

  const leaveIfUnderWay = (world: World, row: OrderScenarioRow, name: string, because: string) => {
    const { order_id, scenario, waits, left } = row
    const isUnderWay = !left && (waits !== undefined || world.agenda.find(STEP, order_id) !== undefined)
    if (scenario === name && isUnderWay) leave(world, order_id, because)
  }
  function* steps(world: World, name: string, because: string): Generator<void, void> {
    for (const row of world.db.all(orderScenarios)) yield leaveIfUnderWay(world, row, name, because)
  }
  const leaveAndChange = async (world: World, name: string, because: string, change: () => void) => {
    const orders = new Set<string>()
    begunMeanwhile.set(world, orders)
    try {
      await runInSlices(steps(world, name, because))
      for (const id of orders) {
        const row = world.db.find(orderScenarios, id)
        if (row) leaveIfUnderWay(world, row, name, because)
      }
      change()
    } finally {
      begunMeanwhile.delete(world)
    }
  }
  return {
    before(world, name, because, change) {
      const last = lastChanges.get(world) ?? Promise.resolve()
      const changed = last.then(() => leaveAndChange(world, name, because, change))
      lastChanges.set(
        world,
        changed.catch(() => undefined),
      )
      return changed
    },
    atOnce: (world, name, because) => runAtOnce(steps(world, name, because)),
    begun: (world, orderId) => void begunMeanwhile.get(world)?.add(orderId),
  }
}
