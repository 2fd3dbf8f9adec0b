// Pages as their readers see them: what is tested of a page is read from its HTML, made by the renderer that the site uses.
import MarkdownIt from 'markdown-it'

const markdown = new MarkdownIt({ html: true })
const { fence } = markdown.renderer.rules
// What comes after the language of a fence says how its block is tested. It is not shown, so it is added.
markdown.renderer.rules.fence = (tokens, at, ...rest) => {
  const marks = markdown.utils.escapeHtml(tokens[at].info.trim().replace(/^\S*\s*/, ''))
  return fence(tokens, at, ...rest).replace('<pre>', `<pre data-marks="${marks}">`)
}

/** The HTML of a page in Markdown. */
export const render = (text) => markdown.render(text)

/** The text of a piece of HTML. */
export const textOf = (html) =>
  html
    .replace(/<!--[\s\S]*?-->|<[^>]+>/g, '')
    .replace(/&#(x?)([0-9a-f]+);/gi, (_, hex, digits) =>
      String.fromCodePoint(parseInt(digits, hex ? 16 : 10)),
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

/** A paragraph that is the name of a file, before a block. The site puts a button and the language in between. */
const FILE =
  /<p><code>([\w.-]+\.\w+)<\/code>:<\/p>\s*(?:<div[^>]*><button[^>]*><\/button><span[^>]*>[^<]*<\/span>)?$/

/**
 * The code blocks of a page in HTML, in order: language, marks, text, the name of the file that the paragraph before it consists of,
 * and whether nothing is shown between it and the block before.
 */
export function blocksIn(html) {
  let end = 0
  return [...html.matchAll(/<pre([^>]*)><code([^>]*)>([\s\S]*?)<\/code><\/pre>/g)].map((found) => {
    const [whole, ofBlock, ofCode, code] = found
    const attributes = ofBlock + ofCode
    const between = html.slice(end, found.index)
    const isFirst = end === 0
    end = found.index + whole.length
    return {
      language: /language-([\w-]+)/.exec(attributes)?.[1] ?? '',
      marks: (/data-marks="([^"]+)"/.exec(attributes)?.[1] ?? '').split(' ').filter(Boolean),
      text: textOf(code),
      file: FILE.exec(between)?.[1],
      follows: !isFirst && textOf(between).trim() === '',
    }
  })
}
