import { get, type StreamData } from './api.ts'
import type { Board, Call, Message, Page } from './responses.ts'

const LENGTH = 100

/** The latest calls, moves and deliveries as the stream would have told them, the newest first. */
export async function readHistory(): Promise<StreamData[]> {
  const [requests, messages, board] = await Promise.all([
    get<Page<Call>>(`/_petri/requests?order=desc&limit=${LENGTH}`),
    get<Page<Message>>(`/_petri/webhooks/messages?order=desc&fields=summary&limit=${LENGTH}`),
    get<Board>(`/_petri/orders?limit=${LENGTH}`),
  ])
  const past: StreamData[] = [
    ...requests.data.map(({ id, at, method, path, status }) => ({
      ...{ at, kind: 'request', request_id: id, method, path, status },
    })),
    ...messages.data
      .filter(({ attempt_count }) => attempt_count > 0)
      .map(({ id, created_at, event_type, last_status }) => ({
        ...{ at: created_at, kind: 'delivery', message_id: id, event_type, status: last_status },
      })),
    ...board.data.map(({ id, since, status }) => ({ at: since, kind: 'order', order_id: id, status })),
  ]
  return past.sort((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, LENGTH)
}

/** What was told since, before what was read; nothing twice. */
export function mergeHistory(told: readonly StreamData[], past: readonly StreamData[]): StreamData[] {
  const known = new Set(told.map(keyOf))
  return [...told, ...past.filter((what) => !known.has(keyOf(what)))]
}

const keyOf = ({ kind, request_id, message_id, order_id, status }: StreamData): string =>
  [kind, request_id ?? message_id ?? order_id, kind === 'order' ? status : ''].join(' ')
