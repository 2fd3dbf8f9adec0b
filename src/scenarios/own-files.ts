import { existsSync, readdirSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { whyUnreadable } from '../kernel/reason.ts'
import { nameOfFile, scenarioFilesIn } from './bundled.ts'

export type ScenarioKind = 'order' | 'feed'

/** A scenario file of the user. */
export interface OwnFile {
  readonly path: string
  readonly name: string
  /** By the folder it lies in; undefined if that does not say so. */
  readonly kind: ScenarioKind | undefined
}

/** The subfolder of feed scenarios. */
export const FEEDS = 'feeds'

/** The scenario files of a folder and of its subfolder for feeds. Throws an Error in words if it cannot be read. */
export function listOwnFiles(folder: string): OwnFile[] {
  assertReadableFolder(folder)
  const filesIn = (path: string, kind: ScenarioKind) =>
    scenarioFilesIn(path).map((file) => ({ path: join(path, file), name: nameOfFile(file), kind }))
  return [...filesIn(folder, 'order'), ...filesIn(join(folder, FEEDS), 'feed')]
}

function assertReadableFolder(folder: string): void {
  for (const path of [folder, join(folder, FEEDS)]) {
    if (path !== folder && !existsSync(path)) continue
    try {
      if (!statSync(path).isDirectory()) throw new Error(`${path} is a file, not a folder of scenarios`)
      readdirSync(path)
    } catch (error) {
      throw new Error(`${whyUnreadable(path, error)}.`)
    }
  }
}

/** A text that changes with the files of these folders. */
export async function fingerprintOf(folders: readonly string[]): Promise<string> {
  const files = folders.flatMap(listOwnFiles)
  const marks = files.map(({ path }) =>
    stat(path).then(
      ({ mtimeMs, size, ino }) => `${path} ${mtimeMs} ${size} ${ino}`,
      () => path,
    ),
  )
  return (await Promise.all(marks)).join('\n')
}
