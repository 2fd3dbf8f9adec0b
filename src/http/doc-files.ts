import { Hono } from 'hono'
import { CONTENTS, readDocumentation } from '../api/documentation.ts'

/** All pages in one text. */
const WHOLE = 'llms-full.txt'

/** Serves the documentation as Markdown under `/_petri/docs`; it contains no secret and needs no key. */
export function createDocsApp(): Hono {
  const app = new Hono({ strict: false })
  app.get(`/_petri/docs/${WHOLE}`, (c) => c.text(wholeText()))
  app.get('/_petri/docs/:page{.+}', (c) => {
    const page = c.req.param('page')
    const text = readDocumentation(page)
    if (text === undefined) return c.notFound()
    const type = page.endsWith('.md') ? 'text/markdown' : 'text/plain'
    return c.body(text, 200, { 'content-type': `${type}; charset=utf-8` })
  })
  return app
}

/** The pages that `llms.txt` links, in its order. */
function wholeText(): string {
  const contents = readDocumentation(CONTENTS) ?? ''
  return [...contents.matchAll(/\]\(([\w/-]+\.md)\)/g)]
    .map(([, name = '']) => readDocumentation(name) ?? '')
    .join('\n\n')
}
