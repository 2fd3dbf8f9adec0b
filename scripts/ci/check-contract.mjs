// Compares what the built Petri describes with both contracts; the matching operations of each may not fall below scripts/ci/contract-floor.json.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../bundle.mjs'
import { withRunningPetri } from '../running-petri.mjs'
import { missingFormats } from './contract-formats.mjs'

const contracts = join(root, '../shared/contract')
const checker = join(contracts, 'check.mjs')
if (!existsSync(checker)) {
  console.log('skipped: the contract pack is not on this machine')
  process.exit(0)
}

const checks = [
  { name: 'service', contract: 'openapi.json' },
  { name: 'management', contract: 'management.json' },
]

const floors = JSON.parse(await readFile(join(root, 'scripts/ci/contract-floor.json'), 'utf8'))

await withRunningPetri(process.execPath, [join(root, 'dist/cli/main.js')], async (url) => {
  for (const check of checks) holdToFloor(check.name, await compare(url, check.contract))
})

function holdToFloor(name, { operations, present, matching, report, formats }) {
  const floor = floors[name]
  console.log(`${name}: operations ${operations}, present ${present}, matching ${matching}, floor ${floor}`)
  for (const { operation, differences } of report) {
    if (differences.length > 0 && differences[0] !== 'operation missing') {
      console.log(`${operation}\n    ${differences.slice(0, 8).join('\n    ')}`)
    }
  }
  if (matching > floor) console.log(`the floor of ${name} can rise to ${matching}`)
  // Also fails without a floor.
  if (!(matching >= floor)) {
    console.error(`Fewer operations match the contract than before: ${matching} instead of ${floor}.`)
    process.exitCode = 1
  }
  if (formats.length > 0) {
    console.error(`Typed clients need these formats:\n    ${formats.join('\n    ')}`)
    process.exitCode = 1
  }
}

/** The checker ends with status 1 as long as anything differs, which is no failure here. */
async function compare(url, contract) {
  const args = [checker, '--url', `${url}/openapi.json`, '--contract', join(contracts, contract), '--json']
  const run = promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 28 })
  const { stdout } = await run.catch((error) => {
    if (error.code === 1) return error
    throw error
  })
  const [facts, served] = await Promise.all([
    readFile(join(contracts, contract), 'utf8').then(JSON.parse),
    fetch(`${url}/openapi.json`).then((response) => response.json()),
  ])
  return { ...JSON.parse(stdout), formats: missingFormats(facts, served) }
}
