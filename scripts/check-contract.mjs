// Compares what the built Petri describes with the contract; never fewer operations may match than contract-floor.txt says.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './bundle.mjs'
import { missingFormats } from './contract-formats.mjs'
import { withRunningPetri } from './running-petri.mjs'

const checker = join(root, '../shared/contract/check.mjs')
if (!existsSync(checker)) {
  console.log('skipped: the contract pack is not on this machine')
  process.exit(0)
}

const { operations, present, matching, report, formats } = await withRunningPetri(
  process.execPath,
  [join(root, 'dist/cli/main.js')],
  compare,
)
const floor = Number(await readFile(join(root, 'contract-floor.txt'), 'utf8'))
console.log(`operations ${operations}, present ${present}, matching ${matching}, floor ${floor}`)
for (const { operation, differences } of report) {
  if (differences.length > 0 && differences[0] !== 'operation missing') {
    console.log(`${operation}\n    ${differences.slice(0, 8).join('\n    ')}`)
  }
}
if (matching < floor) {
  console.error(`Fewer operations match the contract than before: ${matching} instead of ${floor}.`)
  process.exit(1)
}
if (formats.length > 0) {
  console.error(`Typed clients need these formats:\n    ${formats.join('\n    ')}`)
  process.exit(1)
}
if (matching > floor) console.log(`contract-floor.txt can rise to ${matching}`)

/** The checker ends with status 1 as long as anything differs, which is no failure here. */
async function compare(url) {
  const args = [checker, '--url', `${url}/openapi.json`, '--json']
  const run = promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 28 })
  const { stdout } = await run.catch((error) => {
    if (error.code === 1) return error
    throw error
  })
  const [contract, served] = await Promise.all([
    readFile(join(checker, '../openapi.json'), 'utf8').then(JSON.parse),
    fetch(`${url}/openapi.json`).then((response) => response.json()),
  ])
  return { ...JSON.parse(stdout), formats: missingFormats(contract, served) }
}
