import type { WorldStore } from '../storage/store.ts'
import type { World } from './world.ts'

/** Milliseconds for compacting worlds at the end. A world that is not compacted by then keeps its journal. */
const REWRITING_MS = 1000
/** How many worlds are closed at a time. */
const SIDE_BY_SIDE = 8

/** Closes the stores of all worlds. Nothing is lost if a world is not compacted. */
export async function closeWorlds(worlds: ReadonlyMap<World, WorldStore>, wall: () => number): Promise<void> {
  const left = worlds.entries()
  const end = wall() + REWRITING_MS
  const closeNext = async () => {
    for (const [world, store] of left) {
      world.close()
      await store.close({ rewrites: wall() < end })
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, closeNext))
}
