import fc, { type Arbitrary } from 'fast-check'
import { parseDuration } from '../../kernel/duration.ts'
import type { FindingAction, FindingFile } from '../../scenarios/finding.ts'
import { anomaliesOf } from './anomalies.ts'
import type { Coverage } from './coverage.ts'
import type { Draft, OrderDraft } from './draft.ts'
import { movesIn } from './order-path.ts'
import { type FailedOutcome, hasFailed, type Player } from './player.ts'

/** How a history that fails came about. */
export interface Shrinking {
  readonly player: Player
  readonly arbitrary: Arbitrary<Draft>
  /** The options of fast-check that draw it. */
  readonly drawnBy: { readonly seed: number; readonly numRuns: number }
  readonly fileOf: (draft: Draft) => FindingFile
  readonly coverage: Pick<Coverage, 'edges'>
  /** The most plays. */
  readonly maxShrinks: number
  /** What is played when it is aborted may have been broken off, and does not count. */
  readonly signal: AbortSignal | undefined
}

export interface FailedHistory {
  readonly file: FindingFile
  readonly outcome: FailedOutcome
}

/** Makes a history that fails smaller, as long as it fails in the same check. */
export async function shrink(
  { player, arbitrary, drawnBy, fileOf, coverage, maxShrinks, signal }: Shrinking,
  first: FailedOutcome,
): Promise<{ readonly smallest: FailedHistory; readonly path: string }> {
  const last = player.plays + maxShrinks
  let smallest: FailedHistory = { file: first.played.history, outcome: first }
  const stillFails = async (file: FindingFile): Promise<boolean> => {
    if (player.plays >= last || signal?.aborted) return false
    const outcome = await player.play(file)
    if (!hasFailed(outcome) || outcome.violation.oracle !== first.violation.oracle || signal?.aborted)
      return false
    smallest = { file, outcome }
    return true
  }
  let isFirst = true
  let broken: unknown
  const property = fc.asyncProperty(arbitrary, async (draft) => {
    if (isFirst) {
      isFirst = false
      return false
    }
    if (broken !== undefined) return true
    return stillFails(fileOf(draft)).then(
      (fails) => !fails,
      (error: unknown) => {
        broken = error
        return true
      },
    )
  })
  const { counterexample, counterexamplePath } = await fc.check(property, drawnBy)
  if (broken !== undefined) throw broken
  const [draft] = counterexample ?? []
  if (draft) await shorten(draft, { fileOf, coverage }, stillFails)
  await leaveOutLooks(smallest, stillFails)
  return { smallest, path: counterexamplePath ?? '' }
}

/** Leaves out orders and moves as long as the history still fails and has fewer anomalies. */
async function shorten(
  draft: Draft,
  { fileOf, coverage }: Pick<Shrinking, 'fileOf' | 'coverage'>,
  stillFails: (file: FindingFile) => Promise<boolean>,
): Promise<void> {
  const count = anomaliesOf(fileOf(draft)).length
  for (const shorter of smallerDrafts(draft, coverage)) {
    const file = fileOf(shorter)
    if (anomaliesOf(file).length < count && (await stillFails(file)))
      return shorten(shorter, { fileOf, coverage }, stillFails)
  }
}

/** Leaves out all looks but the one that fails, or as many as it can. */
async function leaveOutLooks(
  { file, outcome: { played } }: FailedHistory,
  stillFails: (file: FindingFile) => Promise<boolean>,
): Promise<void> {
  const { actions = [] } = file
  const looks = actions.filter((action) => 'look' in action)
  const failedAt = played.thrown === undefined ? undefined : played.endedAt - played.startedAt
  const needed = looks.filter(({ at }) => parseDuration(at) === failedAt)
  const withLooks = (kept: readonly FindingAction[]): FindingFile => ({
    ...file,
    actions: actions.filter((action) => !('look' in action) || kept.includes(action)),
  })
  if (needed.length === looks.length || (await stillFails(withLooks(needed)))) return
  let kept = looks
  for (const look of looks) {
    const fewer = kept.filter((one) => one !== look)
    if (await stillFails(withLooks(fewer))) kept = fewer
  }
}

/** The most moves that are left out at once. */
const MAX_SPAN = 4

/**
 * The same history with one of its orders alone, or without some neighbouring moves of one order. Shrinking the choices of
 * a draft changes all moves that follow, so it cannot do this.
 */
function* smallerDrafts(draft: Draft, coverage: Pick<Coverage, 'edges'>): Generator<Draft> {
  const { first, others } = draft
  for (const order of [first, ...others]) yield { ...draft, first: order, others: [] }
  for (const shorter of withoutMovesOf(first, coverage)) yield { ...draft, first: shorter }
  for (const [at, other] of others.entries())
    for (const shorter of withoutMovesOf(other, coverage))
      yield { ...draft, others: others.with(at, shorter) }
}

/** Long spans first. */
function* withoutMovesOf<Order extends OrderDraft>(
  draft: Order,
  coverage: Pick<Coverage, 'edges'>,
): Generator<Order> {
  const { omitted: before = [] } = draft
  const all = movesIn({ ...draft, omitted: [] }, coverage)
  const left = Array.from({ length: all }, (_, position) => position).filter(
    (position) => !before.includes(position),
  )
  for (let span = MAX_SPAN; span > 0; span--)
    for (let from = 0; from + span <= left.length; from++)
      yield { ...draft, omitted: [...before, ...left.slice(from, from + span)] }
}
