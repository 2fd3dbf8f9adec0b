import type { PetriWorld } from './kit.ts'
import type { RefusedCall } from './responses.ts'

/** The lines of a journal that are printed. */
const JOURNAL_LINES = 30

interface Asked extends Pick<PetriWorld, 'call' | 'requests' | 'webhooks'> {
  /** The ids of the orders of the test, because calls of the control API are not recorded. */
  readonly placed: readonly string[]
  /** When the world was made. */
  readonly since: number
}

/** The last orders, calls and webhooks of a world, a line each, in the order in which they happened. */
export async function journalOf({ call, requests, webhooks, placed, since }: Asked): Promise<string> {
  const refused = await call<{ data: RefusedCall[] }>('GET', '/_petri/requests/refused')
  const strangers = refused.data.filter(({ at }) => Date.parse(at) >= since)
  const messages = [...(await webhooks.messages()), ...(await webhooks.messages({ status: 'no_endpoint' }))]
  const entries = [
    ...(await requests.list()).map((call) => ({ ...call, order_id: null, text: callText(call) })),
    ...messages.map(({ created_at, event_type, status, last_error, ...message }) => ({
      ...message,
      at: created_at,
      text: `webhook ${event_type}: ${status.replace('_', ' ')}${last_error ? ` (${last_error})` : ''}`,
    })),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.sequence - b.sequence)
  const unseen = new Set<string | null | undefined>(placed)
  const lines = entries.flatMap(({ at, order_id, text }) => [
    ...(unseen.delete(order_id) ? [`${at}  the test placed order ${order_id}`] : []),
    `${at}  ${text}`,
  ])
  const heading = strangers.length > 0 ? ['With a key of no world, in this test or one next to it:'] : []
  return [
    'What was asked and delivered:',
    ...lines.slice(-JOURNAL_LINES),
    ...heading,
    ...strangers.map((call) => `${call.at}  ${callText(call)} (${call.detail})`),
  ].join('\n')
}

const callText = ({ method, path, status }: Pick<RefusedCall, 'method' | 'path' | 'status'>) =>
  `${method} ${path}: ${status}`
