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
const MAX_EVENTS = 200

const current = new AsyncLocalStorage<Context>()

/** Serves a request; without a context for a call whose events are not recorded, such as one of the control API. */
export const runInContext = <Result>(request: RequestContext | undefined, serve: () => Result): Result =>
  current.run({ request, jobTurn: undefined }, serve)

/** Runs a job for the request that scheduled it, if one did. */
export const runInJob = <Result>(
  request: RequestContext | undefined,
  jobTurn: number,
  run: () => Result,
): Result => current.run({ request, jobTurn }, run)

export const currentRequest = (): RequestContext | undefined => current.getStore()?.request

export const currentJobTurn = (): number | undefined => current.getStore()?.jobTurn

/** Records an event as caused by the current request, if there is one. */
export function addToContext(eventId: string): void {
  const events = currentRequest()?.events
  if (events && events.length < MAX_EVENTS) events.push(eventId)
}
