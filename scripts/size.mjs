// Prints the lines of TypeScript in each folder of src. The engine is src without the folders that grow with the contract
// (resources, management) and without the programs around it (cli, mcp, page).
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { root } from './bundle.mjs'

const outsideEngine = ['resources', 'management', 'cli', 'mcp', 'page']
const src = join(root, 'src')
const files = readdirSync(src, { recursive: true }).filter((file) => /\.tsx?$/.test(file))
const lines = new Map()
for (const file of files) {
  const [folder, ...rest] = file.split(sep)
  const name = rest.length > 0 ? folder : '(src)'
  lines.set(name, (lines.get(name) ?? 0) + readFileSync(join(src, file), 'utf8').split('\n').length - 1)
}
const sum = (names) => names.reduce((total, name) => total + lines.get(name), 0)
const folders = [...lines.keys()].sort((a, b) => lines.get(b) - lines.get(a))
const rows = [
  ...folders.map((name) => [name, lines.get(name)]),
  ['all', sum(folders)],
  ['engine', sum(folders.filter((name) => !outsideEngine.includes(name)))],
]
for (const [name, count] of rows) console.log(`${name.padEnd(12)} ${String(count).padStart(6)}`)
