import fc from 'fast-check'
import type {
  Explored,
  ExploreOptions,
  ExplorePart,
  ExploreProperty,
  Finding,
  PlayableHistory,
} from '../../client/explore.ts'
import type { PetriWorld } from '../../client/kit.ts'
import type { Order } from '../../client/responses.ts'
import { wallClock } from '../../kernel/clock.ts'
import { listIn, valueAt } from '../../kernel/json.ts'
import { compact } from '../../kernel/list.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { reasonOf } from '../../kernel/reason.ts'
import { resources } from '../../resources/index.ts'
import { readStatus } from '../../resources/orders/lifecycle.ts'
import type { FindingFile } from '../../scenarios/finding.ts'
import { anomaliesOf, nameFrom, workflowOf } from './anomalies.ts'
import { draftArbitrary } from './arbitrary.ts'
import { compile } from './compile.ts'
import { type Coverage, count, describeCoverage, edgeOf, newCoverage } from './coverage.ts'
import type { Draft } from './draft.ts'
import { writeFinding } from './finding-file.ts'
import { builtInJudges, type Judge, Violated, type Violation } from './oracles.ts'
import { partNames } from './parts.ts'
import { type Played, playHistory, prepareHistory } from './play.ts'
import { createHistoryReceiver, type HistoryReceiver } from './receiver.ts'
import { withoutMoves } from './shorten.ts'
import { tell, webhooksOf } from './story.ts'

/** The dependencies of an exploration. */
export interface Exploration {
  /** A frozen world that was born at the start of all histories; it is reset for each. */
  readonly world: PetriWorld
  readonly property: ExploreProperty
  /** Checks after the built-in ones. */
  readonly judges?: readonly Judge[] | undefined
  /** Histories of earlier findings, which are played first. */
  readonly known?: readonly FindingFile[] | undefined
  /** Further names that no finding may get. */
  readonly taken?: readonly string[] | undefined
  /** The most plays that make one finding smaller. */
  readonly maxShrinks?: number | undefined
}

const RUNS = 300
/** So many histories with the same finding, one after the other, end the exploration. */
const MAX_SAME = 20
const MAX_SHRINKS = 300

/** Plays random legal histories and makes those in which the program under test goes wrong as small as possible. */
export async function explore(options: ExploreOptions, exploration: Exploration): Promise<Explored> {
  const { runs = RUNS, seed = 1, maxFindings = 1, signal, onProgress } = options
  const parts = selectParts(options)
  const coverage = newCoverage()
  const startedAt = wallClock()
  const player = createPlayer(options, exploration, async () => {
    await onProgress?.({ ...state(), of: runs })
  })
  const findings: Finding[] = []
  let run = 0
  let same = 0
  const state = (): Omit<Explored, 'stopped' | 'endedBy'> => ({
    runs: run,
    plays: player.plays,
    seed,
    perSecond: perSecond(player.plays, wallClock() - startedAt),
    coverage: describeCoverage(coverage),
    findings: [...findings],
  })
  try {
    for (const file of exploration.known ?? []) {
      const outcome = await player.play(file)
      if (outcome.violation) findings.push(knownFinding(file, outcome, seed))
    }
    const knownCount = findings.length
    let last: Finding | undefined
    while (run < runs && same < MAX_SAME && findings.length - knownCount < maxFindings && !signal?.aborted) {
      run++
      const names = [...(exploration.known ?? []), ...findings].map(({ name }) => name)
      const taken = new Set([...names, ...(exploration.taken ?? [])])
      const search: Search = {
        player,
        coverage,
        parts,
        seed,
        run,
        taken,
        maxShrinks: exploration.maxShrinks ?? MAX_SHRINKS,
        signal,
      }
      const failure = await searchOnce(search, findings)
      const found = failure && add(findings, failure)
      same = found && found.name === last?.name ? same + 1 : Number(found !== undefined)
      last = found
      await onProgress?.({ ...state(), of: runs })
    }
    const endedBy = same < MAX_SAME ? undefined : last
    return { ...state(), stopped: signal?.aborted === true, endedBy }
  } finally {
    await player.close()
  }
}

/** Plays one history. Returns the finding if the program goes wrong. */
export async function replay(
  file: FindingFile,
  options: Pick<ExploreOptions, 'webhook'>,
  exploration: Exploration,
): Promise<{ readonly finding: Finding | undefined; readonly played: Played }> {
  const player = createPlayer(options, exploration)
  try {
    const outcome = await player.play(file)
    return { finding: outcome.violation && knownFinding(file, outcome, 0), played: outcome.played }
  } finally {
    await player.close()
  }
}

const perSecond = (plays: number, ms: number) => Math.round((plays / Math.max(ms, 1)) * 10_000) / 10

function selectParts({ only, without = [] }: ExploreOptions): ReadonlySet<ExplorePart> {
  const unknown = [...(only ?? []), ...without].find((name) => !partNames.includes(name))
  if (unknown !== undefined)
    throw new TypeError(
      `"${unknown}" is not a part of histories; these are: ${partNames.join(', ')}.${didYouMean(unknown, partNames)}`,
    )
  return new Set((only ?? partNames).filter((name) => !without.includes(name)))
}

/** A finding, or one more history with one that is known. */
type Failure = Finding | { readonly same: Finding }

function add(findings: Finding[], failure: Failure): Finding {
  if (!('same' in failure)) {
    findings.push(failure)
    return failure
  }
  const again = { ...failure.same, again: failure.same.again + 1 }
  findings[findings.indexOf(failure.same)] = again
  return again
}

interface Outcome {
  readonly played: Played
  readonly violation: Violation | undefined
}

interface FailedOutcome extends Outcome {
  readonly violation: Violation
}

interface Player {
  readonly plays: number
  play(file: FindingFile): Promise<Outcome>
  close(): Promise<void>
}

/** Plays histories one after the other in one world. */
function createPlayer(
  { webhook }: Pick<ExploreOptions, 'webhook'>,
  { world, property, judges = [] }: Exploration,
  onPlayed: () => Promise<void> = async () => undefined,
): Player {
  const receiver = createHistoryReceiver()
  const stage = withReceiver(world, receiver)
  let plays = 0
  return {
    get plays() {
      return plays
    },
    async play(file) {
      plays++
      receiver.reset()
      await world.reset({ seed: file.seed })
      if (webhook !== undefined) await stage.webhooks.deliverTo(webhook)
      const playable = makePlayable(file, stage, receiver)
      let thrown: unknown
      try {
        await property({ world: stage, history: playable.history })
      } catch (error) {
        thrown = error
      }
      const played = await playable.played()
      if (!played) throw thrown ?? new Error('The function did not call history.play() or history.prepare().')
      const violation = await judge(played, thrown, judges)
      await onPlayed()
      return { played, violation }
    },
    close: () => receiver.close(),
  }
}

async function judge(
  played: Played,
  thrown: unknown,
  judges: readonly Judge[],
): Promise<Violation | undefined> {
  for (const builtIn of builtInJudges) {
    const violation = await builtIn(played)
    if (violation) return violation
  }
  if (thrown instanceof Violated) return thrown.violation
  if (thrown !== undefined)
    return {
      oracle: 'property',
      problem: problemOf(thrown),
      actual: valueAt(thrown, ['actual']),
      expected: valueAt(thrown, ['expected']),
    }
  for (const further of judges) {
    const violation = await further(played)
    if (violation) return violation
  }
  return undefined
}

/** The first lines of an assertion's message, without colours. */
const problemOf = (thrown: unknown): string =>
  reasonOf(thrown).split('\n').slice(0, 4).join(' ').replace(/\s+/g, ' ')

/** The world with a receiver between its deliveries and their receivers. */
function withReceiver(world: PetriWorld, receiver: HistoryReceiver): PetriWorld {
  let url: string | undefined
  return {
    ...world,
    webhooks: {
      ...world.webhooks,
      async deliverTo(target, options) {
        const endpoint = await world.webhooks.deliverTo(url ?? receiver.receive, options)
        url ??= endpoint.url
        receiver.connect(target)
        return endpoint
      },
    },
  }
}

interface Playable {
  readonly history: PlayableHistory
  played(): Promise<Played | undefined>
}

function makePlayable(file: FindingFile, world: PetriWorld, receiver: HistoryReceiver): Playable {
  let played: Played | undefined
  let prepared: (() => Promise<Played>) | undefined
  let isPlaying = false
  const begin = () => {
    if (isPlaying) throw new Error('A history is played once in each world.')
    isPlaying = true
  }
  return {
    played: async () => played ?? prepared?.(),
    history: {
      get source() {
        return writeFinding(file)
      },
      get orders() {
        return (played?.orders ?? []).filter((order): order is Order => order !== undefined)
      },
      get userIds() {
        return played?.userIds ?? []
      },
      async play(options) {
        begin()
        played = await playHistory(file, { world, receiver }, options)
        if (played.thrown !== undefined) throw played.thrown
        const [first] = played.orders
        if (first) return first
        throw new Error('The first order of the history was never placed.')
      },
      async prepare() {
        begin()
        prepared = await prepareHistory(file, { world, receiver })
      },
    },
  }
}

interface Search {
  readonly player: Player
  readonly coverage: Coverage
  readonly parts: ReadonlySet<ExplorePart>
  readonly seed: number
  readonly run: number
  /** The names of the known histories and findings. */
  readonly taken: ReadonlySet<string>
  readonly maxShrinks: number
  /** What is played when it is aborted may have been broken off, and does not count. */
  readonly signal: AbortSignal | undefined
}

/** Generates and plays one history, and shrinks it if it fails in a new way. */
async function searchOnce(search: Search, findings: readonly Finding[]): Promise<Failure | undefined> {
  const { player, coverage, seed, run, maxShrinks, signal } = search
  // As it was before this history: shrinking reads drafts in the same way.
  const before = { edges: new Map(coverage.edges) }
  const fileOf = (draft: Draft, ordinal: number, name = 'explored') =>
    compile(draft, { name, seed: `explore/${seed}/${run}/${ordinal}`, coverage: before })
  let plays = 0
  let oracle: string | undefined
  let same: Finding | undefined
  let broken: unknown
  let failed: FailedOutcome | undefined
  const details = await fc.check(
    fc.asyncProperty(draftArbitrary(search), async (draft) => {
      if (plays > maxShrinks || broken !== undefined || signal?.aborted) return true
      const file = fileOf(draft, plays++)
      const outcome = await player.play(file).catch((error: unknown) => {
        broken = error
      })
      if (!outcome || signal?.aborted) return true
      const { violation, played } = outcome
      if (plays === 1) {
        cover(coverage, played)
        oracle = violation?.oracle
        same = violation && findings.find((finding) => isLike(finding, violation, file))
      }
      if (!violation || violation.oracle !== oracle || (plays === 1 && same !== undefined)) return true
      failed = { violation, played }
      return false
    }),
    { seed: seedOf(seed, run), numRuns: 1 },
  )
  if (broken !== undefined) throw broken
  if (same) return { same }
  const [smallest] = details.counterexample ?? []
  if (!smallest) return undefined
  const draft = await shorten(smallest, before, async (shorter) => {
    if (plays >= maxShrinks || signal?.aborted) return false
    const { violation, played } = await player.play(fileOf(shorter, plays++))
    if (!violation || violation.oracle !== oracle || signal?.aborted) return false
    failed = { violation, played }
    return true
  })
  const anomalies = anomaliesOf(fileOf(draft, 0))
  const name = nameFrom(anomalies, search.taken)
  const file = fileOf(draft, plays, name)
  const outcome = signal?.aborted && failed ? failed : await playNamed(player, file, oracle)
  return {
    ...findingOf(file, outcome),
    run,
    seed,
    path: details.counterexamplePath ?? '',
  }
}

/** Leaves out moves as long as the history still fails and has fewer anomalies. */
async function shorten(
  draft: Draft,
  coverage: Pick<Coverage, 'edges'>,
  stillFails: (shorter: Draft) => Promise<boolean>,
): Promise<Draft> {
  const countAnomalies = (one: Draft) =>
    anomaliesOf(compile(one, { name: 'explored', seed: '', coverage })).length
  const count = countAnomalies(draft)
  for (const shorter of withoutMoves(draft, coverage))
    if (countAnomalies(shorter) < count && (await stillFails(shorter)))
      return shorten(shorter, coverage, stillFails)
  return draft
}

/** Plays a finding under its name. */
async function playNamed(player: Player, file: FindingFile, oracle = 'property'): Promise<FailedOutcome> {
  const { violation, played } = await player.play(file)
  const problem = 'The program failed in this history, but not every time.'
  return { played, violation: violation ?? { oracle, problem } }
}

/** Another seed for each history. */
const seedOf = (seed: number, run: number) => (Math.imul(seed, 0x9e3779b1) + run) | 0

/** Whether a history goes wrong as one that was found: in the same check, with at least its anomalies. */
function isLike(finding: Finding, { oracle }: Violation, file: FindingFile): boolean {
  const all = anomaliesOf(file)
  return finding.oracle === oracle && finding.anomalies.every((one) => all.includes(one))
}

const findingOf = (file: FindingFile, { played, violation }: FailedOutcome) => ({
  name: file.name,
  problem: violation.problem,
  actual: violation.actual,
  expected: violation.expected,
  oracle: violation.oracle,
  story: tell(played, violation),
  webhooks: webhooksOf(played),
  source: writeFinding({ ...file, summary: violation.problem.slice(0, MAX_SUMMARY) }),
  anomalies: anomaliesOf(file),
  known: false,
  again: 0,
})

const MAX_SUMMARY = 200

function knownFinding(file: FindingFile, { played, violation }: Outcome, seed: number): Finding {
  const told = violation ?? { oracle: '', problem: '' }
  return { ...findingOf(file, { played, violation: told }), run: 0, seed, path: '', known: true }
}

/** Counts what a history has covered. */
function cover(coverage: Coverage, { orders, history, effects, deliveries, calls }: Played): void {
  const workflows = history.orders.map(workflowOf)
  for (const [at, order] of orders.entries()) {
    const workflow = workflows[at]
    const statuses = compact((order?.events ?? []).map(({ status }) => readStatus(status)?.low))
    for (const [index, to] of statuses.entries()) {
      const from = statuses[index - 1]
      if (from && workflow) count(coverage.edges, edgeOf(workflow, from, to))
    }
  }
  const outages = new Map(deliveries.flatMap(({ id, outage }) => (outage ? [[id, outage] as const] : [])))
  for (const { kind, event_type, marks, message_id } of effects) {
    if (kind !== 'delivery' || event_type === undefined) continue
    count(coverage.events, event_type)
    const outage = outages.get(message_id ?? '')
    for (const anomaly of compact([...listIn(marks), outage]))
      count(coverage.pairs, `${anomaly} ${event_type}`)
  }
  for (const { operation } of calls) {
    const route = resources.flatMap(({ operations }) => operations).find(({ id }) => id === operation)?.route
    if (route !== undefined) count(coverage.operations, route)
  }
}
