import type { ExploreProgress, ExploreProperty } from '../../client/explore.ts'
import type { PetriWorld } from '../../client/kit.ts'
import { badRequest, orNotFound, Problem } from '../../kernel/problem.ts'
import { reasonOf } from '../../kernel/reason.ts'
import { isInContainer, whyUnreachable } from '../../webhooks/outgoing.ts'
import type { World } from '../../world/world.ts'
import type { Worlds } from '../../world/worlds.ts'
import type { Invariant } from './checks.ts'
import type { Judge } from './oracles.ts'
import type { ExplorationInput, ExplorationView, FindingView, ReplayInput } from './schema.ts'
import { openStage } from './stage.ts'

export interface ExplorationDependencies {
  readonly worlds: Worlds
  /** Calls this Petri within this process. */
  readonly fetch: (request: Request) => Response | Promise<Response>
  /** Called with the world of the program after each history. */
  readonly announce: (world: World, explorationId: string) => void
}

/** An exploration that runs in this process, or did. */
interface Exploration {
  view: ExplorationView
  readonly abort: AbortController
}

/** The most explorations of a world that are kept. */
const MAX_KEPT = 5
/** The most explorations that run at the same time; each keeps Petri busy. */
const MAX_PLAYING = 4

type Program = Pick<ReplayInput, 'webhook' | 'check' | 'at' | 'map'>

/** Plays the whole history; the checks follow. */
const playAll =
  (invariants: readonly Invariant[]): ExploreProperty =>
  async ({ history, world }) => {
    const { playOptionsOf } = await import('./checks.ts')
    await history.play(playOptionsOf(invariants, world))
  }

/** The explorations of all worlds; in each world one runs at a time. */
export class Explorations {
  readonly #dependencies: ExplorationDependencies
  readonly #byTeam = new Map<string, Exploration[]>()
  /** The teams for whose programs histories are played. */
  readonly #playing = new Set<string>()
  #made = 0

  constructor(dependencies: ExplorationDependencies) {
    this.#dependencies = dependencies
    dependencies.worlds.onDropped((teamId) => {
      for (const { abort } of this.#byTeam.get(teamId) ?? []) abort.abort()
      this.#byTeam.delete(teamId)
    })
  }

  list({ identity }: World): ExplorationView[] {
    return (this.#byTeam.get(identity.teamId) ?? []).map(({ view }) => view)
  }

  get(world: World, id: string): ExplorationView {
    return this.#find(world, id).view
  }

  stop(world: World, id: string): void {
    this.#find(world, id).abort.abort()
  }

  /** Starts an exploration, which continues after the call. */
  async start(world: World, input: ExplorationInput): Promise<ExplorationView> {
    const invariants = await checksOf(input)
    const { newView } = await import('./exploration-view.ts')
    const { START } = await import('./compile.ts')
    await this.#reserve(world, input)
    const view = newView(world, input, ++this.#made)
    const exploration: Exploration = { view, abort: new AbortController() }
    const { teamId } = world.identity
    const earlier = this.#byTeam.get(teamId) ?? []
    this.#byTeam.set(teamId, [...earlier, exploration].slice(-MAX_KEPT))
    const show = (changed: Partial<ExplorationView>) => {
      exploration.view = { ...exploration.view, ...changed }
      // A reset has put another world in its place.
      const shown = this.#dependencies.worlds.byTeam(teamId)
      if (shown) this.#dependencies.announce(shown, view.id)
      else exploration.abort.abort()
    }
    const { signal } = exploration.abort
    void this.#inStage(world, START, (stage) => exploreIn(stage, { input, invariants, signal, show })).catch(
      (error: unknown) => show({ state: 'failed', detail: reasonOf(error) }),
    )
    return view
  }

  async replay(world: World, input: ReplayInput): Promise<{ finding: FindingView | null }> {
    const invariants = await checksOf(input)
    const { readHistory } = await import('./history-file.ts')
    const { ScenarioError } = await import('../../scenarios/read.ts')
    const file = orBadRequest(ScenarioError, () => readHistory(input.scenario, 'the scenario'))
    await this.#reserve(world, input)
    return this.#inStage(world, Date.parse(file.history.now), async (stage) => {
      const { replay } = await import('./explore.ts')
      const { writeFinding } = await import('./exploration-view.ts')
      const judges = await judgesOf(invariants, stage)
      const { webhook } = input
      const { finding } = await replay(
        file,
        { webhook },
        { world: stage, property: playAll(invariants), judges },
      )
      return { finding: finding ? writeFinding(finding) : null }
    })
  }

  #find({ identity }: World, id: string): Exploration {
    return orNotFound(
      this.#byTeam.get(identity.teamId)?.find(({ view }) => view.id === id),
      `There is no exploration ${id}; GET /_petri/explore lists them.`,
    )
  }

  /** Refuses a program that cannot be reached, and what is too much at the same time. */
  async #reserve({ identity }: World, { webhook }: Program): Promise<void> {
    const { teamId } = identity
    if (this.#dependencies.worlds.isStage(identity))
      throw new Problem(
        'bad_request',
        'This is the key of an exploration; start another with that of its world.',
      )
    if (this.#playing.size >= MAX_PLAYING)
      throw new Problem(
        'conflict',
        `${MAX_PLAYING} explorations of other worlds are running; wait for the end of one.`,
      )
    if (this.#playing.has(teamId))
      throw new Problem('conflict', 'An exploration of this world is running; stop it, or wait for its end.')
    this.#playing.add(teamId)
    const reason = await whyUnreachable(webhook, isInContainer())
    if (reason === undefined) return
    this.#playing.delete(teamId)
    throw badRequest(`No webhook can be sent to ${webhook}. ${reason}.`)
  }

  /** Uses a world of its own, which is deleted afterwards. */
  async #inStage<Result>(
    world: World,
    now: number,
    use: (stage: PetriWorld) => Promise<Result>,
  ): Promise<Result> {
    try {
      const stage = await openStage({ ...this.#dependencies, of: world, now })
      try {
        return await use(stage)
      } finally {
        await stage.close()
      }
    } finally {
      this.#playing.delete(world.identity.teamId)
    }
  }
}

interface Search {
  readonly input: ExplorationInput
  readonly invariants: readonly Invariant[]
  readonly signal: AbortSignal
  show(changed: Partial<ExplorationView>): void
}

async function exploreIn(stage: PetriWorld, { input, invariants, signal, show }: Search): Promise<void> {
  const { explore, replay } = await import('./explore.ts')
  const { assertReadable } = await import('./checks.ts')
  const { happyHistory } = await import('./compile.ts')
  const { progressOf } = await import('./exploration-view.ts')
  const { endedByText } = await import('./report.ts')
  const { webhook, runs, seed, max_findings: maxFindings, only, without } = input
  const happy = await replay(happyHistory(), { webhook }, { world: stage, property: playAll([]) })
  // What it accepts is explored; what it shows must be readable if it accepts anything.
  if (!happy.finding) await assertReadable(invariants, happy.played)
  const onProgress = (progress: ExploreProgress) => show(progressOf(progress))
  const options = { webhook, runs, seed, maxFindings, only, without, signal, onProgress }
  const judges = await judgesOf(invariants, stage)
  const explored = await explore(options, { world: stage, property: playAll(invariants), judges })
  const { stopped, endedBy } = explored
  const detail = endedBy === undefined ? null : endedByText(endedBy)
  show({ ...progressOf(explored), state: stopped ? 'stopped' : 'done', detail })
}

async function judgesOf(invariants: readonly Invariant[], stage: PetriWorld): Promise<readonly Judge[]> {
  const { judgeInvariants, judgeRepetition } = await import('./checks.ts')
  return [judgeInvariants(invariants, stage), judgeRepetition(invariants, stage)]
}

/** The invariants of `check`, `at` and `map`. */
async function checksOf({ check, at, map = {} }: Program): Promise<readonly Invariant[]> {
  const { CheckError, readCheck } = await import('./checks.ts')
  if (check === undefined) return []
  const pairs = Object.entries(map).map((pair) => pair.join('='))
  return [orBadRequest(CheckError, () => readCheck(check, at, pairs))]
}

/** An error whose message is for the user becomes a refusal. */
function orBadRequest<Result>(kind: new (...given: never[]) => Error, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof kind) throw badRequest(error.message)
    throw error
  }
}
