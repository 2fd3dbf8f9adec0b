import { mkdirSync } from 'node:fs'
import { Low } from 'lowdb'
import { convertFormat1 } from './format-1.ts'
import { type FileOptions, JournalAdapter } from './journal-adapter.ts'
import type { Tables } from './rows.ts'
import type { WorldStore } from './store.ts'

/** Opens the world in a folder, which is made when it is not there. */
export async function openWorldStore(folder: string, options: FileOptions): Promise<WorldStore> {
  mkdirSync(folder, { recursive: true })
  await convertFormat1(folder, options.warn)
  const adapter = new JournalAdapter(folder, options)
  const low = new Low<Tables>(adapter, new Map())
  await low.read()
  return storeOf(adapter, low)
}

function storeOf(adapter: JournalAdapter, low: Low<Tables>): WorldStore {
  const rewrite = () => low.write()
  return {
    tables: low.data,
    append(changes) {
      adapter.append(changes)
      if (adapter.isLong) setImmediate(() => void adapter.compact(rewrite))
    },
    blocked: () => adapter.blocked(),
    async reopen() {
      await low.read()
      return storeOf(adapter, low)
    },
    async replace(tables, onRows) {
      await adapter.replace(tables, onRows)
      low.data = tables
      return storeOf(adapter, low)
    },
    async compact() {
      if (adapter.isWorthCompacting) await adapter.compact(rewrite)
    },
    close: ({ rewrites } = { rewrites: true }) => adapter.close(rewrites ? rewrite : undefined),
    discard: () => adapter.close(),
  }
}
