import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Whether a program is in a folder of PATH. */
export const isInstalled = (tool: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, tool)))
