import type { DeliveredWebhook } from '../../client/explore.ts'
import { parseDuration } from '../../kernel/duration.ts'
import { isSuccess } from '../../kernel/http-call.ts'
import { listIn } from '../../kernel/json.ts'
import { compact, groupBy } from '../../kernel/list.ts'
import { readableDuration } from '../../kernel/readable.ts'
import { happyPaths, readStatus } from '../../resources/orders/lifecycle.ts'
import { type FindingAction, outages } from '../../scenarios/finding.ts'
import { workflowOf } from './anomalies.ts'
import type { Violation } from './oracles.ts'
import type { Played, PlayedDelivery, PlayedEffect } from './play.ts'

interface Line {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly text: string
  /** Whether it is told even if there are many. */
  readonly isUnusual: boolean
}

/** The most lines of a story, the last one with what is wrong included. */
const MAX_LINES = 10

/** The story of a history with times, until its problem shows. */
export function tell(played: Played, { problem, at: end = played.endedAt }: Violation): readonly string[] {
  const told = [...placings(played), ...actions(played), ...happenings(played)].filter(({ at }) => at <= end)
  const lines = told.sort((a, b) => a.at - b.at)
  const shown = shortened(withoutRepetitions(lines))
  return [...shown, { at: end, text: problem }].map(
    ({ at, text }) => `${at < 0 ? '' : `${readableDuration(at - played.startedAt).padStart(8)}  `}${text}`,
  )
}

/** The first of equal lines, with their number. */
function withoutRepetitions(lines: readonly Line[]): readonly Line[] {
  const times = groupBy(lines, ({ text }) => text)
  return [...times.values()].flatMap(([first, ...more]) => {
    if (!first) return []
    return more.length === 0 ? first : { ...first, text: `${first.text} (${more.length + 1} times)` }
  })
}

/** Unusual lines first; then the last ones. */
function shortened(lines: readonly Line[]): readonly Line[] {
  const most = MAX_LINES - 1
  if (lines.length <= most) return lines
  const byWeight = lines.map((line, at) => ({ at, weight: (line.isUnusual ? lines.length : 0) + at }))
  const kept = new Set(
    byWeight
      .sort((a, b) => b.weight - a.weight)
      .slice(0, most - 2)
      .map(({ at }) => at),
  ).add(0)
  const left = lines.length - kept.size
  const [first, ...rest] = lines.filter((_, at) => kept.has(at))
  return first
    ? [first, { at: -1, text: `          (${left} more as usual)`, isUnusual: false }, ...rest]
    : []
}

const placings = ({ history, startedAt }: Played): Line[] =>
  history.orders.map(({ at, user, method, registrable }, number) => {
    const kit = registrable ? 'kit to be registered' : 'kit'
    const what = method === 'testkit' ? kit : method.replaceAll('_', ' ')
    const whose = number === 0 && user === 1 ? 'a user' : `user ${user}`
    return {
      at: startedAt + (parseDuration(at) ?? 0),
      text: `order ${number + 1} is placed for ${whose}: ${what}`,
      isUnusual: true,
    }
  })

function actions({ history, startedAt }: Played): Line[] {
  return (history.actions ?? []).map((action) => {
    const at = startedAt + (parseDuration(action.at) ?? 0)
    return { at, text: describeAction(action), isUnusual: !('register' in action) }
  })
}

function describeAction(action: FindingAction): string {
  if ('register' in action) return `the patient registers the kit of order ${action.register}`
  if ('cancel' in action) return `the customer cancels order ${action.cancel}`
  if ('resend' in action) {
    const which = action.event === undefined ? 'each webhook' : `webhook ${action.event}`
    return `${which} of order ${action.resend} is resent`
  }
  if ('receiver' in action) return `the receiver fails for ${action.for}: ${outages[action.receiver]}`
  if ('connect' in action) return `user ${action.user} connects ${action.connect}`
  if ('disconnect' in action) return `user ${action.user} disconnects ${action.disconnect}`
  if ('ingestion_end' in action)
    return `the last day of ingestion becomes ${action.ingestion_end === 0 ? 'today' : `day ${action.ingestion_end}`}`
  if ('look' in action) return `user ${action.user} looks at the program`
  if ('break' in action) return `the connection to ${action.break} ends: ${action.error}`
  if ('data' in action)
    return `${action.data} of ${action.day === 0 ? 'today' : `${-action.day} days ago`} arrive: ${action.value}`
  if ('unmatched' in action) return 'a result arrives that matches no order'
  return `features change: ${JSON.stringify(action.features)}`
}

/** Statuses of orders, and deliveries that are unusual. */
function happenings(played: Played): Line[] {
  const numbers = new Map(played.orders.flatMap((order, at) => (order ? [[order.id, at + 1] as const] : [])))
  const rest = groupBy(played.deliveries, ({ id }) => id)
  const isSeveral = played.orders.length > 1
  const overtakers = overtakersOf(played.deliveries)
  const calls = played.calls.filter(({ fault_id }) => fault_id !== null)
  return [
    ...played.effects.flatMap((effect) => {
      const number = numbers.get(effect.order_id ?? '')
      const whose = nameOf(number, isSeveral, effect.order_id !== undefined)
      if (effect.kind === 'order') return statusLine(played, effect, whose, number)
      if (effect.kind !== 'delivery') return []
      const delivery = rest.get(effect.message_id ?? '')?.shift()
      return deliveryLine(effect, delivery, delivery && overtakers.get(delivery))
    }),
    ...calls.map(({ at, method, path, status }) => ({
      at: Date.parse(at),
      text: `the call ${method} ${path.replace(/\?.*/, '')} fails: ${status}`,
      isUnusual: true,
    })),
  ]
}

/** A history places all its orders but redraws, which the laboratory orders. */
function nameOf(number: number | undefined, isSeveral: boolean, isOrder: boolean): string {
  if (number === undefined) return isOrder ? 'the redraw' : 'the order'
  return isSeveral ? `order ${number}` : 'the order'
}

function statusLine(
  { history }: Played,
  { at, status: given = '' }: PlayedEffect,
  whose: string,
  number = 1,
): Line[] {
  const status = String(given)
  const low = readStatus(status)?.low
  const order = history.orders[number - 1]
  const isUsual = low !== undefined && order !== undefined && happyPaths.get(workflowOf(order)).includes(low)
  return [{ at: Date.parse(at), text: `${whose} becomes ${low ?? status}`, isUnusual: !isUsual }]
}

/** The later status of its order that a delivery came after. */
function overtakersOf(deliveries: readonly PlayedDelivery[]): ReadonlyMap<PlayedDelivery, string> {
  const newest = new Map<string, { readonly at: string; readonly status: string }>()
  const found = new Map<PlayedDelivery, string>()
  for (const delivery of deliveries) {
    const { data } = JSON.parse(delivery.body)
    const at: unknown = data?.last_event?.created_at
    if (typeof at !== 'string') continue
    const before = newest.get(data.id)
    if (before && before.at > at) found.set(delivery, before.status)
    else newest.set(data.id, { at, status: statusIn(delivery.body) })
  }
  return found
}

function deliveryLine(
  { at, marks, status, event_type = '' }: PlayedEffect,
  delivery: PlayedDelivery | undefined,
  overtaker: string | undefined,
): Line[] {
  const notes = compact([...listIn(marks), delivery?.outage?.replace('_', ' ')])
  const isRefused = !isSuccess(status)
  if (notes.length === 0 && !isRefused && !overtaker) return []
  const what = delivery ? `${event_type} ${statusIn(delivery.body)}`.trim() : event_type
  const answer = isRefused ? `fails (${status === 'error' ? 'no answer' : status})` : 'arrives'
  const how = overtaker ? `${answer} after ${overtaker}` : answer
  return [
    {
      at: Date.parse(at),
      text: `webhook ${what} ${how}${notes.length > 0 ? `: ${notes.join(', ')}` : ''}`,
      isUnusual: true,
    },
  ]
}

/** The webhooks of a history in the order of their arrival. */
export function webhooksOf({ effects, deliveries, startedAt }: Played): readonly DeliveredWebhook[] {
  const rest = groupBy(deliveries, ({ id }) => id)
  return effects.flatMap(({ kind, at, marks, event_type = '', message_id = '' }) => {
    if (kind !== 'delivery') return []
    const delivery = rest.get(message_id)?.shift()
    return {
      after: readableDuration(Date.parse(at) - startedAt),
      type: event_type,
      status: delivery ? statusIn(delivery.body) : '',
      marks: compact([...listIn(marks), delivery?.outage?.replace('_', ' ')]).map(String),
      answer: delivery?.status ?? null,
    }
  })
}

/** The low-level status in a webhook's body; empty without one. */
function statusIn(body: string): string {
  const { data } = JSON.parse(body)
  const status: unknown = (data?.last_event ?? data)?.status
  return typeof status === 'string' ? (readStatus(status)?.low ?? status) : ''
}
