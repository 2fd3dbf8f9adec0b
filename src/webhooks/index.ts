import { existsSync } from 'node:fs'
import { once } from '../kernel/once.ts'
import { DEFERRED, type Job, type JobHandler, jobKey, jobs } from '../scheduler/job.ts'
import type { EventHead } from '../world/events.ts'
import type { World } from '../world/world.ts'
import { bufferFirstAttempt, release } from './buffer.ts'
import { deliver } from './delivery.ts'
import { hasDeliveryFaults } from './delivery-faults.ts'
import { DeliveryState, type WallHeaders } from './delivery-state.ts'
import { addEndpoint } from './endpoints.ts'
import { ATTEMPT, type AttemptOptions, DUPLICATE, firstAttempt, RELEASE, RESEND } from './jobs.ts'
import { type EventLog, MOST_EVENTS } from './log.ts'
import { enqueue, reschedulePending, subscribers } from './messages.ts'
import { type Message, messages } from './table.ts'
import type { Transport } from './transport.ts'

export interface WebhookOptions {
  readonly transport: Transport
  readonly wall: () => number
  readonly inContainer?: () => boolean
  /** The most events a world keeps. */
  readonly mostEvents?: number
}

/** Delivers the events of worlds to their endpoints. */
export interface Webhooks {
  readonly handlers: ReadonlyMap<string, (world: World) => JobHandler>
  onEvent(world: World, event: EventHead): void
  /** Queues a new message behind the one its endpoint is receiving; returns false when it needs a job of its own. */
  queueBehindCurrent(world: World, message: Message): boolean
  onWorldCreated(world: World): void
  /** Continues with what a world had to deliver when it was closed. */
  onWorldOpened(world: World): void
  /** Stops delivering for a world that is gone. */
  forget(world: World): void
  /** Resolves once nothing that is due now is left to deliver. */
  settled(world: World): Promise<void>
  logOf(world: World): EventLog
  /** Headers of an attempt in a frozen world that follow from the wall clock. */
  wallHeaders(world: World, message: Message, attempt: number): WallHeaders
  close(): Promise<void>
}

export function createWebhooks({
  transport,
  wall,
  mostEvents = MOST_EVENTS,
  inContainer = once(() => existsSync('/.dockerenv')),
}: WebhookOptions): Webhooks {
  const states = new WeakMap<World, DeliveryState>()
  const stateOf = (world: World): DeliveryState => {
    const state = states.get(world) ?? new DeliveryState(world, mostEvents)
    states.set(world, state)
    return state
  }
  const attempt =
    (world: World): JobHandler =>
    (job) => {
      if (job.kind === ATTEMPT && bufferFirstAttempt(world, job)) return
      const state = stateOf(world)
      const { endpointId } = job.data as AttemptOptions
      if (!state.mutex.acquire(endpointId, jobs.idOf(job))) return DEFERRED
      const resume = (key: string) => world.agenda.resume(key, () => findFirstAttempt(world, key))
      return deliver(world, state, job, { transport, wall, inContainer }).finally(() =>
        state.mutex.release(endpointId, resume),
      )
    }
  return {
    handlers: new Map([
      [ATTEMPT, attempt],
      [RESEND, attempt],
      [DUPLICATE, attempt],
      [RELEASE, (world) => (job) => release(world, job.subject)],
    ]),
    onEvent: (world, event) => enqueue(world, event, subscribers(world, event.event_type)),
    queueBehindCurrent: (world, message) =>
      !world.agenda.advancing &&
      !world.agenda.isDue &&
      !hasDeliveryFaults(world) &&
      stateOf(world).mutex.enqueueIfBusy(message.endpoint_id, jobKey(ATTEMPT, message.id)),
    onWorldCreated(world) {
      if (world.options.webhookUrl) addEndpoint(world, { url: world.options.webhookUrl })
    },
    onWorldOpened: reschedulePending,
    forget(world) {
      const state = states.get(world)
      if (state) state.closed = true
    },
    settled: (world) => settled(world, stateOf(world)),
    logOf: (world) => stateOf(world).log,
    wallHeaders: (world, { id }, number) => stateOf(world).wallHeaders.get(`${id}/${number}`) ?? {},
    close: async () => transport.close?.(),
  }
}

/** The first attempt of a message, whose job has no row. */
function findFirstAttempt(world: World, key: string): Job | undefined {
  const prefix = jobKey(ATTEMPT, '')
  const message = key.startsWith(prefix) && world.db.find(messages, key.slice(prefix.length))
  return message ? { ...firstAttempt(message), turn: 0 } : undefined
}

async function settled({ agenda }: World, state: DeliveryState): Promise<void> {
  while (!state.closed && (state.mutex.busy || agenda.advancing || agenda.isDue)) {
    if (state.mutex.busy) await state.mutex.idle()
    await new Promise((resolve) => setImmediate(resolve))
  }
}
