import { version } from '../contract/version.ts'
import { payloadText } from '../world/events.ts'
import type { World } from '../world/world.ts'
import { validSecrets } from './endpoints.ts'
import { describeFailure } from './failures.ts'
import { isSuccess, TIMEOUT_MS } from './retry-schedule.ts'
import { signatures } from './signature.ts'
import type { Attempt, Endpoint, Message } from './table.ts'
import type { Transport, TransportReply, TransportRequest } from './transport.ts'

/** The most of a reply's body that is kept, in characters. */
const MOST_KEPT_BODY = 4096
const USER_AGENT = `Petri-Webhooks/${version.petri}`

/** What goes over the wire. The timestamp is the wall clock's, or verifiers would refuse it. */
export function prepare(
  world: World,
  endpoint: Endpoint,
  message: Message,
  wallNow: number,
): TransportRequest {
  const body = payloadText(world, message.event_id)
  const timestamp = Math.floor(wallNow / 1000)
  const secrets = validSecrets(endpoint, world.clock.now())
  return {
    url: endpoint.url,
    headers: {
      ...endpoint.headers,
      accept: '*/*',
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'svix-id': message.event_id,
      'svix-timestamp': String(timestamp),
      'svix-signature': signatures(secrets, message.event_id, timestamp, body),
    },
    body,
    timeoutMs: TIMEOUT_MS,
  }
}

/** A reply, or why there was none. */
export type Outcome = { readonly reply: TransportReply } | { readonly error: string }

export async function send(
  transport: Transport,
  request: TransportRequest,
  inContainer: () => boolean,
): Promise<Outcome> {
  try {
    return { reply: await transport(request) }
  } catch (error) {
    const { url, timeoutMs } = request
    return { error: describeFailure(error, { url, timeoutMs, inContainer: inContainer() }) }
  }
}

/** Headers that follow from the wall clock; kept out of the rows of a frozen world. */
const WALL_HEADERS = new Set(['svix-timestamp', 'svix-signature', 'date'])

/** The attempt as it is written down, and of its headers those that a frozen world keeps only in memory. */
export function toAttempt(
  { headers }: TransportRequest,
  outcome: Outcome,
  { at, tookMs, frozen, manual }: { at: number; tookMs: number; frozen: boolean; manual: boolean },
): { readonly attempt: Attempt; readonly wallHeaders: Readonly<Record<string, string>> } {
  const kept = frozen ? without(headers, WALL_HEADERS) : headers
  const reply = 'reply' in outcome ? outcome.reply : undefined
  const error = 'error' in outcome ? outcome.error : refusalOf(outcome.reply.status)
  const attempt: Attempt = {
    at,
    status: reply?.status ?? null,
    duration_ms: frozen ? 0 : Math.round(tookMs),
    ...(error !== undefined && { error }),
    ...(manual && { manual }),
    request: { headers: kept },
    ...(reply && {
      response: {
        headers: frozen ? without(reply.headers, WALL_HEADERS) : reply.headers,
        body: reply.body.slice(0, MOST_KEPT_BODY),
      },
    }),
  }
  return { attempt, wallHeaders: frozen ? only(headers, WALL_HEADERS) : {} }
}

function refusalOf(status: number): string | undefined {
  if (isSuccess(status)) return undefined
  return status >= 300 && status < 400
    ? `The receiver answered ${status}; redirects are not followed`
    : `The receiver answered ${status}`
}

type Headers = Readonly<Record<string, string>>

const without = (headers: Headers, names: ReadonlySet<string>): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name)))
const only = (headers: Headers, names: ReadonlySet<string>): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => names.has(name)))
