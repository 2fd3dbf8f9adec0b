import { Problem } from '../kernel/problem.ts'
import type { RestoredRows } from './restore.ts'
import type { World } from './world.ts'

/** All of a world as it is now. Refused while its clock is being advanced, as half of what falls due is still to come. */
export function copyOfWorld(world: World): RestoredRows {
  const { agenda, clock, db } = world
  if (agenda.advancing) {
    throw new Problem('conflict', 'This world is being advanced; wait for that call to return.')
  }
  const at = clock.now()
  agenda.saveClock()
  return { tables: db.copy(), at, frozen: clock.frozen }
}
