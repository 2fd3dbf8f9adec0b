// The program of the single executable: unpacks Petri's files once, and runs them. Built by scripts/binaries.mjs.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { getAsset } from 'node:sea'
import { unpackOnce } from './unpack.ts'

/** Of the packed files, so that each build has a folder of its own. */
declare const FILES_HASH: string

function run(): void {
  const folder = unpackOnce({ name: FILES_HASH, packed: () => new Uint8Array(getAsset('files')) })
  const [executable = '', , first] = process.argv
  // A program of Petri that it starts as a process of its own: with this executable, as there may be no other.
  const isOwn = first?.startsWith(join(folder, 'dist'))
  if (isOwn) process.argv = [executable, ...process.argv.slice(2)]
  const program = isOwn ? first : join(folder, 'dist', 'cli', 'main.js')
  // A file, because code inside the executable cannot import modules.
  createRequire(join(folder, 'package.json'))('./run.cjs')(program)
}

try {
  run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
