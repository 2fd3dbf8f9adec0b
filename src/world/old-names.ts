import { Slices } from '../kernel/slices.ts'
import type { Tables } from '../storage/rows.ts'
import type { WorldStore } from '../storage/store.ts'
import { settingsIn } from './restore.ts'
import { ROW_VERSION, settings } from './settings.ts'

// Scenarios were stored as stories: such rows are read once, and stored again with the names of today.

const OLD_TABLES: ReadonlyMap<string, string> = new Map([
  ['order_stories', 'order_scenarios'],
  ['stories', 'scenarios'],
  ['user_stories', 'user_scenarios'],
  ['feed_stories', 'feed_scenarios'],
])
/** Tables with rows that had the old field. */
const TABLES_WITH_FIELD: ReadonlySet<string> = new Set([
  ...['order_stories', 'user_stories', 'usual_feeds', 'connection_feeds', 'link_tokens', 'jobs'],
])
/** The old field, which cannot occur inside a string, where quotes are escaped. */
const OLD_FIELD = '"story":'

export const currentTable = (table: string): string => OLD_TABLES.get(table) ?? table

export const currentRow = (table: string, text: string): string =>
  TABLES_WITH_FIELD.has(table) ? text.replaceAll(OLD_FIELD, '"scenario":') : text

/** The same store, with the names of today. At every moment either the old or the new rows are stored. */
export async function currentStore(store: WorldStore, teamId: string): Promise<WorldStore> {
  const tables = await currentTables(store.tables, teamId)
  let current = store
  if (tables !== store.tables)
    await store.replace(tables, (replaced) => {
      current = replaced
    })
  return current
}

/** The rows with the names of today; the same map if they have them already. */
export async function currentTables(tables: Tables, teamId: string): Promise<Tables> {
  const stored = settingsIn(tables, teamId)
  if (!stored || stored.rowVersion === ROW_VERSION) return tables
  const current: Tables = new Map()
  const slices = new Slices()
  for (const [table, rows] of tables) {
    const own: typeof rows = TABLES_WITH_FIELD.has(table) ? new Map() : rows
    current.set(currentTable(table), own)
    if (own === rows) continue
    for (const [id, text] of rows) {
      own.set(id, currentRow(table, text))
      if (slices.isOver) await slices.next()
    }
  }
  return current.set(
    settings.name,
    new Map([[teamId, JSON.stringify({ ...stored, rowVersion: ROW_VERSION })]]),
  )
}
