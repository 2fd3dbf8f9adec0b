// Prints the tokens of TypeScript in each folder of src: identifiers, numbers, strings and signs, without comments and white space.
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { root } from './bundle.mjs'

const TOKEN = /[A-Za-z_$][\w$]*|\d[\w.]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`|[^\s\w]/g
const COMMENT = /\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm

const src = join(root, 'src')
const files = readdirSync(src, { recursive: true }).filter((file) => /\.tsx?$/.test(file))
const tokens = new Map()
for (const file of files) {
  const [folder, ...rest] = file.split(sep)
  const name = rest.length > 0 ? folder : '(src)'
  const code = readFileSync(join(src, file), 'utf8').replace(COMMENT, ' ')
  tokens.set(name, (tokens.get(name) ?? 0) + (code.match(TOKEN) ?? []).length)
}
const total = [...tokens.values()].reduce((sum, count) => sum + count, 0)
const rows = [...[...tokens].sort((a, b) => b[1] - a[1]), [`all, ${files.length} files`, total]]
for (const [name, count] of rows) console.log(`${name.padEnd(16)} ${String(count).padStart(7)}`)
