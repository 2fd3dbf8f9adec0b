import { rmSync } from 'node:fs'
import { expect, onTestFinished } from 'vitest'
import { fileFolder } from '../../src/storage/folder.ts'
import type { RowChange } from '../../src/storage/rows.ts'
import { memoryFolder, memoryStore, type WorldFolder, type WorldStore } from '../../src/storage/store.ts'
import { makeFolder } from './new-folder.ts'
import { startTestPetri } from './petri.ts'

/** A data folder for one test: `start` opens it with another Petri after the one before was closed. */
export function dataFolder(warn: (text: string) => void = (text) => expect.fail(text)) {
  const root = makeFolder('petri-data-')
  onTestFinished(() => rmSync(root, { recursive: true }))
  return {
    root,
    start: async (options: Parameters<typeof startTestPetri>[0] = {}) =>
      startTestPetri({ ...options, folder: await fileFolder(root, { warn }) }),
  }
}

/** A folder whose worlds outlive the Petri that opened them; `onAppend` sees what is stored. */
export function keepingFolder(
  onAppend: (changes: readonly RowChange[]) => void = () => undefined,
): WorldFolder & { readonly stored: ReadonlyMap<string, WorldStore> } {
  const stored = new Map<string, WorldStore>()
  const keep = (teamId: string, store: WorldStore): WorldStore => {
    const kept: WorldStore = {
      ...store,
      append: (changes) => onAppend(changes),
      replace: (tables, onReplaced) => store.replace(tables, (other) => onReplaced(keep(teamId, other))),
    }
    stored.set(teamId, kept)
    return kept
  }
  const open = async (teamId: string) => stored.get(teamId) ?? keep(teamId, memoryStore())
  return {
    ...memoryFolder(),
    stored,
    list: async () => [...stored.keys()],
    open,
    create: open,
    remove: async (teamId) => void stored.delete(teamId),
  }
}
