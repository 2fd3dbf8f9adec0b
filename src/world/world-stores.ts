import type { WorldFolder, WorldStore } from '../storage/store.ts'
import { ORGANISATION } from './organisation.ts'
import type { World } from './world.ts'

/** Milliseconds for compacting worlds at the end. A world that is not compacted by then keeps its journal. */
const REWRITING_MS = 1000
/** How many worlds are read or closed at a time. */
const SIDE_BY_SIDE = 8

/** Opens the stores of all worlds, by the names of their folders. Each promise is settled; one of a world that cannot be read is rejected. */
export async function openStores(
  folder: WorldFolder,
  names: readonly string[],
): Promise<ReadonlyMap<string, Promise<WorldStore>>> {
  const stores = new Map<string, Promise<WorldStore>>()
  const teamIds = names.filter((name) => name !== ORGANISATION)
  await sideBySide(teamIds, async (teamId) => {
    const store = folder.open(teamId)
    stores.set(teamId, store)
    await store.catch(() => undefined)
  })
  return stores
}

/** Closes the stores of all worlds. Nothing is lost if a world is not compacted. */
export async function closeWorlds(worlds: ReadonlyMap<World, WorldStore>, wall: () => number): Promise<void> {
  const end = wall() + REWRITING_MS
  await sideBySide(worlds, async ([world, store]) => {
    world.close()
    await store.close({ rewrites: wall() < end })
  })
}

async function sideBySide<Item>(items: Iterable<Item>, act: (item: Item) => Promise<void>): Promise<void> {
  const left = items[Symbol.iterator]()
  const actNext = async () => {
    for (let next = left.next(); !next.done; next = left.next()) await act(next.value)
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, actNext))
}
