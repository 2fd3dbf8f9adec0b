import { writeDuration } from '../../kernel/duration.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, toIso } from '../../kernel/instant.ts'
import { append } from '../../kernel/list.ts'
import {
  detailsOf,
  hasReport,
  type LowStatus,
  type Method,
  type Workflow,
} from '../../resources/orders/lifecycle.ts'
import { checkScenario } from '../../scenarios/check.ts'
import type { FindingFile, FindingOrder } from '../../scenarios/finding.ts'
import { initialStatuses } from '../../scenarios/planned-steps.ts'
import { toStep } from '../../scenarios/steps.ts'
import { WAITS_SECONDS } from '../../webhooks/retry-schedule.ts'
import { compileActions, lastOrdinary, type PlacedOrder } from './actions.ts'
import type { Coverage } from './coverage.ts'
import { type Draft, type FaultDraft, happyDraft, type OrderDraft } from './draft.ts'
import { pathOf } from './order-path.ts'

type WrittenStep = FindingOrder['steps'][number]
type WrittenFault = NonNullable<FindingFile['faults']>[number]

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

const results = [
  { interpretation: 'normal' },
  { interpretation: 'abnormal' },
  { interpretation: 'critical' },
  { interpretation: 'normal', missing: true },
] as const
export const resultCount = results.length

/** Responses to calls of the program under test. */
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

/** An order as it is written. */
interface Course extends Pick<PlacedOrder, 'times' | 'registeredAt'> {
  readonly workflow: Workflow
  readonly steps: readonly WrittenStep[]
}

const methodOf = (workflow: Workflow): Method =>
  workflow === 'registered_kit' || workflow === 'registrable_kit' ? 'testkit' : workflow

function compileOrder(draft: OrderDraft, placedAt: number, coverage: Pick<Coverage, 'edges'>): Course {
  const { workflow, history, picks } = pathOf(draft, coverage)
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
    const written = writeSteps({
      workflow,
      history: history.slice(0, initial.length + index),
      to,
      wait,
      pick: picks[index] ?? 0,
      result: draft.result,
    })
    if (written.some((step) => 'await' in step)) registeredAt = at
    append(steps, written)
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

/** The step to a status; a visit starts and is complete at the same time. */
function writeSteps({ workflow, history, to, wait, pick, result }: StepToWrite): WrittenStep[] {
  const after = writeDuration(wait)
  const from = history.at(-1)
  // The two kinds of kits have different lifecycles.
  const only = methodOf(workflow) === 'testkit' ? { only: workflow } : {}
  if (to === 'registered') return [{ await: 'registration', ...only }]
  if (from === 'appointment_scheduled' && workflow === 'at_home_phlebotomy') {
    if (to === 'appointment_scheduled') return [{ after, appointment: 'moved' }]
    if (to === 'draw_completed')
      return [
        { after, appointment: 'start' },
        { after: '0s', appointment: 'complete' },
      ]
  }
  if (from === 'appointment_scheduled' && to === 'appointment_cancelled')
    return [{ after, appointment: callOffs[pick % callOffs.length] ?? 'no_show' }]
  const details = detailsOf.get(to)
  return [
    {
      after,
      status: to,
      ...only,
      ...(details && to !== 'cancelled' && { status_detail: details[pick % details.length] }),
      ...(hasReport(to) && { results: resultsOf(workflow, to, result) }),
    },
  ]
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

/** The file of a draft. */
export function compile(draft: Draft, { name, seed, coverage }: CompileOptions): FindingFile {
  const placed = placeOrders(draft, coverage)
  const [first, ...others] = placed
  if (!first) throw new Error('a history without an order')
  const ofOrders = draft.faults.filter(({ operation }) => operation.includes('{order_id}')).map(writeFault)
  const ofOthers = draft.faults.filter(({ operation }) => !operation.includes('{order_id}')).map(writeFault)
  const futuresEnd = draft.hasFutures && draft.feed === undefined ? lastOrdinary(placed) : undefined
  const hasFutures = futuresEnd !== undefined
  const actions = compileActions(draft, placed, futuresEnd)
  return {
    kind: 'finding',
    name,
    summary: 'A history made by petri explore.',
    seed,
    now: toIso(START),
    features: {
      ...FEATURES,
      ...(draft.feed && { history: '3d' }),
      ...(hasFutures && { unknown_futures: true }),
    },
    ...(draft.feed && { time_zone: 'America/New_York' }),
    ...(draft.isSpaced && { bodies: 'spaced' as const }),
    orders: [writeOrder(first, ofOrders), ...others.map((order) => writeOrder(order))],
    ...(actions.length > 0 && { actions }),
    ...(ofOthers.length > 0 && { faults: ofOthers }),
  }
}

/** An order of the draft, as it is written and when. */
type Placed = Course & PlacedOrder

function placeOrders({ first, others }: Draft, coverage: Pick<Coverage, 'edges'>): readonly Placed[] {
  let users = 1
  const rest = others.map((draft): Placed => {
    const at = placings[draft.placed] ?? 0
    if (!draft.isSameUser) users++
    return { ...compileOrder(draft, START + at, coverage), at, user: draft.isSameUser ? 1 : users, draft }
  })
  return [{ ...compileOrder(first, START, coverage), at: 0, user: 1, draft: first }, ...rest]
}

const writeOrder = (
  { at, user, workflow, steps, draft }: Placed,
  faults: readonly WrittenFault[] = [],
): FindingOrder => ({
  at: writeDuration(at),
  user,
  method: methodOf(workflow),
  ...(workflow === 'registrable_kit' && { registrable: true as const }),
  steps: [...steps],
  ...(draft.webhookFaults && {
    webhook_faults: { ...draft.webhookFaults } as FindingOrder['webhook_faults'],
  }),
  ...(faults.length > 0 && { faults: [...faults] }),
})

const writeFault = ({ operation, kind, times }: FaultDraft): WrittenFault => ({
  operation,
  times,
  ...(faultKinds[kind] ?? faultKinds[0]),
})

/** The happy path of one kit. */
export const happyHistory = (): FindingFile =>
  compile(
    { ...happyDraft(0), isLooked: false },
    { name: 'explored', seed: 'explore/happy-path', coverage: { edges: new Map() } },
  )
