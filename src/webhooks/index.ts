import { existsSync } from 'node:fs'
import { once } from '../kernel/once.ts'
import { type Job, type JobHandler, jobKey, jobs, PUT_OFF } from '../scheduler/agenda.ts'
import { type EventHead, events } from '../world/events.ts'
import type { World } from '../world/world.ts'
import { detain, release } from './buffer.ts'
import { LOST, marksOf, prepare, send, toAttempt } from './delivery.ts'
import { Open, type WallHeaders } from './delivery-state.ts'
import { addEndpoint } from './endpoints.ts'
import { type EventLog, MOST_EVENTS } from './event-log.ts'
import { ATTEMPT, type AttemptOrder, DUPLICATE, firstAttempt, RELEASE, RESEND } from './jobs.ts'
import { enqueue, enqueueAgain, subscribers } from './messages.ts'
import { hasRules, rulesOfMessage } from './rules.ts'
import { settle } from './settle.ts'
import { endpoints, type Message, messages, scheduledAttempts } from './table.ts'
import type { Transport } from './transport.ts'

export interface WebhookOptions {
  readonly transport: Transport
  readonly wall: () => number
  readonly inContainer?: () => boolean
  /** The most events a world keeps. */
  readonly mostEvents?: number
}

/** Everything that takes an event from a world to its receivers. */
export interface Webhooks {
  readonly handlers: ReadonlyMap<string, (world: World) => JobHandler>
  onEvent(world: World, event: EventHead): void
  /** Whether a new message only has to wait until those before it are through; it needs no job then. */
  waitsInLine(world: World, message: Message): boolean
  newborn(world: World): void
  /** A world was opened again: goes on with what it had to deliver. */
  reopened(world: World): void
  /** Sends nothing more of a world that is gone. */
  forget(world: World): void
  /** Resolves once nothing that is due now is left to deliver. */
  settled(world: World): Promise<void>
  logOf(world: World): EventLog
  /** Of an attempt made while the clock was frozen: its headers that follow from the wall clock. */
  wallHeaders(world: World, message: Message, attempt: number): WallHeaders
  close(): Promise<void>
}

declare module '../world/world.ts' {
  interface WorldParts {
    readonly webhooks: Webhooks
  }
}

export function createWebhooks(options: WebhookOptions): Webhooks {
  const { transport, wall, mostEvents = MOST_EVENTS } = options
  const { inContainer = once(() => existsSync('/.dockerenv')) } = options
  const known = new WeakMap<World, Open>()
  const openOf = (world: World): Open => {
    const open = known.get(world)
    if (open) return open
    const fresh = new Open(world, mostEvents)
    known.set(world, fresh)
    return fresh
  }

  const attempt = attemptThrough({ transport, wall, inContainer })
  const handler = (world: World): JobHandler => {
    return (job) => {
      if (job.kind === ATTEMPT && detain(world, job)) return
      const open = openOf(world)
      const { lanes } = open
      const lane = (job.data as AttemptOrder).endpointId
      if (!lanes.take(lane, jobs.idOf(job))) return PUT_OFF
      const leave = () => lanes.leave(lane, (next) => world.agenda.resume(next, () => unwritten(world, next)))
      return attempt(world, open, job).finally(leave)
    }
  }

  return {
    handlers: new Map([
      [ATTEMPT, handler],
      [RESEND, handler],
      [DUPLICATE, handler],
      [
        RELEASE,
        (world) =>
          ({ subject }) =>
            release(world, subject),
      ],
    ]),
    onEvent: (world, event) => enqueue(world, event, subscribers(world, event.event_type)),
    waitsInLine: (world, message) =>
      !world.agenda.advancing &&
      !world.agenda.isDue &&
      !hasRules(world) &&
      openOf(world).lanes.join(message.endpoint_id, jobKey(ATTEMPT, message.id)),
    reopened: enqueueAgain,
    newborn(world) {
      if (world.birth.webhookUrl) addEndpoint(world, { url: world.birth.webhookUrl })
    },
    forget(world) {
      const open = known.get(world)
      if (open) open.gone = true
    },
    settled: (world) => settled(world, openOf(world)),
    logOf: (world) => openOf(world).log,
    wallHeaders: (world, { id }, number) => openOf(world).wallHeaders.get(`${id}/${number}`) ?? {},
    close: async () => transport.close?.(),
  }
}

/** A first attempt whose turn it is in its line. */
function unwritten(world: World, key: string): Job | undefined {
  const before = jobKey(ATTEMPT, '')
  const message = key.startsWith(before) && world.db.find(messages, key.slice(before.length))
  if (!message) return undefined
  return { ...firstAttempt(message), turn: 0 }
}

/** One try: looks at what there is to send, sends it, and writes down what came of it. */
function attemptThrough({ transport, wall, inContainer }: Required<Omit<WebhookOptions, 'mostEvents'>>) {
  return async (world: World, open: Open, { kind, subject: id, data }: Job): Promise<void> => {
    const storing = world.agenda.advancing ? undefined : storingEventOf(world, id)
    if (storing) await storing
    const message = world.db.find(messages, id)
    const endpoint = message && world.db.find(endpoints, message.endpoint_id)
    if (open.gone || !endpoint || endpoint.disabled || (message.status !== 'pending' && kind === ATTEMPT))
      return
    const rules = rulesOfMessage(world, message)
    const dropped = kind === ATTEMPT && scheduledAttempts(message) < (rules.drop_first ?? 0)
    const startedAt = wall()
    const at = world.clock.now()
    const request = prepare(world, endpoint, message, { wallNow: startedAt, rules, signer: open.signer })
    const outcome = dropped ? LOST : await send(transport, request, inContainer)
    if (open.gone) return
    const frozen = world.clock.frozen
    const written = toAttempt(request, outcome, {
      at,
      tookMs: wall() - startedAt,
      frozen,
      manual: kind === RESEND,
      marks: marksOf(request, rules, { dropped, duplicate: kind === DUPLICATE }),
    })
    if (frozen) open.wallHeaders.set(`${id}/${message.attempts.length}`, written.wallHeaders)
    const retryAfter = 'reply' in outcome ? outcome.reply.headers['retry-after'] : undefined
    settle(world, id, {
      attempt: written.attempt,
      retryAfter,
      wallNow: wall(),
      order: data as AttemptOrder,
    })
  }
}

/** Nobody is told of what Petri might forget; while the clock is being moved, it would all happen again just so. */
function storingEventOf(world: World, id: string): Promise<void> | undefined {
  const event = world.db.find(messages, id)?.event_id
  return event === undefined ? undefined : world.db.storing(events, event)?.catch(() => undefined)
}

async function settled(world: World, open: Open): Promise<void> {
  while (!open.gone && (open.lanes.busy || world.agenda.advancing || world.agenda.isDue)) {
    if (open.lanes.busy) await open.lanes.idle()
    await new Promise((resolve) => setImmediate(resolve))
  }
}
