import type { DeliveryFaults } from '../api/delivery.ts'
import { version } from '../api/version.ts'
import { MINUTE_MS } from '../kernel/instant.ts'
import { payloadText } from '../world/append-event.ts'
import type { World } from '../world/world.ts'
import { isInContainer } from './container.ts'
import { validSecrets } from './endpoints.ts'
import { describeFailure, isTimeout } from './failures.ts'
import { isSuccess, TIMEOUT_MS } from './retry-schedule.ts'
import type { Signer } from './signature.ts'
import type { Attempt, Endpoint, Message } from './table.ts'
import type { Transport, TransportReply, TransportRequest } from './transport.ts'

/** The most characters of a reply's body that are stored. */
const MAX_KEPT_BODY = 4096
/** As the service's sender begins its own. Source: contract/webhooks.md §6. */
const USER_AGENT = `Svix-Webhooks/1.62.0 (Petri/${version.petri})`

/** Longer ago than verifiers accept, which is five minutes. Source: contract/webhooks.md §6. */
const STALE_MS = 10 * MINUTE_MS

interface Preparing {
  readonly wallNow: number
  readonly faults: DeliveryFaults
  readonly signer: Signer
}

/** The request of a delivery. Its timestamp is the wall clock's, as verifiers compare it with theirs. */
export function prepare(
  world: World,
  endpoint: Endpoint,
  message: Message,
  { wallNow, faults, signer }: Preparing,
): TransportRequest {
  const body = payloadText(world, message.event_id)
  const timestamp = Math.floor((wallNow - (faults.stale_timestamp ? STALE_MS : 0)) / 1000)
  const secrets = validSecrets(endpoint, world.clock.now())
  const signed = faults.bad_signature ? `${body} ` : body
  return {
    url: endpoint.url,
    headers: {
      ...endpoint.headers,
      accept: '*/*',
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'svix-id': message.event_id,
      'svix-timestamp': String(timestamp),
      'svix-signature': signer.header(secrets, message.event_id, timestamp, signed),
    },
    body,
    timeoutMs: TIMEOUT_MS,
  }
}

/** The marks of an attempt in the log. */
export function marksOf(
  { headers }: TransportRequest,
  faults: DeliveryFaults,
  { dropped, duplicate }: { readonly dropped: boolean; readonly duplicate: boolean },
): string[] {
  const hasTwoSignatures = headers['svix-signature']?.includes(' ') === true
  const marks: string[] = []
  if (duplicate) marks.push('duplicate')
  if (dropped) marks.push('drop_first')
  if (faults.bad_signature) marks.push('bad_signature')
  if (faults.stale_timestamp) marks.push('stale_timestamp')
  if (hasTwoSignatures) marks.push('rotated_secret')
  return marks
}

/** The outcome of an attempt that delivery faults lose before it is sent. */
export const LOST = {
  error: 'Lost on the way, as the delivery rules say (drop_first); the receiver never saw it',
}

/** A reply, or why there was none. */
export type Outcome =
  | { readonly reply: TransportReply }
  | { readonly error: string; readonly timedOut?: true }

export async function send(transport: Transport, request: TransportRequest): Promise<Outcome> {
  try {
    return { reply: await transport(request) }
  } catch (error) {
    const { url, timeoutMs } = request
    const detail = describeFailure(error, { url, timeoutMs, inContainer: isInContainer() })
    return isTimeout(error) ? { error: detail, timedOut: true } : { error: detail }
  }
}

/** Headers that follow from the wall clock. A frozen world does not store them, as equal calls must leave equal rows. */
const WALL_HEADERS = new Set(['svix-timestamp', 'svix-signature', 'date'])

interface AttemptDetails {
  readonly at: number
  readonly tookMs: number
  readonly frozen: boolean
  readonly manual: boolean
  readonly marks: readonly string[]
}

/** The attempt as it is stored, and those of its headers that a frozen world keeps only in memory. */
export function toAttempt(
  { headers }: TransportRequest,
  outcome: Outcome,
  { at, tookMs, frozen, manual, marks }: AttemptDetails,
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
    ...(marks.length > 0 && { marks }),
    request: { headers: kept },
    ...(reply && {
      response: {
        headers: frozen ? without(reply.headers, WALL_HEADERS) : reply.headers,
        body: reply.body.slice(0, MAX_KEPT_BODY),
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
  pick(headers, (name) => !names.has(name))
const only = (headers: Headers, names: ReadonlySet<string>): Headers =>
  pick(headers, (name) => names.has(name))

function pick(headers: Headers, isWanted: (name: string) => boolean): Headers {
  const picked: Record<string, string> = {}
  for (const name in headers) if (isWanted(name)) picked[name] = headers[name] as string
  return picked
}
