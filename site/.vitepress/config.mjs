import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

const root = fileURLToPath(new URL('../../', import.meta.url))
const pages = join(root, 'site/pages')
const base = process.env.SITE_BASE ?? '/'
const contents = JSON.parse(readFileSync(join(pages, 'contents.json'), 'utf8'))
const repository = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).homepage.replace(
  '#readme',
  '',
)
const address = (page) => `/${page}`.replace(/README$/, '')

export default defineConfig({
  title: 'Petri',
  description: 'An offline sandbox of the Lab Testing and Health Data Service',
  base,
  srcDir: 'pages',
  outDir: 'dist',
  rewrites: (path) => path.replace(/README\.md$/, 'index.md'),
  // All of the search's index is one file.
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  transformHead: ({ pageData: { filePath } }) => [
    ['link', { rel: 'alternate', type: 'text/markdown', href: `${base}${filePath}` }],
  ],
  markdown: {
    // Addresses in the text are examples.
    linkify: false,
    // As GitHub makes them, to which the pages are written.
    anchor: { slugify },
    config: (markdown) => {
      escapeMustaches(markdown)
      leadLinks(markdown)
    },
  },
  themeConfig: {
    outline: [2, 3],
    search: { provider: 'local' },
    nav: [{ text: 'Changelog', link: '/CHANGELOG' }],
    sidebar: contents.map(({ text, pages: titles }, at) => ({
      text,
      collapsed: at > 0,
      items: Object.entries(titles).map(([page, title]) => ({ text: title, link: address(page) })),
    })),
  },
})

function slugify(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** `{{ }}` in a page is text, not a template. */
function escapeMustaches(markdown) {
  const { text } = markdown.renderer.rules
  markdown.renderer.rules.text = (...rule) => text(...rule).replaceAll('{{', '&#123;&#123;')
}

/** Links lead to the page, to the file beside the pages, or else to the repository. */
function leadLinks(markdown) {
  markdown.core.ruler.push('links', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const link = token.type === 'link_open' ? token.attrGet('href') : null
      if (!link || /^(\w+:|#|\/)/.test(link)) continue
      const [path] = decodeURI(link).split('#')
      const target = posix.join(posix.dirname(env.relativePath), path)
      if (existsSync(join(pages, target))) {
        // These pages are written as index.html; see `rewrites`.
        token.attrSet('href', link.replace(/README\.md(?=#|$)/, 'index.md'))
        continue
      }
      const served = join(pages, 'public', target)
      if (existsSync(served) && statSync(served).isFile()) {
        token.attrSet('href', `/${target}`)
        token.attrSet('target', '_self')
      } else token.attrSet('href', `${repository}/blob/main/${target}`)
    }
  })
}
