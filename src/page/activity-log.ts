import { isSuccess } from '../kernel/http-call.ts'
import { get, type StreamData } from './api.ts'
import type { Board, Call, ListPage, Message } from './responses.ts'

const LENGTH = 100

/** The latest calls, moves and deliveries in the form of the stream, newest first. */
export async function readPast(): Promise<StreamData[]> {
  const [requests, messages, board] = await Promise.all([
    get<ListPage<Call>>(`/_petri/requests?order=desc&limit=${LENGTH}`),
    get<ListPage<Message>>(`/_petri/webhooks/messages?order=desc&fields=summary&limit=${LENGTH}`),
    get<Board>(`/_petri/orders?limit=${LENGTH}`),
  ])
  const calls = requests.data.map(({ id: request_id, at, method, path, status }) => {
    return { at, kind: 'request', request_id, method, path, status }
  })
  const deliveries = messages.data
    .filter(({ attempt_count }) => attempt_count > 0)
    .map(({ id: message_id, created_at: at, last_status: status, ...rest }) => {
      const { event_type, order_id, user_id, subject_status } = rest
      return { at, kind: 'delivery', message_id, event_type, status, order_id, user_id, subject_status }
    })
  const moves = board.data.map(({ id: order_id, since: at, status, user_id }) => {
    return { at, kind: 'order', order_id, status, user_id }
  })
  return [...calls, ...deliveries, ...moves]
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .slice(0, LENGTH)
}

/** Streamed items, followed by those that were read; none twice. */
export function mergePast(streamed: readonly StreamData[], past: readonly StreamData[]): StreamData[] {
  const known = new Set(streamed.map(keyOf))
  return [...streamed, ...past.filter((item) => !known.has(keyOf(item)))]
}

const keyOf = ({ kind, request_id, message_id, order_id, status }: StreamData): string =>
  [kind, request_id ?? message_id ?? order_id, kind === 'order' ? status : ''].join(' ')

/** A line of the activity: an item of the stream, or several that belong together. */
export interface ActivityLine {
  readonly key: string
  readonly at: string
  readonly kind: string
  readonly first: StreamData
  readonly count: number
  readonly failed: number
}

/** An event and its deliveries are one line, and so are the health data of a day. `items` has the newest first. */
export function linesOf(items: readonly StreamData[]): ActivityLine[] {
  const delivered = new Set(
    items.filter(({ kind }) => kind === 'delivery').map(({ message_id }) => eventOf(message_id)),
  )
  const lines: ActivityLine[] = []
  const told = statusesOf(items)
  for (const [at, each] of items.entries()) {
    const item: StreamData = { subject_status: told.get(eventOf(each.message_id)), ...each }
    if (item.kind === 'event' && delivered.has(eventOf(item.message_id))) continue
    const line = lineOf(item, String(items.length - at))
    const last = lines.at(-1)
    const joined = last && join(last, line)
    if (joined) lines[lines.length - 1] = joined
    else lines.push(line)
  }
  return lines
}

/** The status of its order that each event tells: the one that the order had when it was emitted. */
function statusesOf(items: readonly StreamData[]): ReadonlyMap<unknown, unknown> {
  const current = new Map<unknown, unknown>()
  const told = new Map<unknown, unknown>()
  for (const { kind, order_id, status, message_id } of items.toReversed()) {
    if (kind === 'order') current.set(order_id, status)
    const event = eventOf(message_id)
    if (message_id && !told.has(event)) told.set(event, current.get(order_id))
  }
  return told
}

/** The id of a message is that of its event and a number. */
const eventOf = (messageId: unknown) => String(messageId).split('~')[0]

const lineOf = (item: StreamData, key: string): ActivityLine => ({
  key,
  at: item.at,
  kind: /^(daily|historical)\./.test(String(item.event_type ?? '')) ? 'data' : item.kind,
  first: item,
  count: 1,
  failed: Number(item.kind === 'delivery' && !isSuccess(item.status)),
})

function join(last: ActivityLine, line: ActivityLine): ActivityLine | undefined {
  if (last.kind !== line.kind) return undefined
  const isSameDay = line.kind === 'data' && last.at.slice(0, 10) === line.at.slice(0, 10)
  const isSameEvent =
    line.kind === 'delivery' &&
    eventOf(last.first.message_id) === eventOf(line.first.message_id) &&
    last.first.status === line.first.status
  if (!isSameDay && !isSameEvent) return undefined
  return { ...last, key: line.key, count: last.count + line.count, failed: last.failed + line.failed }
}
