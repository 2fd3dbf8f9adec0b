import fc, { type Arbitrary } from 'fast-check'
import type { ExplorePart } from '../../client/explore.ts'
import { keysOf, withoutUndefined } from '../../kernel/fields.ts'
import { largest } from '../../kernel/list.ts'
import { workflows } from '../../resources/orders/lifecycle.ts'
import { outages } from '../../scenarios/finding.ts'
import { feedActNames, feedWaitCount, outageCount, resendCount } from './actions.ts'

import { faultKindCount, placingCount, resultCount, waitCount } from './compile.ts'
import type { Coverage } from './coverage.ts'
import type { Detour, Draft, FeedActDraft, FurtherDraft, OrderDraft } from './draft.ts'
import { lives } from './lives.ts'
import { MAX_PICK } from './order-path.ts'

/** The operations that get faults before the program under test was seen calling any. */
const likelyCalls = [
  'GET /v3/order/{order_id}',
  'GET /v3/order/{order_id}/result',
  'POST /v3/order',
  'POST /v2/user',
]

export interface HistoryOptions {
  readonly parts: ReadonlySet<ExplorePart>
  readonly coverage: Coverage
}

/** Generates drafts of histories. Shrinking leads to the happy path of one order. */
export function draftArbitrary({ parts, coverage }: HistoryOptions): Arbitrary<Draft> {
  const has = (part: ExplorePart) => parts.has(part)
  /** Undefined more often than not; never without the part. */
  const perhaps = <Value>(part: ExplorePart, value: Arbitrary<Value>, oneIn: number) => {
    const none = fc.constant(undefined)
    if (!has(part)) return none
    return fc.oneof(
      { withCrossShrink: true },
      { weight: oneIn - 1, arbitrary: none },
      { weight: 1, arbitrary: value },
    )
  }
  const flag = (part: ExplorePart, oneIn: number) =>
    perhaps(part, fc.constant(true as const), oneIn).map(Boolean)
  const order = fc.record({
    workflow: has('orders') ? workflowArbitrary(coverage) : fc.constant(0),
    aim: perhaps('orders', fc.nat(MAX_PICK - 1), 3),
    detours: has('orders') ? fc.array(detour, { maxLength: 4 }) : fc.constant([]),
    waits: has('times') ? fc.array(fc.record({ step: fc.nat(10), wait }), { maxLength: 3 }) : fc.constant([]),
    result: has('orders') ? fc.nat(resultCount - 1) : fc.constant(0),
    webhookFaults: perhaps('webhook_faults', webhookFaults, 2),
    cancelAfter: perhaps('cancellations', fc.nat(8), 8),
  }) satisfies Arbitrary<OrderDraft>
  const further: Arbitrary<FurtherDraft> = fc
    .tuple(order, fc.record({ isSameUser: fc.boolean(), placed: fc.nat(placingCount - 1) }))
    .map(([draft, more]) => ({ ...draft, ...more }))
  const called = [...coverage.operations.keys()]
  const operations = called.length > 0 ? called : likelyCalls
  const fault = fc.record({
    operation: fc.constantFrom(...operations),
    kind: fc.nat(faultKindCount - 1),
    times: fc.integer({ min: 1, max: 2 }),
  })
  return fc.record({
    first: order,
    others: perhaps('users', fc.array(further, { minLength: 1, maxLength: 2 }), 3).map((list) => list ?? []),
    faults: perhaps('faults', fc.array(fault, { minLength: 1, maxLength: 2 }), 4).map((list) => list ?? []),
    resend: perhaps(
      'resends',
      fc.record({
        order: fc.nat(2),
        event: fc.oneof({ withCrossShrink: true }, fc.constant(undefined), fc.integer({ min: 1, max: 10 })),
        later: fc.nat(resendCount - 1),
      }),
      4,
    ),
    outage: perhaps(
      'outages',
      fc.record({
        kind: fc.constantFrom(...keysOf(outages)),
        step: fc.nat(9),
        length: fc.nat(outageCount - 1),
      }),
      5,
    ),
    feed: perhaps(
      'feeds',
      fc.record({
        provider: fc.nat(lives().length - 1),
        acts: fc.array(feedAct, { maxLength: 4 }),
      }),
      // They take the longest, so they are rare among other parts.
      Math.min(16, 2 * parts.size),
    ),
    hasUnmatched: flag('unmatched', 12),
    isSpaced: flag('bodies', 6),
    hasFutures: flag('futures', 6),
    // Once it is small, a failing history keeps the looks that it needs.
    isLooked: has('looks')
      ? fc.noShrink(fc.integer({ min: 1, max: LOOKED_ONE_IN }).map((draw) => draw === 1))
      : fc.constant(false),
  })
}

/** Looks take time, and the happy paths have them. */
const LOOKED_ONE_IN = 8

const feedAct: Arbitrary<FeedActDraft> = fc.record({
  after: fc.nat(feedWaitCount - 1),
  // Another consent is what handlers forget.
  act: fc.constantFrom('connect', 'connect', ...feedActNames),
  pick: fc.nat(MAX_PICK - 1),
})

/** At once is likelier, because events of one second are hard to order. */
const wait = fc.oneof(
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.nat(waitCount - 1) },
)

const detour: Arbitrary<Detour> = fc.record({ after: fc.nat(8), pick: fc.nat(MAX_PICK - 1) })

/** Workflows with few covered edges are likelier. */
function workflowArbitrary({ edges }: Coverage): Arbitrary<number> {
  const met = workflows.map(
    (workflow) => [...edges.keys()].filter((edge) => edge.startsWith(`${workflow}:`)).length,
  )
  const most = largest(met)
  return fc.oneof(
    { withCrossShrink: true },
    ...met.map((count, index) => ({
      weight: 2 + Math.ceil((8 * (most - count)) / Math.max(most, 1)),
      arbitrary: fc.constant(index),
    })),
  )
}

const maybe = <Value>(value: Arbitrary<Value>) =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: value },
  )

/** Leaves attempts to a program that refuses deliveries because its calls fail. */
const MAX_DROPPED = 3

const webhookFaults = fc
  .record({
    duplicate: maybe(fc.integer({ min: 1, max: 2 })),
    reorder: maybe(fc.integer({ min: 2, max: 4 })),
    delay: maybe(fc.constantFrom('6h', '2d')),
    drop_first: maybe(fc.integer({ min: 1, max: MAX_DROPPED })),
    burst: maybe(fc.integer({ min: 2, max: 5 })),
  })
  .map((rules) => {
    const given = withoutUndefined(rules)
    return Object.keys(given).length === 0 ? undefined : given
  })
