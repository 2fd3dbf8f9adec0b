import type { ExploreOptions, ExploreProperty, PlayableHistory } from '../../client/explore.ts'
import type { PetriWorld } from '../../client/kit.ts'
import type { Order } from '../../client/responses.ts'
import { wallClock } from '../../kernel/clock.ts'
import { valueAt } from '../../kernel/json.ts'
import { reasonOf } from '../../kernel/reason.ts'
import type { FindingFile } from '../../scenarios/finding.ts'
import { numberedSeed } from '../../world/ids.ts'
import { writeFinding } from './finding-file.ts'
import { builtInJudges, type Judge, Violated, type Violation } from './oracles.ts'
import { type Played, playHistory, prepareHistory } from './play.ts'
import { createHistoryReceiver, type HistoryReceiver } from './receiver.ts'

/** The program under test, and where it is played. */
export interface PlayerOptions {
  /** A frozen world that was born at the start of all histories; it is reset for each. */
  readonly world: PetriWorld
  readonly property: ExploreProperty
  /** Checks after the built-in ones. */
  readonly judges?: readonly Judge[] | undefined
}

/** How a play of a history ended. */
export interface Outcome {
  readonly played: Played
  readonly violation: Violation | undefined
}

export interface FailedOutcome extends Outcome {
  readonly violation: Violation
}

export const hasFailed = (outcome: Outcome): outcome is FailedOutcome => outcome.violation !== undefined

export interface Player {
  readonly plays: number
  play(file: FindingFile): Promise<Outcome>
  close(): Promise<void>
}

/** Plays histories one after the other in one world. */
export function createPlayer(
  { webhook }: Pick<ExploreOptions, 'webhook'>,
  { world, property, judges = [] }: PlayerOptions,
  onPlayed: () => Promise<void> = async () => undefined,
): Player {
  const receiver = createHistoryReceiver()
  const stage = withReceiver(world, receiver)
  // A program with a store has met the ids of earlier plays, also of those of another day.
  const before = wallClock()
  let plays = 0
  return {
    get plays() {
      return plays
    },
    async play(file) {
      plays++
      receiver.reset()
      await world.reset({ seed: numberedSeed(file.seed, before + plays) })
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
