import { Problem } from '../kernel/problem.ts'
import type { RestoredRows } from './restore.ts'
import type { World } from './world.ts'

/** A copy of all rows. Throws during an advance, when the rows are not consistent. */
export function copyOfWorld(world: World): RestoredRows {
  const { agenda, clock, db } = world
  if (agenda.advancing) {
    throw new Problem('conflict', 'This world is being advanced; wait for that call to return.')
  }
  const at = clock.now()
  agenda.saveClock()
  return { tables: db.copy(), at, frozen: clock.frozen }
}
