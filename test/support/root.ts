import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The text of one of its files. */
export const read = (path: string) => readFileSync(join(root, path), 'utf8')
