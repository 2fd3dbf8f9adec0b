import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type FileOptions, openWorldStore } from './file-store.ts'
import { takeLock } from './lock.ts'
import { fileSnapshots } from './snapshots.ts'
import type { WorldFolder } from './store.ts'

const TEAM_ID = /^[\w-]+$/
const REMOVED = '.removed'

/** Keeps worlds under `root`, a folder each, for this process alone. */
export async function fileFolder(root: string, options: FileOptions): Promise<WorldFolder> {
  const worlds = join(root, 'worlds')
  mkdirSync(worlds, { recursive: true })
  const lock = await takeLock(join(root, 'petri.lock'))
  for (const name of readdirSync(worlds)) if (name.endsWith(REMOVED)) await removeAll(join(worlds, name))
  return {
    list: async () =>
      readdirSync(worlds, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && TEAM_ID.test(entry.name))
        .map((entry) => entry.name)
        .sort(),
    open: (teamId) => openWorldStore(folderOf(worlds, teamId), options),
    async remove(teamId) {
      const folder = folderOf(worlds, teamId)
      const removed = `${folder}${REMOVED}`
      await removeAll(removed)
      if (existsSync(folder)) await rename(folder, removed)
      await removeAll(removed)
    },
    snapshots: (teamId) => fileSnapshots(folderOf(join(root, 'snapshots'), teamId)),
    renew: () => lock.renew(),
    close: async () => lock.release(),
  }
}

function folderOf(worlds: string, teamId: string): string {
  if (!TEAM_ID.test(teamId)) throw new Error(`${JSON.stringify(teamId)} cannot name a folder`)
  return join(worlds, teamId)
}

const removeAll = (path: string) => rm(path, { recursive: true, force: true })
