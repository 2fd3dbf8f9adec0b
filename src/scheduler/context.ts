import { AsyncLocalStorage } from 'node:async_hooks'

/** What a request causes: the events written while it is served, and by the jobs it scheduled. */
export interface RequestContext {
  /** Ids, the oldest first. */
  readonly events: string[]
}

/** The most events that are remembered of a request. */
const MOST_EVENTS = 200

const storage = new AsyncLocalStorage<RequestContext | undefined>()

/** Runs something for a request, or for none. All it awaits and schedules belongs to that request too. */
export const runInContext = <Result>(context: RequestContext | undefined, act: () => Result): Result =>
  storage.run(context, act)

export const currentContext = (): RequestContext | undefined => storage.getStore()

/** Notes an event in the current request's context, if there is one. */
export function addToContext(eventId: string): void {
  const events = storage.getStore()?.events
  if (events && events.length < MOST_EVENTS) events.push(eventId)
}
