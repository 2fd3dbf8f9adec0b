import type { Job } from '../scheduler/job.ts'
import { events } from '../world/events.ts'
import type { World } from '../world/world.ts'
import { LOST, marksOf, type Outcome, prepare, send, toAttempt } from './attempt.ts'
import { faultsOfMessage } from './delivery-faults.ts'
import type { DeliveryState } from './delivery-state.ts'
import { ATTEMPT, type AttemptOptions, DUPLICATE, RESEND } from './jobs.ts'
import { settle } from './settle.ts'
import { type Endpoint, endpoints, type Message, messages, scheduledAttempts } from './table.ts'
import type { Transport } from './transport.ts'

export interface DeliveryOptions {
  readonly transport: Transport
  readonly wall: () => number
}

/** Makes one attempt to deliver a message: prepares the request and sends it. Returns what settles the message. */
export async function attempt(
  world: World,
  state: DeliveryState,
  job: Job,
  options: DeliveryOptions,
): Promise<(() => void) | undefined> {
  const storing = world.agenda.advancing ? undefined : storeEvent(world, job.subject)
  if (storing) await storing
  const found = findDeliverable(world, state, job)
  if (!found) return undefined
  const { message, endpoint } = found
  const faults = faultsOfMessage(world, message)
  const dropped = job.kind === ATTEMPT && scheduledAttempts(message) < (faults.drop_first ?? 0)
  const [wallStart, at, { frozen }] = [options.wall(), world.clock.now(), world.clock]
  const timeoutMs = state.timeouts.timeoutOf(endpoint.id, world.agenda.currentRun)
  const request = {
    ...prepare(world, endpoint, message, { wallNow: wallStart, faults, signer: state.signer }),
    timeoutMs,
  }
  const outcome: Outcome = dropped ? LOST : await send(options.transport, request)
  if ('error' in outcome && outcome.timedOut) state.timeouts.recordTimeout(endpoint.id, timeoutMs)
  const wallNow = options.wall()
  const { attempt, wallHeaders } = toAttempt(request, outcome, {
    at,
    tookMs: wallNow - wallStart,
    frozen,
    manual: job.kind === RESEND,
    marks: marksOf(request, faults, { dropped, duplicate: job.kind === DUPLICATE }),
  })
  const retryAfter = 'reply' in outcome ? outcome.reply.headers['retry-after'] : undefined
  return () => {
    if (state.closed) return
    if (frozen) state.wallHeaders.set(`${message.id}/${message.attempts.length}`, wallHeaders)
    settle(world, message.id, { attempt, retryAfter, wallNow, options: job.data as AttemptOptions })
  }
}

/** The message of a job and its endpoint, unless there is nothing to send any more. */
function findDeliverable(
  world: World,
  state: DeliveryState,
  { kind, subject }: Job,
): { readonly message: Message; readonly endpoint: Endpoint } | undefined {
  const message = state.closed ? undefined : world.db.find(messages, subject)
  const endpoint = message && world.db.find(endpoints, message.endpoint_id)
  if (!endpoint || endpoint.disabled || (kind === ATTEMPT && message.status !== 'pending')) return undefined
  return { message, endpoint }
}

/** An event is stored before it is sent, as it could be lost otherwise. An advance that is cut off runs again from where it was stored. */
function storeEvent(world: World, messageId: string): Promise<void> | undefined {
  const event = world.db.find(messages, messageId)?.event_id
  return event === undefined ? undefined : world.db.storing(events, event)?.catch(() => undefined)
}
