import type { ClockState } from '../kernel/clock.ts'
import { clockRow } from '../scheduler/clock-row.ts'
import { Database } from '../storage/database.ts'
import type { Tables } from '../storage/rows.ts'
import type { Snapshot } from '../storage/snapshots.ts'
import { memoryStore } from '../storage/store.ts'
import type { Identity } from './settings.ts'
import { type Settings, settings } from './settings.ts'
import type { World } from './world.ts'

/** The rows that replace those of a world, and the time of their clock. */
export type RestoredRows = Pick<Snapshot, 'tables' | 'at' | 'frozen'>

/** The settings in the rows of a world. */
export function settingsIn(tables: Tables, teamId: string): Settings | undefined {
  // A copy of the map, because looking up a table adds it to the map.
  return new Database(memoryStore(new Map(tables))).find(settings, teamId)
}

/** The rows for a world that is restored: with its own names and keys, and a clock that continues from the time `at`. */
export function restoreRows(
  { tables, at, frozen }: RestoredRows,
  identity: Identity,
  wallNow: number,
): Tables {
  const clock: ClockState = frozen
    ? { offsetMs: 0, frozenAt: at }
    : { offsetMs: at - wallNow, frozenAt: null }
  const stored = settingsIn(tables, identity.teamId)
  const restored: Tables = new Map(tables)
  restored.set(clockRow.name, new Map([[clockRow.idOf(clock), JSON.stringify(clock)]]))
  if (stored)
    restored.set(settings.name, new Map([[identity.teamId, JSON.stringify({ ...stored, identity })]]))
  return restored
}

/** A copy of all rows as they are now. Throws during an advance, when the rows are not consistent. */
export async function copyOfWorld(world: World): Promise<RestoredRows> {
  const { agenda, clock, db } = world
  agenda.assertNotAdvancing()
  const at = clock.now()
  agenda.saveClock()
  const { frozen } = clock
  return { tables: await db.copy(), at, frozen }
}
