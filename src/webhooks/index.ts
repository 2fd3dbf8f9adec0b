import { startTimer } from '../kernel/pause.ts'
import { runAtOnce, runInSlices } from '../kernel/slices.ts'
import { DEFERRED, type Job, type JobHandler, jobKey, jobs } from '../scheduler/job.ts'
import type { EventHead } from '../world/events.ts'
import type { World } from '../world/world.ts'
import { attempt, type DeliveryOptions, DeliveryState } from './delivery.ts'
import { bufferFirstAttempt, hasDeliveryFaults, release } from './delivery-faults.ts'
import { addEndpoint, disableFailing } from './endpoints.ts'
import { ATTEMPT, type AttemptOptions, DISABLE, DUPLICATE, firstAttempt, RELEASE, RESEND } from './jobs.ts'
import type { EventLog } from './log.ts'
import { enqueue, resumePending, subscribers } from './messages.ts'
import { endpoints, eventIdOf, type Message, messages } from './table.ts'

/** The maximum time a call waits for earlier deliveries, in wall-clock milliseconds. */
const MAX_WAIT_MS = 5000
/** The number of messages from which they are counted in slices when the world is opened, instead of on first use. */
const MANY_MESSAGES = 1000

/** Delivers the events of worlds to their endpoints. */
export interface Webhooks {
  readonly handlers: ReadonlyMap<string, (world: World) => JobHandler>
  onEvent(world: World, event: EventHead): void
  /** Queues a new message after the one that its endpoint is receiving; returns false if it needs a job of its own. */
  queueBehindCurrent(world: World, message: Message): boolean
  onWorldCreated(world: World): void
  /** Continues the deliveries that were pending when a world was closed. */
  onWorldOpened(world: World): Promise<void>
  /** Stops the deliveries of a closed world. */
  forget(world: World): void
  /** Resolves once all deliveries that are due now have ended. */
  settled(world: World): Promise<void>
  /**
   * In a frozen world, resolves once everything due now is done and delivered. Calls that change deliveries, copy the
   * world or read the results of jobs wait for this, so that equal calls find equal worlds regardless of the speed of
   * receivers.
   */
  earlierDelivered(world: World): Promise<void>
  logOf(world: World): EventLog
  /** Headers of an attempt in a frozen world that depend on the wall clock. */
  wallHeaders(world: World, message: Message, attempt: number): Readonly<Record<string, string>>
  close(): Promise<void>
}

export function createWebhooks(options: DeliveryOptions): Webhooks {
  const states = new WeakMap<World, DeliveryState>()
  const addState = (world: World): DeliveryState => {
    const state = new DeliveryState(world)
    states.set(world, state)
    return state
  }
  const stateOf = (world: World): DeliveryState => {
    const known = states.get(world)
    if (known) return known
    const state = addState(world)
    runAtOnce(state.log.load())
    return state
  }
  return {
    handlers: deliveryJobs(stateOf, options),
    onEvent: (world, event) => enqueue(world, event, subscribers(world, event.event_type)),
    queueBehindCurrent: (world, message) =>
      !world.clock.frozen &&
      !world.agenda.busy &&
      !world.agenda.isDue &&
      !hasDeliveryFaults(world) &&
      stateOf(world).mutex.enqueueIfBusy(message.endpoint_id, jobKey(ATTEMPT, message.id)),
    onWorldCreated(world) {
      if (world.options.webhookUrl) addEndpoint(world, { url: world.options.webhookUrl })
    },
    async onWorldOpened(world) {
      const isLarge = world.db.count(messages) > MANY_MESSAGES
      if (isLarge) await runInSlices(addState(world).log.load())
      await runInSlices(resumePending(world))
    },
    forget(world) {
      const state = states.get(world)
      if (state) state.closed = true
    },
    settled: (world) => settled(world, stateOf(world)),
    async earlierDelivered(world) {
      if (!world.clock.frozen) return
      let stopTimer = () => {}
      const tooLong = new Promise<void>((resolve) => {
        stopTimer = startTimer(MAX_WAIT_MS, resolve)
      })
      await Promise.race([settled(world, stateOf(world)), tooLong])
      stopTimer()
    },
    logOf: (world) => stateOf(world).log,
    wallHeaders: (world, { id }, number) => stateOf(world).wallHeaders.get(`${id}/${number}`) ?? {},
    close: () => options.outgoing.close(),
  }
}

async function settled({ agenda }: World, state: DeliveryState): Promise<void> {
  while (!state.closed && (state.mutex.busy || agenda.busy || agenda.isDue)) {
    if (state.mutex.busy) await state.mutex.idle()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** The handlers of delivery jobs. */
function deliveryJobs(
  stateOf: (world: World) => DeliveryState,
  options: DeliveryOptions,
): ReadonlyMap<string, (world: World) => JobHandler> {
  const handler = (world: World): JobHandler => {
    const run = (job: Job) => {
      const state = stateOf(world)
      if (job.kind === ATTEMPT && bufferFirstAttempt(world, job)) return undefined
      if (delayToRateLimit(world, state, job)) return undefined
      const isOrdered = world.clock.frozen || world.agenda.advancing
      return isOrdered ? deliverInOrder(world, state, job, options) : deliver(world, state, job, options)
    }
    return Object.assign(run, { groupOf: eventIdOf })
  }
  return new Map([
    [ATTEMPT, handler],
    [RESEND, handler],
    [DUPLICATE, handler],
    [RELEASE, (world) => (job) => release(world, job.subject)],
    [DISABLE, (world) => (job) => world.agenda.runSteps(disableFailing(world, job.subject))],
  ])
}

/** Schedules an attempt for later if the endpoint's rate limit is reached; returns whether it did. */
function delayToRateLimit({ agenda, clock, db }: World, { rateLimiter }: DeliveryState, job: Job): boolean {
  const data = job.data as AttemptOptions
  const limit = db.find(endpoints, data.endpointId)?.rate_limit
  if (!limit || data.admitted) return false
  const now = clock.now()
  const due = rateLimiter.reserve(data.endpointId, limit, now)
  if (due <= now) return false
  agenda.schedule({ due, kind: job.kind, subject: job.subject, data: { ...data, admitted: true } })
  return true
}

/** In a live world: settles each attempt immediately. An attempt at a busy endpoint is deferred. */
function deliver(
  world: World,
  state: DeliveryState,
  job: Job,
  options: DeliveryOptions,
): Promise<void> | typeof DEFERRED {
  const { endpointId } = job.data as AttemptOptions
  if (!state.mutex.acquire(endpointId, jobs.idOf(job))) return DEFERRED
  return attempt(world, state, job, options)
    .then((settle) => settle?.())
    .finally(() => unlock(world, state, endpointId))
}

/**
 * In a frozen world and during an advance: the attempts of an event run concurrently, and are settled in the order
 * they were due.
 */
async function deliverInOrder(
  world: World,
  state: DeliveryState,
  job: Job,
  options: DeliveryOptions,
): Promise<void> {
  const before = state.settled
  const sent = sendInTurn(world, state, job, options)
  const settled = Promise.all([sent, before.catch(() => undefined)]).then(([settle]) => settle?.())
  state.settled = settled.catch(() => undefined)
  await settled
}

/** Waits until the endpoint has received the previous delivery. */
async function sendInTurn(world: World, state: DeliveryState, job: Job, options: DeliveryOptions) {
  const { endpointId } = job.data as AttemptOptions
  await lock(state, endpointId)
  return attempt(world, state, job, options).finally(() => unlock(world, state, endpointId))
}

function lock({ mutex }: DeliveryState, endpointId: string): Promise<void> {
  return new Promise((resolve) => {
    const acquire = () => {
      if (mutex.acquire(endpointId, acquire)) resolve()
    }
    acquire()
  })
}

function unlock(world: World, state: DeliveryState, endpointId: string): void {
  state.mutex.release(endpointId, (waiter) => {
    if (typeof waiter === 'function') waiter()
    else world.agenda.resume(waiter, () => findFirstAttempt(world, waiter))
  })
}

/** The first attempt of a message, whose job has no row. */
function findFirstAttempt(world: World, key: string): Job | undefined {
  const prefix = jobKey(ATTEMPT, '')
  const message = key.startsWith(prefix) && world.db.find(messages, key.slice(prefix.length))
  return message ? { ...firstAttempt(message), turn: 0 } : undefined
}
