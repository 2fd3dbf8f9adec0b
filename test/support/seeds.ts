import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from './new-folder.ts'

/** A folder with files of seeds; text is written as it is. */
export function seedFolder(files: Record<string, unknown>): string {
  const folder = makeFolder('petri-seeds-')
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

/** Files of seeds that have no other rows. */
export const complete = (files: Record<string, readonly unknown[]>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(files).map(([name, rows]) => [name, { complete: true, rows }]))
