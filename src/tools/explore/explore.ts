import fc, { type Arbitrary } from 'fast-check'
import type { Explored, ExploreOptions, ExplorePart, Finding } from '../../client/explore.ts'
import { wallClock } from '../../kernel/clock.ts'
import { listIn } from '../../kernel/json.ts'
import { compact } from '../../kernel/list.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { resources } from '../../resources/index.ts'
import { readStatus, workflows } from '../../resources/orders/lifecycle.ts'
import { type FindingFile, readFinding } from '../../scenarios/finding.ts'
import { anomaliesOf, nameFrom, workflowOf } from './anomalies.ts'
import { draftArbitrary } from './arbitrary.ts'
import { compile } from './compile.ts'
import { type Coverage, count, describeCoverage, edgeOf, newCoverage } from './coverage.ts'
import { type Draft, happyDraft } from './draft.ts'
import { writeFinding } from './finding-file.ts'
import { partNames } from './parts.ts'
import type { Played } from './play.ts'
import { createPlayer, type FailedOutcome, hasFailed, type Player, type PlayerOptions } from './player.ts'
import { shrink } from './shrink.ts'
import { tell, webhooksOf } from './story.ts'

/** The dependencies of an exploration. */
export interface Exploration extends PlayerOptions {
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
      const { finding } = await playKnown(player, file)
      if (finding) findings.push(finding)
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

/** Plays a finding. Returns it if the program goes wrong. */
export async function replay(
  file: FindingFile,
  options: Pick<ExploreOptions, 'webhook'>,
  exploration: Exploration,
): Promise<{ readonly finding: Finding | undefined; readonly played: Played }> {
  const player = createPlayer(options, exploration)
  try {
    return await playKnown(player, file)
  } finally {
    await player.close()
  }
}

async function playKnown(player: Player, file: FindingFile) {
  const first = await player.play(file)
  if (!hasFailed(first)) return { finding: undefined, played: first.played }
  const repeated = await repeat(player, file, first)
  return {
    finding: { ...findingOf(file, repeated), known: true, run: 0, seed: 0, path: '' },
    played: first.played,
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

/** Folds histories into the finding whose history they contain. */
function add(findings: Finding[], failure: Failure): Finding {
  if ('same' in failure) {
    const again = { ...failure.same, again: failure.same.again + 1 }
    findings[findings.indexOf(failure.same)] = again
    return again
  }
  const larger = findings.filter((finding) => !finding.known && contains(finding, failure))
  const times = larger.reduce((sum, { again }) => sum + again + 1, 0)
  for (const finding of larger) findings.splice(findings.indexOf(finding), 1)
  const smallest = { ...failure, again: times }
  findings.push(smallest)
  return smallest
}

const isSteady = ({ plays }: Pick<Finding, 'plays'>) => plays.failed === plays.of

type Cause = Pick<Finding, 'oracle' | 'anomalies' | 'plays'>

/** Whether a history goes wrong as one that is as small or smaller: in the same check, with at least its anomalies. */
const contains = (larger: Cause, smaller: Cause): boolean =>
  larger.oracle === smaller.oracle &&
  isSteady(larger) === isSteady(smaller) &&
  smaller.anomalies.every((one) => larger.anomalies.includes(one))

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
  const { player, coverage, seed, run, taken, maxShrinks, signal } = search
  // As it was before this history: shrinking reads drafts in the same way.
  const before = { edges: new Map(coverage.edges) }
  const fileOf = (draft: Draft) =>
    compile(draft, { name: 'explored', seed: `explore/${seed}/${run}`, coverage: before })
  const [arbitrary, drawnBy] = [arbitraryOf(search), optionsOf(search)]
  const [draft] = fc.sample(arbitrary, drawnBy)
  if (!draft) return undefined
  const file = fileOf(draft)
  const first = await player.play(file)
  if (signal?.aborted) return undefined
  cover(coverage, first.played)
  if (!hasFailed(first)) return undefined
  const cause = { oracle: first.violation.oracle, anomalies: anomaliesOf(file), plays: STEADY }
  const same = findings.find((finding) => contains(cause, finding))
  if (same) return { same }
  const repeated = await repeat(player, file, first)
  if (signal?.aborted) return undefined
  const found = { run, seed, path: '' }
  const unshrunk = { ...findingOf(withName(file, taken), repeated), ...found }
  const like = findings.find((finding) => contains(unshrunk, finding))
  if (like) return { same: like }
  if (!isSteady(repeated)) return unshrunk
  const { smallest, path } = await shrink(
    { player, arbitrary, drawnBy, fileOf, coverage: before, maxShrinks, signal },
    first,
  )
  const smaller = findings.find((finding) =>
    contains({ ...cause, anomalies: anomaliesOf(smallest.file) }, finding),
  )
  if (smaller) return { same: smaller }
  const named = withName(smallest.file, taken)
  const again = await repeat(player, named, smallest.outcome)
  return isSteady(again) && !signal?.aborted ? { ...findingOf(named, again), ...found, path } : unshrunk
}

const STEADY = { failed: 1, of: 1 }

/** The happy path of each method first. */
function arbitraryOf({ run, parts, coverage }: Search): Arbitrary<Draft> {
  const isMethod = run <= (parts.has('orders') ? workflows.length : 1)
  return isMethod
    ? fc.constant({ ...happyDraft(run - 1), isLooked: parts.has('looks') })
    : draftArbitrary({ parts, coverage })
}

/** Another seed for each history. */
const optionsOf = ({ seed, run }: Search) => ({ seed: (Math.imul(seed, 0x9e3779b1) + run) | 0, numRuns: 1 })

const withName = (file: FindingFile, taken: ReadonlySet<string>): FindingFile => ({
  ...file,
  name: nameFrom(anomaliesOf(file), taken),
})

/** So often a history fails again before it is a finding. */
const REPETITIONS = 2
/** The repetitions of a history that does not fail each time. */
const MAX_REPETITIONS = 10

interface Repeated {
  readonly outcome: FailedOutcome
  readonly plays: Finding['plays']
}

/** Plays a history again from the text of its file, under other ids. */
async function repeat(player: Player, file: FindingFile, first: FailedOutcome): Promise<Repeated> {
  const written = readFinding(writeFinding(file), file.name)
  let outcome = first
  let failed = 1
  let of = 1
  while (of <= REPETITIONS || (failed < of && of <= MAX_REPETITIONS)) {
    of++
    const again = await player.play(written)
    if (!hasFailed(again) || again.violation.oracle !== first.violation.oracle) continue
    outcome = again
    failed++
  }
  return { outcome, plays: { failed, of } }
}

const findingOf = (
  file: FindingFile,
  { outcome: { played, violation }, plays }: Repeated,
): Omit<Finding, 'run' | 'seed' | 'path'> => ({
  name: file.name,
  problem: violation.problem,
  actual: violation.actual,
  expected: violation.expected,
  oracle: violation.oracle,
  story: tell(played, violation),
  webhooks: webhooksOf(played),
  source: writeFinding({ ...file, summary: violation.problem.slice(0, MAX_SUMMARY) }),
  anomalies: anomaliesOf(file),
  plays,
  known: false,
  again: 0,
})

const MAX_SUMMARY = 200

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
