import { useData, withBase } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { h } from 'vue'
import './style.css'

/** VitePress's theme, with a link to each page as Markdown under it. */
export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'doc-footer-before': () => h(MarkdownLink) }),
}

function MarkdownLink() {
  const { page } = useData()
  // A link with a target is left to the browser: the router would look for a page.
  return h(
    'a',
    { class: 'as-markdown', href: withBase(`/${page.value.filePath}`), target: '_self' },
    'This page as Markdown',
  )
}
