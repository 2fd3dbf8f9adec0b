import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readClientConfig } from '../../src/cli/config.ts'
import { wallClock } from '../../src/kernel/clock.ts'
import { plural } from '../../src/kernel/readable.ts'
import { createPetri } from '../../src/petri.ts'
import { print } from '../../src/terminal/context.ts'
import { UsageProblem, wholeNumber } from '../../src/terminal/errors.ts'
import { readDocument } from '../../src/tools/drift/document.ts'
import { differencesIn, render } from '../../src/tools/drift/report.ts'
import { assertSandboxKey, createTeamApi } from '../../src/tools/team-api.ts'
import { mergeQuestions } from '../../src/tools/verify/compare-replies.ts'
import { firstWorld } from '../first-world.ts'
import { fidelityPage } from '../generate/fidelity-page.ts'
import { describeFindings } from './report.ts'
import { walk } from './walk.ts'

/** The number of sequences with differences after which a walk ends. */
const MAX_FINDINGS = 25
const MAX_SEED = 2 ** 31 - 1

/** Walks both services with the arguments of the command line. Returns the exit status. */
export async function compareWalk(args: readonly string[], root: string): Promise<number> {
  const { against, key, calls: limit, seed: given, accept, write, ...target } = read(args)
  assertSandboxKey(key, 'The walk')
  const budget = wholeNumber('--calls', limit, 10, 100_000)
  const seed = given === undefined ? wallClock() % 1_000_000 : wholeNumber('--seed', given, 0, MAX_SEED)
  const known = accept === undefined ? [] : differencesIn(await readDocument(accept))
  const { url, apiKey } = readClientConfig(target)
  const readHeaders = { 'x-petri-aside': '1' }
  const own = createTeamApi({ url, apiKey, flag: '--url', command: 'verify', readHeaders })
  const other = createTeamApi({ url: against, apiKey: key, flag: '--against', command: 'verify' })
  const run = String(wallClock())
  const result = await walk({ own, other, budget, seed, run, known, maxFindings: MAX_FINDINGS })
  const differences = mergeQuestions(result.findings.flatMap((finding) => finding.differences))
  const wording = { title: 'Walk', between: `between ${url} and ${against}` }
  print(render({ differences, accepted: 0 }, {}, wording))
  print(`\n${describeFindings({ ...result, seed })}`)
  if (write) {
    const date = new Date(wallClock()).toISOString().slice(0, 10)
    const { calls, sequences } = result
    const found = differences.length === 0 ? 'no differences' : plural(differences.length, 'difference')
    const made = `${plural(calls, 'call')} to each service in ${plural(sequences, 'sequence')}`
    await writeResult(root, { date, result: `${made} (seed ${seed}): ${found}` })
  }
  return differences.length === 0 ? 0 : 1
}

function read(args: readonly string[]) {
  const { against, key, 'api-key': apiKey, ...others } = valuesOf(args)
  if (against === undefined) throw new UsageProblem('--against is missing: the URL of the other service.')
  if (key === undefined) throw new UsageProblem('--key is missing: the API key of your team there.')
  return { against, key, ...others, ...(apiKey !== undefined && { apiKey }) }
}

const valuesOf = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    options: {
      against: { type: 'string' },
      key: { type: 'string' },
      calls: { type: 'string', default: '400' },
      seed: { type: 'string' },
      accept: { type: 'string' },
      url: { type: 'string' },
      'api-key': { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  }).values

/** Keeps the result for the pages that are generated later, and writes it to `docs/evidence/fidelity.md`. */
async function writeResult(root: string, walked: { date: string; result: string }): Promise<void> {
  await writeFile(join(root, 'test/contract/walk.json'), `${JSON.stringify(walked, null, 2)}\n`)
  const petri = await createPetri({ firstWorld })
  await petri.close()
  await writeFile(join(root, 'docs/evidence/fidelity.md'), fidelityPage(petri.operations, walked))
}
