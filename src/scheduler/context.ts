import { AsyncLocalStorage } from 'node:async_hooks'

/** What a request causes: the events written while it is served, and by the jobs it scheduled. */
export interface RequestContext {
  /** Ids, the oldest first. */
  readonly events: string[]
}

/** What is being run: a request, or a job, which a request may have scheduled. */
interface Context {
  readonly request: RequestContext | undefined
  /** Of the job that is being run; undefined when none is. */
  readonly jobTurn: number | undefined
}

/** The most events that are remembered of a request. */
const MOST_EVENTS = 200

const storage = new AsyncLocalStorage<Context>()

/** Runs something for a request. All it awaits and schedules belongs to that request too. */
export const runInContext = <Result>(request: RequestContext, act: () => Result): Result =>
  storage.run({ request, jobTurn: undefined }, act)

/** Runs a job for the request that scheduled it, if one did. */
export const runInJob = <Result>(
  request: RequestContext | undefined,
  jobTurn: number,
  act: () => Result,
): Result => storage.run({ request, jobTurn }, act)

export const currentRequest = (): RequestContext | undefined => storage.getStore()?.request

export const currentJobTurn = (): number | undefined => storage.getStore()?.jobTurn

/** Notes an event for the current request, if there is one. */
export function addToContext(eventId: string): void {
  const events = currentRequest()?.events
  if (events && events.length < MOST_EVENTS) events.push(eventId)
}
