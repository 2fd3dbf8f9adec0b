import { Problem } from '../kernel/problem.ts'
import type { RestoredRows } from './restore.ts'
import type { World } from './world.ts'

/** A copy of all rows as they are now. Throws during an advance, when the rows are not consistent. */
export async function copyOfWorld(world: World): Promise<RestoredRows> {
  const { agenda, clock, db } = world
  if (agenda.advancing) {
    throw new Problem('conflict', 'This world is being advanced; wait for that call to return.')
  }
  const at = clock.now()
  agenda.saveClock()
  const { frozen } = clock
  return { tables: await db.copy(), at, frozen }
}
