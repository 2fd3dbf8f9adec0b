import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { Hono } from 'hono'
import { packageFolder } from '../kernel/package-folder.ts'

/** The list of all pages for language models, whose order is that of the whole text. */
const CONTENTS = 'llms.txt'
/** All pages in one text. */
const WHOLE = 'llms-full.txt'

/** Serves the documentation as Markdown under `/_petri/docs`; it contains no secret and needs no key. */
export function createDocsApp(folder = packageFolder('docs')): Hono {
  const app = new Hono({ strict: false })
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  app.get('/_petri/docs', (c) => c.redirect('/_petri/docs/README.md'))
  app.get(`/_petri/docs/${WHOLE}`, (c) => c.text(wholeText(read)))
  app.get('/_petri/docs/:page{.+}', (c) => {
    const page = c.req.param('page')
    if (!pagesIn(folder).includes(page)) return c.notFound()
    const type = page.endsWith('.md') ? 'text/markdown' : 'text/plain'
    return c.body(read(page), 200, { 'content-type': `${type}; charset=utf-8` })
  })
  return app
}

const pagesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll(sep, '/'))
    .filter((name) => name.endsWith('.md') || name === CONTENTS)

/** The pages of the folder that `llms.txt` links, in its order. */
function wholeText(read: (name: string) => string): string {
  const pages = [...read(CONTENTS).matchAll(/\]\(([\w/-]+\.md)\)/g)].map(([, name = '']) => read(name))
  return pages.join('\n\n')
}
