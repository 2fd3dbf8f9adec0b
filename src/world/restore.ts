import type { ClockState } from '../kernel/clock.ts'
import { clockRow } from '../scheduler/agenda.ts'
import { Change } from '../storage/change.ts'
import { Database } from '../storage/database.ts'
import { type Entry, type Tables, textOf } from '../storage/entry.ts'
import type { WorldStore } from '../storage/persistence.ts'
import type { Snapshot } from '../storage/snapshots.ts'
import { type Settings, settings } from './settings.ts'
import type { Identity } from './world.ts'

/** What a world is to have in place of its own rows. */
export type Restored = Pick<Snapshot, 'tables' | 'at' | 'frozen'>

/** What some rows say of the world they belong to. */
export const settingsIn = (tables: Tables, teamId: string): Settings | undefined =>
  new Database(
    tables,
    () => undefined,
    () => [],
  ).find(settings, teamId)

/** Gives an empty store its rows, all at once. The world keeps its names and keys, and its clock goes on from where theirs stood. */
export function fillStore(
  store: WorldStore,
  { tables, at, frozen }: Restored,
  { identity, wallNow }: { readonly identity: Identity; readonly wallNow: number },
): void {
  const clock: ClockState = frozen
    ? { offsetMs: 0, frozenAt: at }
    : { offsetMs: at - wallNow, frozenAt: null }
  const kept = settingsIn(tables, identity.teamId)
  const own = new Map<string, readonly [string, object]>([[clockRow.name, [clockRow.idOf(clock), clock]]])
  if (kept) own.set(settings.name, [identity.teamId, { ...kept, identity }])
  const changes: Change[] = []
  const add = (table: string, rows: Map<string, Entry>) => {
    const written = new Map<string, string>()
    for (const [id, entry] of rows) written.set(id, textOf(entry))
    store.tables.set(table, written)
    for (const [id, text] of written) changes.push(new Change(table, id, text))
  }
  for (const [table, rows] of tables) if (!own.has(table)) add(table, rows)
  for (const [table, [id, row]] of own) add(table, new Map([[id, JSON.stringify(row)]]))
  store.append(changes)
}
