import type { Clock } from '../kernel/clock.ts'
import { isSuccess } from '../kernel/http-call.ts'
import type { JsonObject } from '../kernel/json.ts'
import { currentJobTurn, currentRequest } from './context.ts'
import type { Advanced, Effect, Job, JobFailure } from './job.ts'

/** The maximum number of effects that an advance reports. */
const MAX_EFFECTS = 10_000
/** The maximum number of listed failures. */
const MAX_FAILURES = 20

/** The effects in a world: published immediately, counted, and collected for the response of an advance. */
export class Activity {
  readonly bus = new EventBus()
  readonly counters: Counters
  /** The latest jobs that threw. */
  readonly failures: JobFailure[]
  readonly #clock: Clock
  readonly #reportBug: (error: unknown) => void
  #effects: Effect[]
  /** The number of effects beyond the maximum. */
  #dropped: number

  /** `earlier` is that of the same world before its rows left memory. */
  constructor(clock: Clock, reportBug: (error: unknown) => void, earlier?: Activity) {
    this.#clock = clock
    this.#reportBug = reportBug
    this.counters = earlier?.counters ?? new Counters()
    this.failures = earlier?.failures ?? []
    this.#effects = earlier ? earlier.#effects : []
    this.#dropped = earlier ? earlier.#dropped : 0
  }

  /** In a frozen world, effects of jobs are kept for the next advance. */
  record(kind: string, fields: JsonObject, isAdvancing: boolean): void {
    if (currentRequest()?.isUncounted !== true) this.counters.countEffect(kind, fields)
    const isCollected = isAdvancing || (this.#clock.frozen && currentJobTurn() !== undefined)
    if (!isCollected && this.bus.subscribers === 0) return
    const effect = { at: this.#clock.now(), kind, ...fields }
    if (isCollected && this.#effects.length >= MAX_EFFECTS) this.#dropped++
    else if (isCollected) this.#effects.push(effect)
    try {
      this.bus.publish(effect)
    } catch (error) {
      this.#reportBug(error)
    }
  }

  /** Records a job that threw, which is a bug in Petri. */
  recordFailure({ kind, subject }: Job, error: unknown, isAdvancing: boolean): void {
    const detail = String(error)
    this.failures.push({ at: this.#clock.now(), kind, subject, detail })
    if (this.failures.length > MAX_FAILURES) this.failures.shift()
    this.record('bug', { detail, job: kind, subject }, isAdvancing)
    this.#reportBug(error)
  }

  /** The effects since the last call. */
  takeEffects(stopped = false): Advanced {
    const taken = { effects: this.#effects, dropped: this.#dropped, stopped }
    this.#effects = []
    this.#dropped = 0
    return taken
  }
}

/** The maximum number of different names in a group; clients choose some of the names. */
const MAX_NAMES = 2000

/** Counters by group and name, since the world was opened. */
export class Counters {
  readonly #groups = new Map<string, Map<string, number>>()

  count(group: string, name: string): void {
    const counts = this.#groups.get(group)
    if (!counts) this.#groups.set(group, new Map([[name, 1]]))
    else if (counts.size < MAX_NAMES || counts.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }

  /** Counts the effects that the event bus publishes and the world reports. */
  countEffect(kind: string, { event_type, status }: JsonObject): void {
    if (kind === 'event') this.count(kind, String(event_type))
    else if (kind === 'order') this.count(kind, String(status))
    else if (kind === 'delivery' && isSuccess(status)) this.count('delivered', String(event_type))
  }

  get(group: string): ReadonlyMap<string, number> {
    return this.#groups.get(group) ?? new Map()
  }
}

export interface Subscriber {
  /** Called with each effect. */
  onEffect(effect: Effect): void
  /** Called when the world is closed; nothing more is published. */
  onEnd(): void
  /** Whether anybody waits for the effects; by default always. */
  isAwaited?(): boolean
}

/** The fields that identify the topics of an effect; an effect without any of them concerns all topics. */
const TOPIC_FIELDS = ['order_id', 'user_id', 'event_type', 'operation'] as const

/** Publishes the effects in a world immediately. */
export class EventBus {
  readonly #subscribers = new Set<Subscriber>()
  /** Subscribers of effects about one order, user, event type or operation. */
  readonly #byTopic = new Map<string, Set<Subscriber>>()
  #topicSubscribers = 0
  #isOver = false

  get subscribers(): number {
    return this.#subscribers.size + this.#topicSubscribers
  }

  /** Whether anybody waits for effects. */
  get isAwaited(): boolean {
    return this.#topicSubscribers > 0 || [...this.#subscribers].some((each) => each.isAwaited?.() ?? true)
  }

  /**
   * Returns a function that ends the subscription. `topic` is an order, user, event type or operation; all effects by
   * default.
   */
  subscribe(subscriber: Subscriber, topic?: string): () => void {
    if (this.#isOver) {
      subscriber.onEnd()
      return () => undefined
    }
    if (topic !== undefined) return this.#subscribeTo(topic, subscriber)
    this.#subscribers.add(subscriber)
    return () => void this.#subscribers.delete(subscriber)
  }

  publish(effect: Effect): void {
    for (const subscriber of this.#subscribers) subscriber.onEffect(effect)
    if (this.#topicSubscribers === 0) return
    const topics = TOPIC_FIELDS.map((field) => effect[field]).filter((topic) => typeof topic === 'string')
    const sets = topics.length > 0 ? topics.map((topic) => this.#byTopic.get(topic)) : this.#byTopic.values()
    for (const subscribers of [...sets]) {
      for (const subscriber of subscribers ?? []) subscriber.onEffect(effect)
    }
  }

  #subscribeTo(topic: string, subscriber: Subscriber): () => void {
    const subscribers = this.#byTopic.get(topic) ?? new Set()
    this.#byTopic.set(topic, subscribers.add(subscriber))
    this.#topicSubscribers++
    return () => {
      if (!subscribers.delete(subscriber)) return
      this.#topicSubscribers--
      if (subscribers.size === 0 && this.#byTopic.get(topic) === subscribers) this.#byTopic.delete(topic)
    }
  }

  end(): void {
    this.#isOver = true
    for (const subscribers of [this.#subscribers, ...this.#byTopic.values()]) {
      for (const subscriber of subscribers) {
        subscribers.delete(subscriber)
        subscriber.onEnd()
      }
    }
    this.#topicSubscribers = 0
  }
}
