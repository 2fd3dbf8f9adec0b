import { runAtOnce, runInSlices } from '../../kernel/slices.ts'
import type { World } from '../../world/world.ts'
import { OrderDirectory, type SearchedField } from './directory.ts'
import { type OrderRow, orders } from './table.ts'

/** The directory of a world's orders, and whether it is filled. */
interface Filling {
  readonly directory: OrderDirectory
  /** Resolves once the directory is filled; undefined afterwards. */
  filled: Promise<void> | undefined
}

const fillings = new WeakMap<World, Filling>()

/** The orders with a value, in the order of creation. */
export function ordersBy(world: World, field: SearchedField, value: string): OrderRow[] {
  const { directory } = fillingOf(world)
  // A verb is synchronous, so the rest is filled in one go; operations wait for `ordersIndexed` first.
  runAtOnce(directory.filling)
  return directory.findBy(field, value).map((at) => world.db.get(orders, directory.columns.id[at] as string))
}

/** Resolves once the directory of a world is filled; undefined when it is. */
export const ordersIndexed = (world: World): Promise<void> | undefined => fillingOf(world).filled

/** The directory of a world. Resolves once it is filled, which takes slices of time on first use. */
export async function filledDirectory(world: World): Promise<OrderDirectory> {
  const { directory, filled } = fillingOf(world)
  await filled
  return directory
}

/** Fills the directory of a world with many orders in the background. */
export function fillDirectory(world: World): void {
  if (world.db.count(orders) > MANY_ORDERS) fillingOf(world)
}

const MANY_ORDERS = 1000

function fillingOf(world: World): Filling {
  const known = fillings.get(world)
  if (known) return known
  const directory = new OrderDirectory(world.db.all(orders))
  const filling: Filling = { directory, filled: undefined }
  fillings.set(world, filling)
  filling.filled = runInSlices(directory.filling).then(() => {
    filling.filled = undefined
  })
  return filling
}

/** All writes of orders go through this table. A world without orders has its directory from the first one on. */
export function putOrder(world: World, order: OrderRow): OrderRow {
  if (world.db.count(orders) === 0) fillingOf(world)
  fillings.get(world)?.directory.put(order)
  return world.db.put(orders, order)
}
