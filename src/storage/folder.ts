import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { messageOf } from '../kernel/reason.ts'
import { storageProblem, storing } from './disk-full.ts'
import { type FileOptions, openWorldStore } from './file-store.ts'
import { filesHeldBy, sync, unlessMissing } from './files.ts'
import { indexFile } from './index-file.ts'
import { takeLock } from './lock.ts'
import { FILE_MODE, FOLDER_MODE } from './modes.ts'
import { fileSnapshots } from './snapshots.ts'
import type { WorldFolder } from './store.ts'

const TEAM_ID = /^[\w-]+$/
/** The ending of the folders of worlds that are being removed. */
const REMOVED = '.removed'

/** Stores worlds below `root`, each in a folder of its own, for this process only. */
export async function fileFolder(root: string, options: FileOptions): Promise<WorldFolder> {
  const worlds = join(root, 'worlds')
  const snapshots = join(root, 'snapshots')
  const isNew = !existsSync(root)
  makeFolder(worlds)
  if (isNew)
    writeFileSync(join(root, '.gitignore'), '# The data of a sandbox does not belong in a repository.\n*\n', {
      mode: FILE_MODE,
    })
  const lock = await takeLock(join(root, 'petri.lock'), options.warn)
  const assertHeld = () => {
    try {
      lock.assertHeld()
    } catch (error) {
      throw storageProblem(error)
    }
  }
  const files = filesHeldBy(assertHeld)
  const open = (teamId: string) => openWorldStore(folderOf(worlds, teamId), { ...options, assertHeld })
  const removedFolder = (teamId: string) => `${folderOf(worlds, teamId)}${REMOVED}`
  /** Deletes what is left of a removed world. Its folder goes last, because it says that the snapshots are to be deleted. */
  const deleteRemoved = async (teamId: string) => {
    if (!existsSync(removedFolder(teamId))) return
    await files.removeAll(folderOf(snapshots, teamId))
    await files.removeAll(removedFolder(teamId))
  }
  const orWarn = (path: string, deleted: Promise<void>) =>
    deleted.catch((error: Error) =>
      options.warn(`could not delete ${path}, which the next start tries again: ${error.message}`),
    )
  const pathsIn = (path: string): string[] => {
    try {
      return (unlessMissing(() => readdirSync(path)) ?? []).map((name) => join(path, name))
    } catch (error) {
      options.warn(`could not look for what is left of an earlier run in ${path}: ${messageOf(error)}`)
      return []
    }
  }
  for (const path of pathsIn(worlds).filter((each) => each.endsWith(REMOVED)))
    await orWarn(path, deleteRemoved(basename(path, REMOVED)))
  for (const path of pathsIn(snapshots)
    .flatMap(pathsIn)
    .filter((each) => each.endsWith('.tmp')))
    await orWarn(path, files.removeAll(path))
  return {
    list: async () =>
      readdirSync(worlds, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && TEAM_ID.test(entry.name))
        .map((entry) => entry.name)
        .sort(),
    open,
    create: (teamId) =>
      storing(async () => {
        await deleteRemoved(teamId)
        return open(teamId)
      }),
    async remove(teamId) {
      const path = folderOf(worlds, teamId)
      await storing(async () => unlessMissing(() => files.rename(path, removedFolder(teamId))))
      await orWarn(
        path,
        sync([worlds]).then(() => deleteRemoved(teamId)),
      )
    },
    snapshots: (teamId) => fileSnapshots(folderOf(snapshots, teamId), files, options.warn),
    index: indexFile(join(root, 'worlds.index'), files, (teamId) => folderOf(worlds, teamId)),
    assertHeld,
    close: async () => lock.release(),
  }
}

/** Creates a folder and its parents. Node's `recursive` never returns where a file system has no folders of users, as in `/proc`. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent)
  try {
    mkdirSync(folder, FOLDER_MODE)
  } catch (error) {
    // Another process may have just created it.
    if (!existsSync(folder)) throw error
  }
}

function folderOf(worlds: string, teamId: string): string {
  if (!TEAM_ID.test(teamId)) throw new Error(`${JSON.stringify(teamId)} is not a valid folder name`)
  return join(worlds, teamId)
}
