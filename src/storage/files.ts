import fs from 'node:fs'
import { open } from 'node:fs/promises'
import { platform } from '../kernel/platform.ts'
import { codeOf } from '../kernel/reason.ts'
import { FILE_MODE, FOLDER_MODE } from './modes.ts'

/** A file that is written from its beginning. */
export interface NewFile {
  write(bytes: Uint8Array): Promise<void>
  sync(): Promise<void>
  close(): Promise<void>
}

/**
 * The changes to the files of a data folder. Each one throws if another process has taken the folder; nothing else
 * changes a file.
 */
export interface Files {
  /** Throws if another process has taken the folder. */
  assertHeld(): void
  /** Creates a folder whose parent exists; a data folder that was removed is not created again. */
  makeFolder(path: string): void
  create(path: string): Promise<NewFile>
  write(path: string, text: string): void
  /** Appends to an open file. */
  append(file: number, bytes: Uint8Array): void
  /** Replaces the bytes of a file from a position on. */
  overwrite(path: string, position: number, bytes: Uint8Array): void
  truncate(path: string, length: number): void
  rename(from: string, to: string): void
  /** Removes a file, and returns whether it existed. */
  remove(path: string): boolean
  /** Removes a file or folder with all that is in it, if it exists. */
  removeAll(path: string): Promise<void>
}

export function filesHeldBy(assertHeld: () => void): Files {
  return {
    assertHeld,
    makeFolder(path) {
      assertHeld()
      try {
        fs.mkdirSync(path, FOLDER_MODE)
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error
      }
    },
    async create(path) {
      assertHeld()
      const file = await open(path, 'w', FILE_MODE)
      return {
        async write(bytes) {
          assertHeld()
          await file.writeFile(bytes)
        },
        sync: () => file.sync(),
        close: () => file.close(),
      }
    },
    write(path, text) {
      assertHeld()
      fs.writeFileSync(path, text, { mode: FILE_MODE })
    },
    append(file, bytes) {
      assertHeld()
      for (let written = 0; written < bytes.length; ) written += fs.writeSync(file, bytes, written)
    },
    overwrite(path, position, bytes) {
      assertHeld()
      const file = fs.openSync(path, 'r+')
      try {
        fs.writeSync(file, bytes, 0, bytes.length, position)
      } finally {
        fs.closeSync(file)
      }
    },
    truncate(path, length) {
      assertHeld()
      fs.truncateSync(path, length)
    },
    rename(from, to) {
      assertHeld()
      fs.renameSync(from, to)
    },
    remove(path) {
      assertHeld()
      return (
        unlessMissing(() => {
          fs.rmSync(path)
          return true
        }) ?? false
      )
    },
    async removeAll(path) {
      assertHeld()
      await fs.promises.rm(path, { recursive: true, force: true })
    },
  }
}

/** The result of reading or changing a file or folder; undefined when it is not there. */
export function unlessMissing<Result>(act: () => Result): Result | undefined {
  try {
    return act()
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return undefined
  }
}

/** Syncs files and folders, so that they survive a power failure; Windows syncs no folders. */
export function syncNow(paths: readonly string[]): void {
  for (const path of paths.filter(canBeSynced)) {
    const file = fs.openSync(path, 'r')
    try {
      fs.fsyncSync(file)
    } finally {
      fs.closeSync(file)
    }
  }
}

/** Begins to sync files and folders. Those that are gone by then need no sync. */
export function syncInBackground(paths: readonly string[]): void {
  void sync(paths).catch(() => undefined)
}

export async function sync(paths: readonly string[]): Promise<void> {
  for (const path of paths.filter(canBeSynced)) {
    const file = await open(path, 'r')
    await file.sync().finally(() => file.close())
  }
}

const canBeSynced = (path: string) => platform.syncsFolders || fs.statSync(path).isFile()
