import type { Tables } from '../../src/world/entry.ts'
import { memoryFolder } from '../../src/world/persistence.ts'
import type { WorldFolder } from '../../src/world/worlds.ts'

/** A folder whose worlds outlive the Petri that opened them. */
export function keepingFolder(): WorldFolder {
  const kept = new Map<string, Tables>()
  return {
    ...memoryFolder(),
    list: async () => [...kept.keys()],
    async open(teamId) {
      const tables = kept.get(teamId) ?? new Map()
      kept.set(teamId, tables)
      return { ...(await memoryFolder().open(teamId)), tables }
    },
  }
}
