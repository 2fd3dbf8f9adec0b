import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { once } from '../kernel/once.ts'
import { packageFolder } from '../kernel/package-folder.ts'

/** The list of all pages for language models, in the order in which they are read. */
export const CONTENTS = 'llms.txt'

const pathOf = (name = '') => join(packageFolder('docs'), name)

/** The paths of the documentation's pages in Markdown. Read once, because the package does not change while it runs. */
export const documentationPages = once((): readonly string[] =>
  existsSync(pathOf())
    ? readdirSync(pathOf(), { recursive: true, encoding: 'utf8' })
        .map((name) => name.replaceAll(sep, '/'))
        .filter((name) => name.endsWith('.md'))
    : [],
)

/** The text of a page, or of the list of pages; undefined if there is no such page. */
export const readDocumentation = (name: string): string | undefined =>
  name === CONTENTS || documentationPages().includes(name) ? readFileSync(pathOf(name), 'utf8') : undefined
