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

/** Set only until a function returns. AsyncLocalStorage, which lasts beyond that, made a read a fifth slower (Node 20). */
class CurrentContext {
  #context: Context | undefined

  get(): Context | undefined {
    return this.#context
  }

  run<Result>(context: Context | undefined, act: () => Result): Result {
    const before = this.#context
    this.#context = context
    try {
      return act()
    } finally {
      this.#context = before
    }
  }
}

const current = new CurrentContext()

/** Runs something for a request. What is to belong to the request after an `await` goes through `bindContext`. */
export const runInContext = <Result>(request: RequestContext, act: () => Result): Result =>
  current.run({ request, jobTurn: undefined }, act)

/** Runs a job for the request that scheduled it, if one did. */
export const runInJob = <Result>(
  request: RequestContext | undefined,
  jobTurn: number,
  act: () => Result,
): Result => current.run({ request, jobTurn }, act)

/** A function that runs, whenever it is called, in the context of now. */
export function bindContext<Given extends readonly unknown[], Result>(
  act: (...given: Given) => Result,
): (...given: Given) => Result {
  const context = current.get()
  return (...given) => current.run(context, () => act(...given))
}

/** The same for the steps of a generator. */
export function* bindSteps<Result>(steps: Generator<void, Result>): Generator<void, Result> {
  const next = bindContext(() => steps.next())
  for (;;) {
    const step = next()
    if (step.done) return step.value
    yield
  }
}

export const currentRequest = (): RequestContext | undefined => current.get()?.request

export const currentJobTurn = (): number | undefined => current.get()?.jobTurn

/** Notes an event for the current request, if there is one. */
export function addToContext(eventId: string): void {
  const events = currentRequest()?.events
  if (events && events.length < MAX_EVENTS) events.push(eventId)
}
