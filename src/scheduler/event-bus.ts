import type { Clock } from '../kernel/clock.ts'
import { Recent } from '../kernel/lru-cache.ts'
import type { Effect } from './job.ts'

/** What a request brings about: the events that were written for it, there and then or by a job it left behind. */
export interface Cause {
  /** Ids, the oldest first. */
  readonly events: string[]
}

/** The most events a request is remembered for. */
const MOST_EVENTS = 200

/** So many jobs at least are known by whose account they were left on; the others are nobody's. */
const MOST_LEFT = 5000

/** The most different names a tally has; some come from what clients send. */
const MOST_NAMES = 2000

export interface Watcher {
  /** Something has just happened. */
  told(happening: Effect): void
  /** The world is gone; nothing more is told. */
  ended(): void
}

/** Tells what happens in a world as it happens, on whose account, and how often so far. */
export class Feed {
  readonly #watchers = new Set<Watcher>()
  readonly #tallies = new Map<string, Map<string, number>>()
  readonly #unfinished = new Set<Cause>()
  /** Jobs that are still to be done, and on whose account. */
  readonly #left = new Recent<Cause>(MOST_LEFT)
  /** On whose account something is being done now; null is nobody's. */
  #cause: Cause | null | undefined
  #isOver = false

  get watchers(): number {
    return this.#watchers.size
  }

  /** Tells a watcher of everything from now on, until the answered function is called. */
  watch(watcher: Watcher): () => void {
    if (this.#isOver) watcher.ended()
    else this.#watchers.add(watcher)
    return () => void this.#watchers.delete(watcher)
  }

  tell(kind: string, what: Readonly<Record<string, unknown>>, clock: Clock): void {
    if (kind === 'event') this.count(kind, String(what.event_type))
    else if (kind === 'order') this.count(kind, String(what.status))
    else if (kind === 'delivery' && isDelivered(what.status)) this.count('delivered', String(what.event_type))
    if (this.#watchers.size === 0) return
    const happening = { at: clock.now(), kind, ...what }
    for (const watcher of this.#watchers) watcher.told(happening)
  }

  count(what: string, name: string): void {
    const tally = this.#tallies.get(what)
    if (tally && (tally.size < MOST_NAMES || tally.has(name))) tally.set(name, (tally.get(name) ?? 0) + 1)
    else if (tally) return
    else this.#tallies.set(what, new Map([[name, 1]]))
  }

  /** How often what happened, since the world was opened. */
  counted(what: string): ReadonlyMap<string, number> {
    return this.#tallies.get(what) ?? new Map()
  }

  /** Does something on somebody's account. */
  onAccountOf<Result>(cause: Cause | null, act: () => Result): Result {
    const before = this.#cause
    this.#cause = cause
    try {
      return act()
    } finally {
      this.#cause = before
    }
  }

  /** What is done after a wait counts too, while nobody else is waiting. */
  follow(cause: Cause, work: Promise<unknown>): void {
    this.#unfinished.add(cause)
    const leave = () => void this.#unfinished.delete(cause)
    work.then(leave, leave)
  }

  /** A job was left to be done: on whose account, is kept until then. */
  leave(job: string): void {
    const cause = this.cause()
    if (!cause) this.drop(job)
    else this.#left.set(job, cause)
  }

  /** A job will not be done, or not again. */
  drop(job: string): void {
    this.#left.delete(job)
  }

  /** Does a job that was left; once it is done it is to be dropped. */
  takeUp<Result>(job: string, act: () => Result): Result {
    return this.onAccountOf(this.#left.get(job) ?? null, act)
  }

  /** Whose doing it is that something happens now; undefined when nobody knows. */
  cause(): Cause | undefined {
    if (this.#cause !== undefined) return this.#cause ?? undefined
    if (this.#unfinished.size !== 1) return undefined
    const [only] = this.#unfinished
    return only
  }

  /** An event was written. */
  noteEvent(id: string): void {
    const events = this.cause()?.events
    if (events && events.length < MOST_EVENTS) events.push(id)
  }

  end(): void {
    this.#isOver = true
    for (const watcher of this.#watchers) watcher.ended()
    this.#watchers.clear()
  }
}

const isDelivered = (status: unknown) => typeof status === 'number' && status >= 200 && status < 300
