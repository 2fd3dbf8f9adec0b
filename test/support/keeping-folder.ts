import type { AppendChanges } from '../../src/storage/change.ts'
import { memoryFolder, type WorldStore } from '../../src/storage/persistence.ts'
import type { WorldFolder } from '../../src/world/worlds.ts'

/** A folder whose worlds outlive the Petri that opened them; `onAppend` sees what is stored. */
export function keepingFolder(onAppend: AppendChanges = () => undefined): WorldFolder {
  const folder = memoryFolder()
  const kept = new Map<string, WorldStore>()
  return {
    ...folder,
    list: async () => [...kept.keys()],
    async open(teamId) {
      const store = kept.get(teamId) ?? (await folder.open(teamId))
      kept.set(teamId, store)
      const append: AppendChanges = (changes) => {
        onAppend(changes)
        store.append(changes)
      }
      return { ...store, append }
    },
    remove: async (teamId) => void kept.delete(teamId),
  }
}
