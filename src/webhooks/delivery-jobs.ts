import { DEFERRED, type Job, type JobHandler, jobKey, jobs } from '../scheduler/job.ts'
import type { World } from '../world/world.ts'
import { bufferFirstAttempt, release } from './buffer.ts'
import { attempt, type DeliveryOptions } from './delivery.ts'
import type { DeliveryState } from './delivery-state.ts'
import { disableFailing } from './endpoints.ts'
import { ATTEMPT, type AttemptOptions, DISABLE, DUPLICATE, firstAttempt, RELEASE, RESEND } from './jobs.ts'
import { endpoints, eventIdOf, messages } from './table.ts'

/** The handlers of the jobs that deliver messages. */
export function deliveryJobs(
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

/** Schedules an attempt for later if the endpoint takes no more messages now; returns whether it did. */
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

/** In a live world: settles each attempt as soon as it is made. An attempt whose endpoint is busy is deferred. */
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

/** In a frozen world and during an advance: the attempts of an event run side by side, and are settled in the order they were due. */
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

/** Waits for a delivery that the endpoint is still receiving. */
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
