// Whether dist/ is what the sources make, without a build: `npm start` then starts within a second.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const dist = join(root, 'dist')
const record = join(dist, '.built.json')
/** What a build reads. */
const INPUTS = [
  'src',
  'scripts',
  'scenarios',
  'seeds',
  'LICENSE',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]

/** A hash of the contents of all inputs, so that a checkout that only touches files builds nothing. */
export const hashOfInputs = () => hashOf(INPUTS, process.version)

/** A hash of the names and contents of the files in these folders. */
export function hashOf(folders, salt = '') {
  const hash = createHash('sha256').update(salt)
  for (const input of folders)
    for (const file of filesOf(join(root, input)))
      hash
        .update(`${relative(root, file)}\0`)
        .update(readFileSync(file))
        .update('\0')
  return hash.digest('hex')
}

/** Whether the last build had these inputs, and all that it wrote is there. */
export function isBuilt() {
  try {
    const { inputs, outputs } = JSON.parse(readFileSync(record, 'utf8'))
    return (
      Object.entries(outputs).every(([file, size]) => statSync(join(dist, file)).size === size) &&
      inputs === hashOfInputs()
    )
  } catch {
    return false
  }
}

/** Before a build, so that one that is broken off counts as none. */
export const forgetBuild = () => rmSync(record, { force: true })

export function recordBuild(inputs) {
  const outputs = filesOf(dist).map((file) => [relative(dist, file), statSync(file).size])
  writeFileSync(record, JSON.stringify({ inputs, outputs: Object.fromEntries(outputs) }))
}

function filesOf(path) {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
}
