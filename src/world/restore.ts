import type { ClockState } from '../kernel/clock.ts'
import { clockRow } from '../scheduler/clock-store.ts'
import { Database } from '../storage/database.ts'
import type { Tables } from '../storage/rows.ts'
import type { Snapshot } from '../storage/snapshots.ts'
import { memoryStore } from '../storage/store.ts'
import type { Identity } from './identity.ts'
import { type Settings, settings } from './settings.ts'

/** What a world is to have in place of its own rows, which become its own. */
export type RestoredRows = Pick<Snapshot, 'tables' | 'at' | 'frozen'>

/** What some rows say of the world they belong to. A copy of the map is read, because a table that is looked for is added to it. */
export const settingsIn = (tables: Tables, teamId: string): Settings | undefined =>
  new Database(memoryStore(new Map(tables))).find(settings, teamId)

/** Rows as a world is to have them: it keeps its names and keys, and its clock goes on from where theirs stood. */
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
