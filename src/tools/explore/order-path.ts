import { append } from '../../kernel/list.ts'
import { once } from '../../kernel/once.ts'
import {
  canMove,
  happyPaths,
  type LowStatus,
  legalMoves,
  lowStatuses,
  movesFrom,
  pathTo,
  type Workflow,
  workflows,
} from '../../resources/orders/lifecycle.ts'
import { initialStatuses } from '../../scenarios/planned-steps.ts'
import { type Coverage, edgeOf } from './coverage.ts'
import type { OrderDraft } from './draft.ts'

/** The next status if nothing unusual happens. */
export function usualMove(workflow: Workflow, history: readonly LowStatus[]): LowStatus | undefined {
  const at = history.at(-1) ?? 'ordered'
  // A walk-in order may get another status, but only if something unusual happens.
  if (at === 'cancelled') return undefined
  const happy = happyPaths.get(workflow)
  const next = happy[happy.indexOf(at) + 1]
  if (happy.includes(at) && next && legalMoves(workflow, history).includes(next)) return next
  return pathTo(workflow, history, 'completed')?.[0]
}

/** How an order comes to an edge of its lifecycle. */
interface Way {
  readonly edge: string
  /** The statuses after the initial ones, that of the edge included. */
  readonly way: readonly LowStatus[]
}

const waysByWorkflow = once(() => new Map(workflows.map((workflow) => [workflow, makeWays(workflow)])))
const waysOf = (workflow: Workflow): readonly Way[] => waysByWorkflow().get(workflow) ?? []

const makeWays = (workflow: Workflow): readonly Way[] =>
  lowStatuses.flatMap((from) =>
    movesFrom(workflow, from).flatMap((to) => {
      const way = wayAlong(workflow, from, to)
      return way ? [{ edge: edgeOf(workflow, from, to), way }] : []
    }),
  )

/** The usual moves as long as they come nearer, then the shortest way. Undefined if no order comes along this edge. */
function wayAlong(workflow: Workflow, from: LowStatus, to: LowStatus): readonly LowStatus[] | undefined {
  const initial = initialStatuses(workflow)
  const usual = usualWay(workflow, initial)
  const ways = usual.concat(to).flatMap((_, at) => {
    const before = [...initial, ...usual.slice(0, at)]
    const detour = before.at(-1) === from ? [] : pathTo(workflow, before, from)
    if (!detour || !canMove(workflow, [...before, ...detour], to)) return []
    return [{ detour, way: [...usual.slice(0, at), ...detour, to] }]
  })
  return ways.sort((a, b) => a.detour.length - b.detour.length)[0]?.way
}

function usualWay(workflow: Workflow, initial: readonly LowStatus[]): readonly LowStatus[] {
  const way: LowStatus[] = []
  let next = usualMove(workflow, initial)
  while (next !== undefined) {
    way.push(next)
    next = usualMove(workflow, [...initial, ...way])
  }
  return way
}

const MAX_STEPS = 30

/** Chooses by a pick; what no history has covered yet is likelier. */
function choose<Choice>(
  choices: readonly Choice[],
  pick: number,
  timesCovered: (choice: Choice) => number,
): Choice | undefined {
  const weights = choices.map((choice) => 1 / (1 + timesCovered(choice)) ** 2)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let rest = (pick / MAX_PICK) * total
  const chosen = weights.findIndex((weight) => {
    rest -= weight
    return rest < 0
  })
  return choices[chosen] ?? choices.at(-1)
}

/** Chooses a legal move other than the usual one. */
function chooseDetour(
  workflow: Workflow,
  history: readonly LowStatus[],
  pick: number,
  { edges }: Pick<Coverage, 'edges'>,
): LowStatus | undefined {
  const usual = usualMove(workflow, history)
  const from = history.at(-1) ?? 'ordered'
  const moves = legalMoves(workflow, history).filter((to) => to !== usual)
  return choose(moves, pick, (to) => edges.get(edgeOf(workflow, from, to)) ?? 0)
}

/** Picks are below it. */
export const MAX_PICK = 10_000

/** The statuses of an order, one after the other. */
interface OrderPath {
  readonly workflow: Workflow
  /** With the initial ones. */
  readonly history: readonly LowStatus[]
  /** Of each move after the initial ones. */
  readonly picks: readonly number[]
}

/** The number of moves of an order after its initial statuses. */
export const movesIn = (draft: OrderDraft, coverage: Pick<Coverage, 'edges'>): number =>
  pathOf(draft, coverage).picks.length

export function pathOf(draft: OrderDraft, coverage: Pick<Coverage, 'edges'>): OrderPath {
  const { omitted = [] } = draft
  const whole = pathWithDetours(draft, coverage)
  const { workflow, history, picks } = whole
  const isKept = (position: number) => !omitted.includes(position)
  const initial = initialStatuses(workflow)
  const kept = [...initial]
  for (const to of history.slice(initial.length).filter((_, position) => isKept(position))) {
    if (!canMove(workflow, kept, to)) return whole
    kept.push(to)
  }
  return { workflow, history: kept, picks: picks.filter((_, position) => isKept(position)) }
}

/** The path along the detours, nothing left out. */
function pathWithDetours(
  { aim, detours, workflow: index }: OrderDraft,
  coverage: Pick<Coverage, 'edges'>,
): OrderPath {
  const workflow = workflows[index] ?? 'registered_kit'
  const history = initialStatuses(workflow)
  const picks: number[] = []
  if (aim !== undefined) {
    const way = choose(waysOf(workflow), aim, ({ edge }) => coverage.edges.get(edge) ?? 0)?.way ?? []
    append(history, way)
    append(
      picks,
      way.map(() => aim),
    )
  }
  let next = 0
  let usualLeft = detours[0]?.after ?? 0
  while (history.length < MAX_STEPS) {
    const usual = usualMove(workflow, history)
    const detour = detours[next]
    const isDetour = detour !== undefined && (usualLeft === 0 || usual === undefined)
    const to = isDetour ? (chooseDetour(workflow, history, detour.pick, coverage) ?? usual) : usual
    if (isDetour) usualLeft = detours[++next]?.after ?? 0
    else usualLeft--
    if (to === undefined && !isDetour) break
    if (to === undefined) continue
    history.push(to)
    picks.push(isDetour ? detour.pick : 0)
  }
  return { workflow, history, picks }
}
