import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { storageProblem, storing } from './disk-full.ts'
import { type FileOptions, openWorldStore } from './file-store.ts'
import { filesHeldBy, REMOVED } from './files.ts'
import { takeLock } from './lock.ts'
import { FILE_MODE, FOLDER_MODE } from './modes.ts'
import { fileSnapshots } from './snapshots.ts'
import type { WorldFolder } from './store.ts'

const TEAM_ID = /^[\w-]+$/

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
  const inSnapshots = pathsIn(snapshots)
  const left = [...pathsIn(worlds), ...inSnapshots, ...inSnapshots.flatMap(pathsIn)].filter(
    (path) => path.endsWith(REMOVED) || path.endsWith('.tmp'),
  )
  for (const path of left)
    await files
      .removeFolder(path)
      .catch((error: Error) => options.warn(`could not delete ${path}: ${error.message}`))
  return {
    list: async () =>
      readdirSync(worlds, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && TEAM_ID.test(entry.name))
        .map((entry) => entry.name)
        .sort(),
    open: (teamId) => openWorldStore(folderOf(worlds, teamId), { ...options, assertHeld }),
    async peek(teamId) {
      const starts = pathsIn(folderOf(worlds, teamId)).map((path) => readStart(path).catch(() => ''))
      return (await Promise.all(starts)).join('\n')
    },
    remove: (teamId) => storing(() => files.removeFolder(folderOf(worlds, teamId))),
    snapshots: (teamId) => fileSnapshots(folderOf(snapshots, teamId), files),
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

/** The paths in a folder; none if it cannot be read. */
function pathsIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return []
  }
}

const PEEK_BYTES = 1024 * 1024

async function readStart(path: string): Promise<string> {
  const file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(PEEK_BYTES)).finally(() => file.close())
  return buffer.toString('utf8', 0, bytesRead)
}
