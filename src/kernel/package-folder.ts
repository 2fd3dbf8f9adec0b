import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { once } from './once.ts'

/** A folder of the installed package, both from the sources and from a bundle. */
export const packageFolder = (
  name: 'dist' | 'dist/page' | 'dist/seeds' | 'scenarios' | 'seeds' | 'docs' | 'skills',
): string => join(root(), name)

const root = once(() => packageRoot(dirname(fileURLToPath(import.meta.url))))

function packageRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (isPetri(join(folder, 'package.json'))) return folder
    if (dirname(folder) === folder) throw new Error(`no package with the command petri above ${from}`)
  }
}

/** Recognised by its command, because a fork may have another name. */
const isPetri = (file: string) =>
  existsSync(file) &&
  (JSON.parse(readFileSync(file, 'utf8')) as { bin?: { petri?: unknown } }).bin?.petri !== undefined
