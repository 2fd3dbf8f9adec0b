// Writes scripts/known-drift.json: the intended differences between Petri and the descriptions it is built from.
// Usage: node scripts/known-drift.mjs OPENAPI-FILE…   (after node scripts/build.mjs; "petri drift" then leaves them out)
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './bundle.mjs'

const files = process.argv.slice(2).filter((file) => existsSync(file))
if (files.length === 0) {
  console.log('skipped: no description was given that is on this machine')
  process.exit(0)
}
const differences = files.flatMap((file) => {
  const args = [join(root, 'dist/cli/main.js'), 'drift', file, '--all', '--json']
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout).differences
})
const known = differences
  .map(({ used_by, ...difference }) => difference)
  .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
await writeFile(
  join(root, 'scripts/known-drift.json'),
  `${JSON.stringify({ differences: known }, null, 2)}\n`,
)
console.log(`wrote ${differences.length} differences to scripts/known-drift.json`)
