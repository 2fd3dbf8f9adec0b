import { AsyncLocalStorage } from 'node:async_hooks'

/** The events that a request causes: those stored while it is processed, and those of the jobs it scheduled. */
export interface RequestContext {
  /** Ids, oldest first. */
  readonly events: string[]
  /** Whether it is not by the program under test, so that what it causes does not count toward coverage. */
  readonly isUncounted?: boolean
  /** Its place among the calls and events of its world; see `Requests`. */
  sequence?: number
  /** The ids of users that were created because the request named them. */
  adoptedUsers?: string[]
}

/** The running request or job; a job may have been scheduled by a request. */
interface Context {
  readonly request: RequestContext | undefined
  /** The turn of the running job; undefined for a request. */
  readonly jobTurn: number | undefined
}

/** The maximum number of recorded events of a request. */
const MAX_EVENTS = 200

const current = new AsyncLocalStorage<Context>()

/** Processes a request. Without a context its events are not recorded, as for calls of the control API. */
export const runInContext = <Result>(request: RequestContext | undefined, serve: () => Result): Result =>
  current.run({ request, jobTurn: undefined }, serve)

/** Runs a job in the context of the request that scheduled it, if there is one. */
export const runInJob = <Result>(
  request: RequestContext | undefined,
  jobTurn: number,
  run: () => Result,
): Result => current.run({ request, jobTurn }, run)

export const currentRequest = (): RequestContext | undefined => current.getStore()?.request

export const currentJobTurn = (): number | undefined => current.getStore()?.jobTurn

/** Records a user as created because the current request, if there is one, named it. */
export function addAdoptedUser(userId: string): void {
  const request = currentRequest()
  if (request) request.adoptedUsers = [...(request.adoptedUsers ?? []), userId]
}

/** Records an event as caused by the current request, if there is one. */
export function addToContext(eventId: string): void {
  const events = currentRequest()?.events
  if (events && events.length < MAX_EVENTS) events.push(eventId)
}
