import type { AsyncCommand } from 'fast-check'
import { CliError } from '../../src/terminal/errors.ts'
import type { Difference } from '../../src/tools/drift/report.ts'
import type { TeamApi } from '../../src/tools/team-api.ts'
import { splitQuestions } from '../../src/tools/verify/compare-replies.ts'
import { walkKeyOf } from './compare-step.ts'
import { readLabTests } from './lab-tests.ts'
import { createPlans } from './plans.ts'
import { createSequence, type MadeCall, type PlannedCall, type Sequence } from './sequence.ts'

export interface WalkOptions {
  readonly own: TeamApi
  readonly other: TeamApi
  /** The maximum number of calls to each service. */
  readonly budget: number
  readonly seed: number
  /** Tells the users of this run from those of others. */
  readonly run: string
  /** The number of findings after which it ends. */
  readonly maxFindings: number
  /** Differences that are not looked for. */
  readonly known: readonly Difference[]
}

/** A shortest sequence of calls whose last one shows differences. */
export interface WalkFinding {
  readonly differences: readonly Difference[]
  readonly calls: readonly MadeCall[]
}

export interface WalkResult {
  readonly findings: readonly WalkFinding[]
  /** The calls that were made to each service. */
  readonly calls: number
  readonly sequences: number
}

/** The maximum number of planned calls in a sequence, without those that they need. */
const MAX_COMMANDS = 20
/** The share of the budget after which no difference is looked for; the rest is for shrinking those that were found. */
const SEARCHED = 0.75
/** Calls of the shortest sequence: a user is created and deleted. */
const MIN_CALLS = 2

/** Makes random legal sequences of calls to both services and shrinks those whose replies differ, until the budget is spent. */
export async function walk(options: WalkOptions): Promise<WalkResult> {
  const { own, other, budget, seed, run, maxFindings, known } = options
  const fc = await import('fast-check')
  const labTests = await readLabTests(own, other)
  const plans = createPlans(fc)
  /** How often each way of going on was played. */
  const played = new Map<PlannedCall['way'], number>()
  const foundKeys = new Set(splitQuestions(known).map(walkKeyOf))
  const findings: WalkFinding[] = []
  const searchBudget = Math.ceil(budget * SEARCHED)
  let isShrinking = false
  let calls = 1
  let users = 0
  let hasCreatedUser = false
  let sequences = 0

  function spend(reserved: number): void {
    const limit = isShrinking ? budget : searchBudget
    if (calls + 1 + reserved > limit) throw new BudgetSpent()
    calls++
  }

  /** Plays a random sequence. Returns the shortest that shows the same differences, if there are any. */
  async function search(seed: number): Promise<WalkFinding | undefined> {
    isShrinking = false
    let shortest: WalkFinding | undefined
    let failure: unknown
    const play = async (commands: Iterable<AsyncCommand<object, Sequence>>): Promise<void> => {
      if (failure !== undefined) return
      const wanted = shortest && new Set(shortest.differences.map(walkKeyOf))
      const isNew = (difference: Difference) => {
        const key = walkKeyOf(difference)
        return wanted ? wanted.has(key) : !foundKeys.has(key)
      }
      const sequence = createSequence({
        ...{ own, other, labTests, spend, isNew },
        isConfirmed: (difference) => wanted?.has(walkKeyOf(difference)) ?? false,
        minimal: plans.minimal,
        nextClientUserId: () => `petri-walk-${run}-${++users}`,
      })
      try {
        await fc.asyncModelRun(() => ({ model: {}, real: sequence }), commands)
      } catch (error) {
        if (error instanceof Differing) {
          isShrinking = true
          shortest = { differences: error.differences, calls: sequence.calls }
          throw error
        }
        if (!(error instanceof BudgetSpent)) failure = error
      } finally {
        hasCreatedUser ||= sequence.hasCreatedUser
        await sequence.cleanUp().catch((error: unknown) => {
          failure ??= error
        })
      }
    }
    const command = plans
      .next((way) => weightOf(played.get(way)))
      .map((planned) => commandOf(planned, () => played.set(planned.way, (played.get(planned.way) ?? 0) + 1)))
    const commands = fc.commands([command], { maxCommands: MAX_COMMANDS, size: 'max' })
    // fast-check shrinks the sequence for as long as `play` throws.
    await fc.check(fc.asyncProperty(commands, play), { seed, numRuns: 1, unbiased: true })
    if (failure !== undefined) throw failure
    return shortest
  }

  for (; calls + MIN_CALLS <= searchBudget && findings.length < maxFindings; sequences++) {
    const found = await search(seed + sequences)
    if (!found) continue
    findings.push(found)
    for (const difference of found.differences) foundKeys.add(walkKeyOf(difference))
  }
  if (!hasCreatedUser) throw new CliError('No user could be created, so nothing was compared.')
  return { findings, calls, sequences }
}

/** A call may not be made, because the budget is spent. */
class BudgetSpent extends Error {}

/** The replies to a call of a sequence differ. */
class Differing extends Error {
  readonly differences: readonly Difference[]

  constructor(differences: readonly Difference[]) {
    super('The replies differ.')
    this.differences = differences
  }
}

/** Sequences that were played less often are planned more often. */
const weightOf = (made = 0): number => Math.max(1, Math.ceil(64 / (1 + made) ** 2))

const commandOf = (planned: PlannedCall, onPlayed: () => void): AsyncCommand<object, Sequence> => ({
  check: () => true,
  async run(_, sequence) {
    onPlayed()
    const differences = await sequence.make(planned)
    if (differences.length > 0) throw new Differing(differences)
  },
  toString: () => planned.call.route,
})
