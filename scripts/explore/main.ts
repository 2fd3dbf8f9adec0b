import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { serve } from '@hono/node-server'
import type { Hono } from 'hono'
import type { ExploreFailure, ExploreOptions, ExploreProperty, Finding } from '../../src/client/explore.ts'
import { type LocalPetri, type PetriWorld, startPetri } from '../../src/index.ts'
import { workflows } from '../../src/resources/orders/lifecycle.ts'
import { playOptionsOf, readCheck, violationOf } from '../../src/tools/explore/checks.ts'
import { Violated } from '../../src/tools/explore/oracles.ts'
import { agreesWithPetri } from '../../test/explore/property.ts'
import { type Bug, bugNames, bugs, createSampleApp } from '../../test/explore/sample-app.ts'
import { type WearableBug, wearableBugNames, wearableBugs } from '../../test/explore/wearable-app.ts'
import { storesWhatCanBeRead } from '../../test/explore/wearable-property.ts'

const allBugs: Readonly<Record<string, string>> = { ...bugs, ...wearableBugs }

/** Mistakes that the status of an order at a URL does not show, because Petri places the orders, or another value is wrong. */
const unseenByUrl: readonly string[] = [
  'result_before_final',
  'retry_without_key',
  'first_page_only',
  'local_time',
  'disconnected_kept',
  'counts_deliveries',
  'gives_up_on_error',
  'users_by_prefix',
  ...wearableBugNames,
]

/** The app at a URL, which keeps its orders from history to history, and shows their statuses. */
async function serveApp(bug?: Bug) {
  let world: PetriWorld | undefined
  let app: Hono | undefined
  const call = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, world?.url), {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init.headers)), 'x-service-api-key': world?.apiKey ?? '' },
    })
  const server = serve({
    fetch: (request) => app?.fetch(request) ?? new Response(),
    port: 0,
    hostname: '127.0.0.1',
  })
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const invariants = [readCheck(`${url}/orders/{order_id}`, 'status', [])]
  const property: ExploreProperty = async (played) => {
    // Each replay has a world with another secret.
    if (world?.webhookSecret !== played.world.webhookSecret)
      app = createSampleApp(call, played.world.webhookSecret, bug).app
    world = played.world
    const checks = { invariants, world, warn: console.warn }
    await world.webhooks.deliverTo(`${url}/webhooks`)
    await played.history.play(playOptionsOf(checks))
    const { orders, userIds } = played.history
    const violation = await violationOf(checks, { orders, redraws: [], userIds })
    if (violation) throw new Violated(violation)
  }
  return { property, close: () => server.close() }
}

/** The property that shows a bug. */
function propertyOf(bug: string): Properties {
  const wearable = wearableBugNames.find((name): name is WearableBug => name === bug)
  return wearable
    ? { wrong: storesWhatCanBeRead(wearable), right: storesWhatCanBeRead() }
    : { wrong: agreesWithPetri(bug as Bug), right: agreesWithPetri() }
}

async function propertyByUrl(bug: string): Promise<Properties> {
  const [wrong, right] = [await serveApp(bug as Bug), await serveApp()]
  const close = () => {
    wrong.close()
    right.close()
  }
  return { wrong: wrong.property, right: right.property, close }
}

/** The app with a mistake and the correct one. */
interface Properties {
  readonly wrong: ExploreProperty
  readonly right: ExploreProperty
  close?(): void
}

/** Returns the exit status. */
export async function measure(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      soak: { type: 'string' },
      seed: { type: 'string', default: '1' },
      url: { type: 'boolean', default: false },
    },
  })
  const petri = await startPetri()
  try {
    const seed = Number(values.seed)
    if (values.soak !== undefined) return await soak(petri, Number(values.soak), seed)
    const chosen = positionals.length > 0 ? positionals : [...bugNames, ...wearableBugNames]
    if (!values.url) return await findBugs(petri, chosen, seed, async (bug) => propertyOf(bug))
    const seen = chosen.filter((bug) => !unseenByUrl.includes(bug))
    return await findBugs(petri, seen, seed, propertyByUrl)
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

/** Each planted bug must be found with all parts of histories, and its finding must be true. */
async function findBugs(
  petri: LocalPetri,
  chosen: readonly string[],
  seed: number,
  propertiesOf: (bug: string) => Promise<Properties>,
): Promise<number> {
  console.log(
    '| Bug | Histories | Plays | Seconds | Beyond the happy path | Fails again | Passes when right |\n|---|---|---|---|---|---|---|',
  )
  let missed = 0
  for (const bug of chosen) {
    const start = performance.now()
    let plays = 0
    const { wrong, right, close } = await propertiesOf(bug)
    const [finding] = await findingsOf(petri, { runs: 1000, seed }, (run) => {
      plays++
      return wrong(run)
    })
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    if (!finding) {
      close?.()
      missed++
      console.log(`| ${allBugs[bug]} | not found | ${plays} | ${seconds} | | | |`)
      continue
    }
    const { run, anomalies } = finding
    const beyond = anomalies.filter((one) => !workflows.some((workflow) => workflow === one))
    const fails = await failuresOf(petri, finding, wrong)
    const passes = REPLAYS - (await failuresOf(petri, finding, right))
    close?.()
    const isTrue = beyond.length <= MAX_BEYOND && fails === REPLAYS && passes === REPLAYS
    if (!isTrue) missed++
    const cells = [allBugs[bug], run, plays, seconds, anomalies.join(', '), fails, passes]
    console.log(`| ${cells.join(' | ')} |`)
  }
  return missed === 0 ? 0 : 1
}

/** So often a finding is played again. */
const REPLAYS = 3
/** The most that the smallest history has beyond the happy path of its method. */
const MAX_BEYOND = 3

/** How many plays of a finding fail. */
async function failuresOf(
  petri: LocalPetri,
  { source }: Finding,
  property: ExploreProperty,
): Promise<number> {
  let failures = 0
  for (let time = 0; time < REPLAYS; time++)
    await petri.replay(source, property).catch((error: unknown) => {
      if (!isFailure(error)) throw error
      failures++
    })
  return failures
}
