import { writeDuration } from '../../kernel/duration.ts'
import { keysOf } from '../../kernel/fields.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kernel/instant.ts'
import { compact, largest, smallest } from '../../kernel/list.ts'
import { connectionErrors } from '../../resources/connections/schema.ts'
import type { FindingAction } from '../../scenarios/finding.ts'
import type { Draft, FeedAct, OrderDraft } from './draft.ts'
import { lives } from './lives.ts'

/** An order of a draft, with the instants of its statuses. */
export interface PlacedOrder {
  /** Milliseconds from the start of the history to its placing. */
  readonly at: number
  /** The number of its user. */
  readonly user: number
  /** Milliseconds from the placing of the order to each of its statuses, the first included. */
  readonly times: readonly number[]
  /** When its kit is registered, since it was placed. */
  readonly registeredAt: number | undefined
  readonly draft: OrderDraft
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

/** When a message is resent, after the end of its order. */
const resendTimes: readonly number[] = [MINUTE_MS, DAY_MS, 3 * DAY_MS, 30 * DAY_MS]
export const resendCount = resendTimes.length

const endOf = ({ at, times }: PlacedOrder) => at + (times.at(-1) ?? 0)

export function compileActions(
  draft: Draft,
  placed: readonly PlacedOrder[],
  futuresEnd: number | undefined,
): FindingAction[] {
  const end = largest(placed.map(endOf))
  const timed = compact([
    ...placed.flatMap((order, at) => ofOrder(order, at + 1)),
    ...ofOutage(draft, placed),
    ...ofFutures(futuresEnd),
    draft.hasUnmatched && { at: DAY_MS, unmatched: 'no_match' as const },
    ...ofFeed(draft, end + HOUR_MS),
    ...ofResend(draft, placed),
    // Until its end, statuses may be unknown.
    ...(draft.isLooked && futuresEnd === undefined ? placed.flatMap(looksAt) : []),
  ])
  return timed.sort((a, b) => a.at - b.at).map((action) => ({ ...action, at: writeDuration(action.at) }))
}

type Untimed<Action> = Action extends unknown ? Omit<Action, 'at'> : never
type UntimedAction = Untimed<FindingAction>
/** An action with its time in milliseconds since the history began. */
type TimedAction = UntimedAction & { readonly at: number }

function ofOrder(
  { at, registeredAt, times, draft: { cancelAfter } }: PlacedOrder,
  order: number,
): TimedAction[] {
  return compact([
    registeredAt !== undefined && { at: at + registeredAt, register: order },
    cancelAfter !== undefined && {
      at: at + cancelledAt(times, cancelAfter),
      cancel: order,
    },
  ])
}

/** When the customer cancels an order, since it was placed. */
const cancelledAt = (times: readonly number[], cancelAfter: number) =>
  (times[cancelAfter] ?? times.at(-1) ?? 0) + MINUTE_MS

/** The user of an order looks at it after each of its events. */
function looksAt({ at, user, times, draft: { cancelAfter } }: PlacedOrder): TimedAction[] {
  const cancelled = cancelAfter === undefined ? [] : [cancelledAt(times, cancelAfter)]
  return [...new Set([...times, ...cancelled])].map((time) => ({ at: at + time, look: true, user }))
}

function ofOutage({ outage, faults }: Draft, [first]: readonly PlacedOrder[]): TimedAction[] {
  if (!outage || !first) return []
  const at = Math.max(0, (first.times[outage.step % first.times.length] ?? 0) - SECOND_MS)
  // A program may refuse deliveries because its calls fail; one of the eight attempts must be left.
  const longest = faults.length > 0 ? 1 : outageCount - 1
  const lasts = writeDuration(outageLengths[Math.min(outage.length, longest)] ?? SECOND_MS)
  return [{ at, receiver: outage.kind, for: lasts }]
}

/**
 * An instant before the last status of every order, its cancellation included, which is then one that clients know;
 * undefined without one.
 */
export function lastOrdinary(placed: readonly PlacedOrder[]): number | undefined {
  const instants = placed.map(({ at, times, draft: { cancelAfter } }) => {
    const last = times.at(-1) ?? 0
    const before = times.findLast((time) => time < last)
    if (before === undefined) return undefined
    return at + Math.min(before, cancelAfter === undefined ? last : (times[cancelAfter] ?? last))
  })
  return instants.includes(undefined) ? undefined : smallest(instants.map((instant) => instant ?? 0))
}

const ofFutures = (end: number | undefined): TimedAction[] =>
  end === undefined ? [] : [{ at: end, features: { unknown_futures: false } }]

/** Times between what happens to a connection: before, during and after the pull of a history, and over nights. */
const feedWaits: readonly number[] = [MINUTE_MS, 20 * MINUTE_MS, 7 * HOUR_MS, DAY_MS]
export const feedWaitCount = feedWaits.length

/** The days of samples: late, in order, or again with another value. */
const sampleDays: readonly number[] = [0, -3, -1, -3]
/** The last day of ingestion: a connection is paused within a day, otherwise later events are dropped. */
const ingestionEnds: readonly number[] = [-6, -1]

type Provider = ReturnType<typeof lives>[number]

const picked = <Value>(values: readonly Value[], pick: number): Value => values[pick % values.length] as Value

/** Written by the provider, the choice of a variant, and the place among all. */
const feedActs: Readonly<
  Record<FeedAct, (provider: Provider, pick: number, ordinal: number) => UntimedAction>
> = {
  data: (provider, pick, ordinal) => ({
    // No summary counts it.
    data: 'water',
    provider,
    user: 1,
    day: picked(sampleDays, pick),
    value: 1000 * (ordinal + 1),
  }),
  connect: (provider) => ({ connect: provider, user: 1 }),
  other: (_, pick) => ({ connect: picked(lives(), pick), user: 1 }),
  disconnect: (provider) => ({ disconnect: provider, user: 1 }),
  break: (provider, pick) => ({
    break: provider,
    user: 1,
    error: picked(connectionErrors, pick),
  }),
  end: (_, pick) => ({ ingestion_end: picked(ingestionEnds, pick), user: 1 }),
  look: () => ({ look: true, user: 1 }),
}
export const feedActNames = keysOf(feedActs)

function ofFeed({ feed }: Draft, from: number): TimedAction[] {
  if (!feed) return []
  const provider = picked(lives(), feed.provider)
  let at = from
  return [
    { after: 0, ...feedActs.connect(provider, 0, 0) },
    ...feed.acts.map(({ after, act, pick }, ordinal) => ({
      after: picked(feedWaits, after),
      ...feedActs[act](provider, pick, ordinal),
    })),
    // A night passes, and new data come.
    { after: DAY_MS, ...feedActs.look(provider, 0, 0) },
  ].map(({ after, ...action }) => {
    at += after
    return { at, ...action } as TimedAction
  })
}

function ofResend({ resend, feed }: Draft, placed: readonly PlacedOrder[]): TimedAction[] {
  const order = resend && placed[resend.order % placed.length]
  if (!resend || !order) return []
  const number = placed.indexOf(order) + 1
  const { event } = resend
  const later = resendTimes[resend.later] ?? DAY_MS
  return [
    {
      // Until then, the data of a connection arrive every few minutes.
      at: endOf(order) + (feed ? Math.min(later, 3 * DAY_MS) : later),
      resend: number,
      ...(event !== undefined && { event }),
    },
  ]
}
