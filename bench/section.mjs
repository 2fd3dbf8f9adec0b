import { readFileSync, writeFileSync } from 'node:fs'

/** Replaces what a page of docs/ has between the comments `<!-- NAME begin -->` and `<!-- NAME end -->`. */
export function writeSection(page, name, text) {
  const path = new URL(`../docs/${page}.md`, import.meta.url)
  const [before, old, after] = readFileSync(path, 'utf8').split(
    new RegExp(`<!-- ${name} (?:begin|end) -->\\n`),
  )
  if (old === undefined) throw new Error(`docs/${page}.md has no section "${name}"`)
  writeFileSync(path, `${before}<!-- ${name} begin -->\n${text}\n<!-- ${name} end -->\n${after}`)
}
