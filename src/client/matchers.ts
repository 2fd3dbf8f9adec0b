import { asideHeaders } from '../kernel/headers.ts'
import { withQuery } from '../kernel/http-call.ts'
import { compact, smallest } from '../kernel/list.ts'
import { didYouMean } from '../kernel/nearest.ts'
import { assertId, assertOptions, assertOrder, assertWorld } from './arguments.ts'
import type { MessageFilter } from './inputs.ts'
import type { PetriWorld } from './kit.ts'
import type { Message, Order } from './responses.ts'

interface MatcherResult {
  readonly pass: boolean
  message(): string
}

/** What the matchers add to `expect`; declare it for your test runner as docs/testing.md shows. */
export interface PetriMatchers<Result = void> {
  /** The order has this status, low-level or dotted. */
  toHaveStatus(status: string): Result
  /** The order has had these statuses in this order; others may be between. */
  toHaveVisited(statuses: readonly string[]): Result
  /** The world has delivered a matching message, or `times` of them. Await it. */
  toHaveDelivered(wanted: string | Omit<MessageFilter, 'status'>, times?: number): Promise<Result>
  /** The program shows an order as it is in the world. Await it. */
  toAgree(orderId: string, shown: ShownOrder | undefined): Promise<Result>
}

/** An order as the program under test shows it; what is left out is not compared. */
export interface ShownOrder {
  /** Low-level, dotted, or the first part of a dotted status. */
  readonly status?: string | undefined
  readonly interpretation?: string | null | undefined
  /** The values by the slug of the result. */
  readonly results?: Readonly<Record<string, number | string | null>> | undefined
}

/** A type, not an interface, because `expect.extend` takes objects of any names. */
export type Matchers = {
  toHaveStatus(order: Order, status: string): MatcherResult
  toHaveVisited(order: Order, statuses: readonly string[]): MatcherResult
  toHaveDelivered(
    world: PetriWorld,
    wanted: string | Omit<MessageFilter, 'status'>,
    times?: number,
  ): Promise<MatcherResult>
  toAgree(world: PetriWorld, orderId: string, shown: ShownOrder | undefined): Promise<MatcherResult>
}

/** The matchers; they refuse a status that is none of the dotted ones, nor the end of one. */
export const createMatchers = (dottedStatuses: readonly string[]): Matchers => ({
  toHaveStatus(order, status) {
    assertOrder(order)
    assertStatuses([status], dottedStatuses)
    const { status: found } = order.last_event
    return {
      pass: isStatus(found, status),
      message: () =>
        `The order is ${found}${isStatus(found, status) ? '' : `, not ${status}`}. It was:\n${trailOf(order)}`,
    }
  },

  toHaveVisited(order, statuses) {
    assertOrder(order)
    assertStatuses(statuses, dottedStatuses)
    const missed = firstMissed(order, statuses)
    const where = statuses.slice(0, missed).at(-1)
    return {
      pass: missed === statuses.length,
      message: () =>
        missed === statuses.length
          ? `The order has visited ${statuses.join(', ')}:\n${trailOf(order)}`
          : `The order has not been ${statuses[missed]}${where ? ` after ${where}` : ''}. It was:\n${trailOf(order)}`,
    }
  },

  async toAgree(world, orderId, shown) {
    assertWorld(world)
    assertId('order id', orderId)
    if (shown === undefined) return { pass: false, message: () => `The program shows no order ${orderId}.` }
    assertOptions('toAgree', shown, { status: true, interpretation: true, results: true })
    if (shown.status !== undefined && !dottedStatuses.some((each) => each.startsWith(`${shown.status}.`)))
      assertStatuses([shown.status], dottedStatuses)
    const differences = await differencesOf(world, orderId, shown)
    return {
      pass: differences.length === 0,
      message: () =>
        differences.length === 0
          ? 'The program shows the order as the world has it.'
          : `The program shows the order differently:\n${differences.join('\n')}`,
    }
  },

  async toHaveDelivered(world, wanted, times) {
    assertWorld(world)
    const filter = typeof wanted === 'string' ? { event_type: wanted } : wanted
    assertOptions('toHaveDelivered', filter, { event_type: true, order_id: true, user_id: true })
    // Refuses an unknown event type.
    await world.call(
      'GET',
      withQuery('/_petri/webhooks/messages', { event_type: filter.event_type, limit: 1 }),
    )
    const hasEndpoint = (await world.webhooks.endpoints.list()).length > 0
    const all = await world.webhooks.messages(hasEndpoint ? {} : { status: 'no_endpoint' })
    const missing = hasEndpoint ? '' : ' The world has no endpoint.'
    const fitting = all.filter((message) => misses(message, filter) === 0)
    const delivered = fitting.filter(({ status }) => status === 'delivered')
    const what = compact(Object.values(filter)).join(' ')
    return {
      pass: times === undefined ? delivered.length > 0 : delivered.length === times,
      message: () =>
        `${delivered.length || 'None'} delivered of ${times === undefined ? '' : `${times} `}${what || 'anything'}.${missing}${near(all, fitting, filter)}`,
    }
  },
})

interface Result {
  readonly slug: string
  readonly value: number | null
  readonly result?: string | null
}

async function differencesOf(
  world: PetriWorld,
  orderId: string,
  { status, interpretation, results = {} }: ShownOrder,
): Promise<readonly string[]> {
  const path = `/v3/order/${orderId}`
  const order = await world.call<Order>('GET', path, undefined, asideHeaders)
  const found = order.last_event.status
  const wanted = Object.entries(results)
  const known =
    wanted.length === 0
      ? []
      : (await world.call<{ results: readonly Result[] }>('GET', `${path}/result`, undefined, asideHeaders))
          .results
  return compact([
    status !== undefined && !isStatus(found, status) && order.status !== status
      ? `  status: ${status}; expected ${found}`
      : undefined,
    interpretation !== undefined && interpretation !== order.interpretation
      ? `  interpretation: ${interpretation}; expected ${order.interpretation}`
      : undefined,
    ...wanted.map(([slug, value]) => {
      const result = known.find((each) => each.slug === slug)
      if (!result) return `  ${slug}: ${value}; the order has no such result`
      return value === result.result || String(result.value) === String(value)
        ? undefined
        : `  ${slug}: ${value}; expected ${result.value ?? result.result}`
    }),
  ])
}

function assertStatuses(wanted: readonly string[], dottedStatuses: readonly string[]): void {
  for (const status of wanted) {
    if (dottedStatuses.some((known) => isStatus(known, status))) continue
    const known = dottedStatuses.flatMap((dotted) => [dotted.split('.').at(-1) ?? '', dotted])
    throw new TypeError(`"${status}" is not a status of an order.${didYouMean(status, known)}`)
  }
}

/** Dotted statuses end in the low-level ones. */
const isStatus = (found: string, wanted: string) => found === wanted || found.endsWith(`.${wanted}`)

/** How many of the statuses were reached, in order. */
function firstMissed({ events }: Order, statuses: readonly string[]): number {
  let at = 0
  for (const { status } of events) {
    const wanted = statuses[at]
    if (wanted !== undefined && isStatus(status, wanted)) at++
  }
  return at
}

const trailOf = ({ events }: Order) =>
  events
    .map(({ created_at, status, status_detail }) =>
      `  ${created_at}  ${status} ${status_detail ?? ''}`.trimEnd(),
    )
    .join('\n')

/** The number of criteria that a message does not match. */
const misses = (message: Message, filter: MessageFilter) =>
  Object.entries(filter).filter(
    ([name, value]) => value !== undefined && message[name as keyof Message] !== value,
  ).length

const MAX_SHOWN = 10

/** Describes the matching messages and their status, otherwise the nearest ones. */
function near(all: readonly Message[], fitting: readonly Message[], filter: MessageFilter): string {
  if (all.length === 0) return ' There are no messages.'
  const least = smallest(all.map((message) => misses(message, filter)))
  const shown = fitting.length > 0 ? fitting : all.filter((message) => misses(message, filter) === least)
  const lines = shown.slice(-MAX_SHOWN).map(toLine)
  return ` ${fitting.length > 0 ? 'There are' : 'The nearest'}:\n${lines.join('\n')}`
}

function toLine({ event_type, order_id, user_id, status, attempts }: Message): string {
  const untried = status === 'no_endpoint' ? '' : 'not tried yet'
  const why = status === 'delivered' ? '' : (attempts.at(-1)?.error ?? untried)
  return `  ${[status.replace('_', ' '), event_type, order_id && `order ${order_id}`, user_id && `user ${user_id}`, why].filter(Boolean).join('  ')}`
}
