import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A folder that comes with Petri, wherever this code was bundled to. */
export const packageFolder = (name: 'dist' | 'dist/page' | 'scenarios' | 'seeds'): string =>
  join(packageRoot(dirname(fileURLToPath(import.meta.url))), name)

function packageRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (isPetri(join(folder, 'package.json'))) return folder
    if (dirname(folder) === folder) throw new Error(`no package called petri above ${from}`)
  }
}

const isPetri = (file: string) =>
  existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown }).name === 'petri'
