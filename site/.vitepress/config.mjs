import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'

const contents = JSON.parse(readFileSync(new URL('contents.json', import.meta.url), 'utf8'))
const address = (page) => (page === 'README' ? '/' : `/${page}`)

export default defineConfig({
  title: 'Petri',
  description: 'An offline sandbox of the Lab Testing and Health Data Service',
  base: process.env.SITE_BASE ?? '/',
  srcDir: 'pages',
  outDir: 'dist',
  rewrites: { 'README.md': 'index.md' },
  // Links to examples, scenarios and seeds: they lie beside the pages as files, and the test of the docs checks them.
  ignoreDeadLinks: [/\/(examples|scenarios|seeds)\b/],
  markdown: { config: escapeMustaches },
  themeConfig: {
    outline: [2, 3],
    search: { provider: 'local' },
    sidebar: contents.map(({ text, pages }) => ({
      text,
      items: Object.entries(pages).map(([page, title]) => ({ text: title, link: address(page) })),
    })),
  },
})

/** `{{ }}` in a page is text, not a template. */
function escapeMustaches(markdown) {
  const { text } = markdown.renderer.rules
  markdown.renderer.rules.text = (...rule) => text(...rule).replaceAll('{{', '&#123;&#123;')
}
