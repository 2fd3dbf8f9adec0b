import { readFileSync, writeFileSync } from 'node:fs'

/** What a page of docs/ has between the comments `<!-- NAME begin -->` and `<!-- NAME end -->`, and around them. */
function partsOf(page, name) {
  const path = new URL(`../docs/${page}.md`, import.meta.url)
  const [before, text, after] = readFileSync(path, 'utf8').split(
    new RegExp(`<!-- ${name} (?:begin|end) -->\\n`),
  )
  if (text === undefined) throw new Error(`docs/${page}.md has no section "${name}"`)
  return { path, before, text, after }
}

export const readSection = (page, name) => partsOf(page, name).text

export function writeSection(page, name, text) {
  const { path, before, after } = partsOf(page, name)
  writeFileSync(path, `${before}<!-- ${name} begin -->\n${text}\n<!-- ${name} end -->\n${after}`)
}
