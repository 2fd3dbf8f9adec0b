import type { WorldStore } from '../storage/store.ts'
import type { World } from './world.ts'

/** Milliseconds that worlds may take to leave one document each; what is left then keeps its journal. */
const REWRITING_MS = 1000
/** Worlds that are closed side by side. */
const SIDE_BY_SIDE = 8

/** Stores what is left of every world; nothing is lost with those that are not rewritten. */
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
