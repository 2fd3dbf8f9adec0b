import { parseArgs } from 'node:util'
import type { ExploreFailure, ExploreOptions, ExploreProperty, Finding } from '../../src/client/explore.ts'
import { type LocalPetri, startPetri } from '../../src/index.ts'
import { workflows } from '../../src/resources/orders/lifecycle.ts'
import { agreesWithPetri } from '../../test/explore/property.ts'
import { type Bug, bugNames, bugs } from '../../test/explore/sample-app.ts'
import { type WearableBug, wearableBugNames, wearableBugs } from '../../test/explore/wearable-app.ts'
import { storesWhatCanBeRead } from '../../test/explore/wearable-property.ts'

const allBugs: Readonly<Record<string, string>> = { ...bugs, ...wearableBugs }

/** The property that shows a bug. */
function propertyOf(bug: string, onDelivery?: (id: string, body: string) => void): ExploreProperty {
  const wearable = wearableBugNames.find((name): name is WearableBug => name === bug)
  if (wearable) return storesWhatCanBeRead(wearable, onDelivery)
  return agreesWithPetri(bug as Bug, onDelivery)
}

/** Returns the exit status. */
export async function measure(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      soak: { type: 'string' },
      seed: { type: 'string', default: '1' },
    },
  })
  const petri = await startPetri()
  try {
    const seed = Number(values.seed)
    if (values.soak !== undefined) return await soak(petri, Number(values.soak), seed)
    const chosen = positionals.length > 0 ? positionals : [...bugNames, ...wearableBugNames]
    return await findBugs(petri, chosen, seed)
  } finally {
    await petri.close()
  }
}

/** The findings of an exploration; empty if all is well. */
async function findingsOf(
  petri: LocalPetri,
  options: ExploreOptions,
  property: ExploreProperty,
): Promise<readonly Finding[]> {
  try {
    await petri.explore(options, property)
    return []
  } catch (error) {
    if (isFailure(error)) return error.findings
    throw error
  }
}

const isFailure = (error: unknown): error is ExploreFailure =>
  error instanceof Error && error.name === 'ExploreFailure'

/** The correct app must pass every history. */
async function soak(petri: LocalPetri, runs: number, seed: number): Promise<number> {
  const every = Math.max(1, Math.floor(runs / 20))
  const onProgress: ExploreOptions['onProgress'] = ({ runs: run, perSecond, coverage }) => {
    if (run === runs && coverage.edges.never.length > 0)
      console.log('never:', coverage.edges.never.join(', '))
    if (run % every === 0)
      console.log(
        `${run} histories, ${perSecond} a second, ${coverage.edges.covered} of ${coverage.edges.of} edges`,
      )
  }
  const findings = await findingsOf(petri, { runs, seed, maxFindings: 5, onProgress }, agreesWithPetri())
  for (const { story, source, again } of findings)
    console.log(`\n${story.join('\n')}\n${source}\n${again} more`)
  console.log(
    findings.length === 0 ? 'The correct app passed every history.' : `${findings.length} false alarms.`,
  )
  return findings.length === 0 ? 0 : 1
}

/** Each planted bug must be found with all parts of histories. */
async function findBugs(petri: LocalPetri, chosen: readonly string[], seed: number): Promise<number> {
  console.log(
    '| Bug | Histories | Plays | Seconds | Beyond the happy path | Same bytes again |\n|---|---|---|---|---|---|',
  )
  let missed = 0
  for (const bug of chosen) {
    const start = performance.now()
    let plays = 0
    const found = await findingsOf(petri, { runs: 1000, seed }, (run) => {
      plays++
      return propertyOf(bug)(run)
    })
    const seconds = (performance.now() - start) / 1000
    const [finding] = found
    if (!finding) {
      missed++
      console.log(`| ${allBugs[bug]} | not found | ${plays} | ${seconds.toFixed(1)} | | |`)
      continue
    }
    const beyond = finding.anomalies.filter((one) => !workflows.some((workflow) => workflow === one))
    const [one, two] = [await bodiesOf(petri, finding, bug), await bodiesOf(petri, finding, bug)]
    const isSame = one.length > 0 && one.join('\n') === two.join('\n')
    if (beyond.length > 3 || !isSame) missed++
    console.log(
      `| ${allBugs[bug]} | ${finding.run} | ${plays} | ${seconds.toFixed(1)} | ${finding.anomalies.join(', ')} | ${isSame ? 'yes' : 'no'} |`,
    )
  }
  return missed === 0 ? 0 : 1
}

/** The bodies of a replay, with the ids of their messages. */
async function bodiesOf(petri: LocalPetri, { source }: Finding, bug: string): Promise<readonly string[]> {
  const bodies: string[] = []
  const property = propertyOf(bug, (id, body) => bodies.push(`${id} ${body}`))
  await petri.replay(source, property).catch((error: unknown) => {
    if (!isFailure(error)) throw error
  })
  return bodies
}
