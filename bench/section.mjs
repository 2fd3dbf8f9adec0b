import { readFileSync, writeFileSync } from 'node:fs'

const path = new URL('../docs/benchmarks.md', import.meta.url)

/** Replaces what docs/benchmarks.md has between the comments `<!-- NAME begin -->` and `<!-- NAME end -->`. */
export function writeSection(name, text) {
  const [before, old, after] = readFileSync(path, 'utf8').split(
    new RegExp(`<!-- ${name} (?:begin|end) -->\\n`),
  )
  if (old === undefined) throw new Error(`docs/benchmarks.md has no section "${name}"`)
  writeFileSync(path, `${before}<!-- ${name} begin -->\n${text}\n<!-- ${name} end -->\n${after}`)
}
