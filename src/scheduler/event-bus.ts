import type { Effect } from './job.ts'

export interface Subscriber {
  /** Something has just happened. */
  onEffect(effect: Effect): void
  /** The world is gone; nothing more is published. */
  onEnd(): void
}

/** The fields of an effect that say what it is about; an effect without any is about everything. */
const TOPIC_FIELDS = ['order_id', 'user_id', 'event_type', 'operation'] as const

/** Publishes what happens in a world, as it happens. */
export class EventBus {
  readonly #subscribers = new Set<Subscriber>()
  /** Those that are told only of effects about one order, user, event type or operation. */
  readonly #byTopic = new Map<string, Set<Subscriber>>()
  #topicSubscribers = 0
  #isOver = false

  get subscribers(): number {
    return this.#subscribers.size + this.#topicSubscribers
  }

  /** Returns a function that ends the subscription. `topic` is the order, user, event type or operation it is about; all if left out. */
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
