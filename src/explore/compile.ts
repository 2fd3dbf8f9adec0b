import { writeDuration } from '../kernel/duration.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, toIso } from '../kernel/instant.ts'
import { compact } from '../kernel/list.ts'
import { once } from '../kernel/once.ts'
import { connectionErrors } from '../resources/connections/schema.ts'
import {
  canMove,
  detailsOf,
  happyPaths,
  hasReport,
  type LowStatus,
  legalMoves,
  lowStatuses,
  type Method,
  movesFrom,
  pathTo,
  type Workflow,
  workflows,
} from '../resources/orders/lifecycle.ts'
import type { demoSlugs } from '../resources/providers/schema.ts'
import { checkScenario, initialStatuses } from '../scenarios/check.ts'
import { toStep } from '../scenarios/steps.ts'
import { WAITS_SECONDS } from '../webhooks/retry-schedule.ts'
import { type Coverage, edgeOf } from './coverage.ts'
import type { Draft, FaultDraft, OrderDraft } from './draft.ts'
import type { HistoryAction, HistoryFile, HistoryOrder } from './history-file.ts'

type WrittenStep = HistoryFile['steps'][number]
type WrittenFault = NonNullable<HistoryFile['faults']>[number]

/** Nine on a Monday morning. */
export const START = Date.parse('2026-01-05T09:00:00Z')

/** The usual time before each status, as in the scenario `happy-path`; a day before the others. */
const usualWaits: Readonly<Partial<Record<LowStatus, number>>> = {
  requisition_created: 4 * HOUR_MS,
  out_for_delivery: 2 * DAY_MS,
  with_customer: 6 * HOUR_MS,
  registered: HOUR_MS,
  transit_lab: 2 * DAY_MS,
  delivered_to_lab: 2 * DAY_MS,
}

/** Times at the boundaries of the retry schedule and of days, from at once to weeks. */
const waits: readonly number[] = [
  0,
  SECOND_MS,
  ...WAITS_SECONDS.slice(0, 6).flatMap((seconds) => [seconds * SECOND_MS, (seconds + 1) * SECOND_MS]),
  DAY_MS - SECOND_MS,
  7 * DAY_MS,
  21 * DAY_MS,
]
/** After these come the times until just before, at and just after the next midnight. */
const aroundMidnight: readonly number[] = [-SECOND_MS, 0, SECOND_MS]
export const waitCount = waits.length + aroundMidnight.length

function waitAt(index: number, from: number): number {
  const wait = waits[index]
  if (wait !== undefined) return wait
  const midnight = Math.ceil((from + 1) / DAY_MS) * DAY_MS
  return Math.max(0, midnight - from + (aroundMidnight[index - waits.length] ?? 0))
}

/** How long a receiver is out, around the boundaries of the retry schedule. Longer ones lose messages. */
const outageLengths: readonly number[] = [
  6 * SECOND_MS,
  6 * MINUTE_MS,
  36 * MINUTE_MS,
  3 * HOUR_MS,
  8 * HOUR_MS,
  18 * HOUR_MS,
  27 * HOUR_MS,
]
export const outageCount = outageLengths.length

/** When a message is delivered again, after the end of its order. */
const redeliveryTimes: readonly number[] = [MINUTE_MS, DAY_MS, 3 * DAY_MS, 30 * DAY_MS]
export const redeliveryCount = redeliveryTimes.length

const results = [
  { interpretation: 'normal' },
  { interpretation: 'abnormal' },
  { interpretation: 'critical' },
  { interpretation: 'normal', missing: true },
] as const
export const resultCount = results.length

/** What a call of the program under test gets. */
const faultKinds = [
  { respond: { status: 429, headers: { 'retry-after': '1' } } },
  { respond: { status: 500 } },
  { respond: { status: 503 } },
  // No answer, and no effect.
  { drop: 'reset' },
  // The answer breaks off after the effect.
  { drop: 'truncate' },
] as const
export const faultKindCount = faultKinds.length

/** An order as it is written, with the instants of its steps. */
interface Course {
  readonly workflow: Workflow
  readonly steps: readonly WrittenStep[]
  /** Milliseconds from the placing of the order to each of its statuses, the first included. */
  readonly times: readonly number[]
  /** When its kit is registered, since it was placed. */
  readonly registeredAt: number | undefined
}

const methodOf = (workflow: Workflow): Method =>
  workflow === 'registered_kit' || workflow === 'registrable_kit' ? 'testkit' : workflow

/** What ends an order unless something unusual follows. */
const endings: readonly LowStatus[] = [
  'completed',
  'corrected',
  'cancelled',
  'redraw_available',
  'sample_error',
  'lost',
  'do_not_process',
  'failure_to_deliver_to_customer',
  'failure_to_deliver_to_lab',
]

/** The next status if nothing unusual happens. */
export function usualMove(workflow: Workflow, history: readonly LowStatus[]): LowStatus | undefined {
  const at = history.at(-1) ?? 'ordered'
  if (endings.includes(at)) return undefined
  const happy = happyPaths[workflow]
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

/** The statuses of an order. */
interface Walk {
  readonly workflow: Workflow
  /** With the initial ones. */
  readonly history: readonly LowStatus[]
  /** Of each move after the initial ones. */
  readonly picks: readonly number[]
}

/** The number of moves of an order after its initial statuses. */
export const movesIn = (draft: OrderDraft, coverage: Pick<Coverage, 'edges'>): number =>
  walk(draft, coverage).picks.length

function walk(draft: OrderDraft, coverage: Pick<Coverage, 'edges'>): Walk {
  const { omitted = [] } = draft
  const whole = walkAll(draft, coverage)
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

/** Walks along the detours. */
function walkAll({ aim, detours, workflow: index }: OrderDraft, coverage: Pick<Coverage, 'edges'>): Walk {
  const workflow = workflows[index] ?? 'registered_kit'
  const history = initialStatuses(workflow)
  const picks: number[] = []
  if (aim !== undefined) {
    const way = choose(waysOf(workflow), aim, ({ edge }) => coverage.edges.get(edge) ?? 0)?.way ?? []
    history.push(...way)
    picks.push(...way.map(() => aim))
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

function compileOrder(draft: OrderDraft, placedAt: number, coverage: Pick<Coverage, 'edges'>): Course {
  const { workflow, history, picks } = walk(draft, coverage)
  const initial = initialStatuses(workflow)
  const steps: WrittenStep[] = []
  const times = initial.map(() => 0)
  let at = 0
  let registeredAt: number | undefined
  for (const [index, to] of history.slice(initial.length).entries()) {
    const chosen = draft.waits.find(({ step }) => step === index)
    const usual = usualWaits[to] ?? DAY_MS
    const wait = chosen ? waitAt(chosen.wait, placedAt + at) : usual
    at += wait
    times.push(at)
    const step = writeStep({
      workflow,
      history: history.slice(0, initial.length + index),
      to,
      wait,
      pick: picks[index] ?? 0,
      result: draft.result,
    })
    if ('await' in step) registeredAt = at
    steps.push(step)
  }
  return { workflow, steps: withForced(methodOf(workflow), steps), times, registeredAt }
}

interface StepToWrite {
  readonly workflow: Workflow
  readonly history: readonly LowStatus[]
  readonly to: LowStatus
  readonly wait: number
  readonly pick: number
  readonly result: number
}

const callOffs = ['no_show', 'cancelled_by_provider', 'cancelled_by_patient'] as const

function writeStep({ workflow, history, to, wait, pick, result }: StepToWrite): WrittenStep {
  const after = writeDuration(wait)
  const from = history.at(-1)
  // The two kinds of kits have different lifecycles.
  const only = methodOf(workflow) === 'testkit' ? { only: workflow } : {}
  if (to === 'registered') return { await: 'registration', ...only }
  if (from === 'appointment_scheduled' && workflow === 'at_home_phlebotomy') {
    if (to === 'appointment_scheduled') return { after, appointment: 'moved' }
    if (to === 'draw_completed') return { after, appointment: 'complete' }
  }
  if (from === 'appointment_scheduled' && to === 'appointment_cancelled')
    return { after, appointment: callOffs[pick % callOffs.length] ?? 'no_show' }
  const details = detailsOf[to]
  return {
    after,
    status: to,
    ...only,
    ...(details && to !== 'cancelled' && { status_detail: details[pick % details.length] }),
    ...(hasReport(to) && { results: resultsOf(workflow, to, result) }),
  }
}

/** Missing results would change `completed` of a walk-in order into a redraw, which is a move of its own. */
function resultsOf(workflow: Workflow, to: LowStatus, result: number) {
  const chosen = results[result] ?? results[0]
  if (workflow === 'walk_in_test' && to !== 'redraw_available')
    return { interpretation: chosen.interpretation }
  return { ...chosen }
}

/**
 * A step that would be refused because the kit may be registered before it is legal in this history, in which nobody
 * does so.
 */
function withForced(method: Method, steps: readonly WrittenStep[]): readonly WrittenStep[] {
  const refused = checkScenario({ method, steps: steps.map(toStep) }).map(({ step }) => step)
  return steps.map((step, at) => (refused.includes(at) && 'status' in step ? { ...step, force: true } : step))
}

const placings: readonly number[] = [0, MINUTE_MS, HOUR_MS, DAY_MS, 4 * DAY_MS]
export const placingCount = placings.length

const FEATURES = { partial_results_webhooks: true, redraws: true } as const

export interface CompileOptions {
  readonly name: string
  readonly seed: string
  readonly coverage: Pick<Coverage, 'edges'>
}

/** An order of the draft, as it is written and when. */
interface Placed extends Course {
  readonly at: number
  readonly user: number
  readonly draft: OrderDraft
}

/** The scenario file of a draft. */
export function compile(draft: Draft, { name, seed, coverage }: CompileOptions): HistoryFile {
  const placed = placeOrders(draft, coverage)
  const [first, ...others] = placed
  if (!first) throw new Error('a history without an order')
  const ofOrders = draft.faults.filter(({ operation }) => operation.includes('{order_id}')).map(writeFault)
  const ofOthers = draft.faults.filter(({ operation }) => !operation.includes('{order_id}')).map(writeFault)
  const futuresEnd = draft.hasFutures && draft.feed === undefined ? lastOrdinary(placed) : undefined
  const hasFutures = futuresEnd !== undefined
  const actions = compileActions(draft, placed, futuresEnd)
  return {
    name,
    summary: 'A history that petri explore has made.',
    method: methodOf(first.workflow),
    steps: [...first.steps],
    ...(first.draft.deliveries && { webhooks: { ...first.draft.deliveries } as HistoryFile['webhooks'] }),
    ...(ofOrders.length > 0 && { faults: ofOrders }),
    history: {
      seed,
      now: toIso(START),
      ...(first.workflow === 'registrable_kit' && { registrable: true as const }),
      features: { ...FEATURES, ...(hasFutures && { unknown_futures: true }) },
      ...(draft.isSpaced && { bodies: 'spaced' as const }),
      ...(others.length > 0 && { orders: others.map(writeOrder) }),
      ...(actions.length > 0 && { actions }),
      ...(ofOthers.length > 0 && { faults: ofOthers }),
    },
  }
}

function placeOrders({ first, others }: Draft, coverage: Pick<Coverage, 'edges'>): readonly Placed[] {
  let users = 1
  const rest = others.map((draft): Placed => {
    const at = placings[draft.placed] ?? 0
    if (!draft.isSameUser) users++
    return { ...compileOrder(draft, START + at, coverage), at, user: draft.isSameUser ? 1 : users, draft }
  })
  return [{ ...compileOrder(first, START, coverage), at: 0, user: 1, draft: first }, ...rest]
}

const writeOrder = ({ at, user, workflow, steps, draft }: Placed): HistoryOrder => ({
  at: writeDuration(at),
  user,
  method: methodOf(workflow),
  ...(workflow === 'registrable_kit' && { registrable: true as const }),
  steps: [...steps],
  ...(draft.deliveries && { webhooks: { ...draft.deliveries } as HistoryOrder['webhooks'] }),
})

const writeFault = ({ operation, kind, times }: FaultDraft): WrittenFault => ({
  operation,
  times,
  ...(faultKinds[kind] ?? faultKinds[0]),
})

const endOf = ({ at, times }: Placed) => at + (times.at(-1) ?? 0)

function compileActions(
  draft: Draft,
  placed: readonly Placed[],
  futuresEnd: number | undefined,
): HistoryAction[] {
  const end = Math.max(...placed.map(endOf))
  const timed = compact([
    ...placed.flatMap((order, at) => ofOrder(order, at + 1)),
    ...ofOutage(draft, placed),
    ...ofFutures(futuresEnd),
    draft.hasUnmatched && { at: DAY_MS, act: (at: string): HistoryAction => ({ at, unmatched: 'no_match' }) },
    ...ofFeed(draft, end + HOUR_MS),
    ...ofRedelivery(draft, placed),
  ])
  return timed.sort((a, b) => a.at - b.at).map(({ at, act }) => act(writeDuration(at)))
}

interface TimedAction {
  readonly at: number
  readonly act: (at: string) => HistoryAction
}

function ofOrder({ at, registeredAt, times, draft: { cancelAfter } }: Placed, order: number): TimedAction[] {
  return compact([
    registeredAt !== undefined && {
      at: at + registeredAt,
      act: (time: string): HistoryAction => ({ at: time, register: order }),
    },
    cancelAfter !== undefined && {
      at: at + (times[cancelAfter] ?? times.at(-1) ?? 0) + MINUTE_MS,
      act: (time: string): HistoryAction => ({ at: time, cancel: order }),
    },
  ])
}

function ofOutage({ outage, faults }: Draft, [first]: readonly Placed[]): TimedAction[] {
  if (!outage || !first) return []
  const at = Math.max(0, (first.times[outage.step % first.times.length] ?? 0) - SECOND_MS)
  // A program may refuse deliveries because its calls fail; one of the eight attempts must be left.
  const longest = faults.length > 0 ? 1 : outageCount - 1
  const lasts = writeDuration(outageLengths[Math.min(outage.length, longest)] ?? SECOND_MS)
  return [{ at, act: (time) => ({ at: time, receiver: outage.kind, for: lasts }) }]
}

/**
 * An instant before the last status of every order, its cancellation included, which is then one that clients know;
 * undefined without one.
 */
function lastOrdinary(placed: readonly Placed[]): number | undefined {
  const instants = placed.map(({ at, times, draft: { cancelAfter } }) => {
    const last = times.at(-1) ?? 0
    const before = times.findLast((time) => time < last)
    if (before === undefined) return undefined
    return at + Math.min(before, cancelAfter === undefined ? last : (times[cancelAfter] ?? last))
  })
  return instants.includes(undefined) ? undefined : Math.min(...instants.map((instant) => instant ?? 0))
}

const ofFutures = (end: number | undefined): TimedAction[] =>
  end === undefined ? [] : [{ at: end, act: (at) => ({ at, features: { unknown_futures: false } }) }]

const providers: readonly (typeof demoSlugs)[number][] = ['freestyle_libre', 'fitbit', 'oura']
export const providerCount = providers.length
/** The days of samples of one value: late, in order, or again with another value. */
export const sampleDays = [0, -3, -1, -3] as const

function ofFeed({ feed }: Draft, from: number): TimedAction[] {
  if (!feed) return []
  const provider = providers[feed.provider] ?? 'freestyle_libre'
  const { error: index } = feed
  const error = index === undefined ? undefined : connectionErrors[index]
  return compact([
    { at: from, act: (at) => ({ at, connect: provider, user: 1 }) },
    ...feed.data.map(
      (day, ordinal): TimedAction => ({
        at: from + (ordinal + 1) * MINUTE_MS,
        act: (at) => ({ at, data: 'steps', provider, user: 1, day, value: 1000 * (ordinal + 1) }),
      }),
    ),
    error !== undefined && {
      at: from + HOUR_MS,
      act: (at: string): HistoryAction => ({ at, break: provider, user: 1, error }),
    },
  ])
}

export const connectionErrorCount = connectionErrors.length

function ofRedelivery({ redelivery }: Draft, placed: readonly Placed[]): TimedAction[] {
  const order = redelivery && placed[redelivery.order % placed.length]
  if (!redelivery || !order) return []
  const number = placed.indexOf(order) + 1
  const { event } = redelivery
  return [
    {
      at: endOf(order) + (redeliveryTimes[redelivery.later] ?? DAY_MS),
      act: (at) => ({ at, redeliver: number, ...(event !== undefined && { event }) }),
    },
  ]
}

/** The happy path of one kit. */
export const happyHistory = (): HistoryFile =>
  compile(
    {
      first: {
        workflow: 0,
        aim: undefined,
        detours: [],
        waits: [],
        result: 0,
        deliveries: undefined,
        cancelAfter: undefined,
      },
      others: [],
      faults: [],
      redelivery: undefined,
      outage: undefined,
      feed: undefined,
      hasUnmatched: false,
      isSpaced: false,
      hasFutures: false,
    },
    { name: 'explored', seed: 'explore/happy-path', coverage: { edges: new Map() } },
  )
