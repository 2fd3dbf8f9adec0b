import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { once } from '../kernel/once.ts'
import { packageFolder } from '../kernel/package-folder.ts'

/** The list of all pages for language models, in the order in which they are read. */
export const CONTENTS = 'llms.txt'

/** The documentation that comes with Petri. */
export interface Documentation {
  /** The paths of its pages in Markdown. The list is read once, because the package does not change while it runs. */
  pages(): readonly string[]
  /** The text of a page, or of the list of pages; undefined if there is no such page. */
  read(name: string): string | undefined
}

export function documentationIn(folder = packageFolder('docs')): Documentation {
  const pages = once(() => (existsSync(folder) ? pagesIn(folder) : []))
  return {
    pages,
    read: (name) =>
      name === CONTENTS || pages().includes(name) ? readFileSync(join(folder, name), 'utf8') : undefined,
  }
}

const pagesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll(sep, '/'))
    .filter((name) => name.endsWith('.md'))
