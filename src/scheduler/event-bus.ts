import type { Effect } from './job.ts'

export interface Subscriber {
  /** Something has just happened. */
  onEffect(effect: Effect): void
  /** The world is gone; nothing more is published. */
  onEnd(): void
}

/** Publishes what happens in a world, as it happens. */
export class EventBus {
  readonly #subscribers = new Set<Subscriber>()
  #isOver = false

  get subscribers(): number {
    return this.#subscribers.size
  }

  /** Returns a function that ends the subscription. */
  subscribe(subscriber: Subscriber): () => void {
    if (this.#isOver) subscriber.onEnd()
    else this.#subscribers.add(subscriber)
    return () => void this.#subscribers.delete(subscriber)
  }

  publish(effect: Effect): void {
    for (const subscriber of this.#subscribers) subscriber.onEffect(effect)
  }

  end(): void {
    this.#isOver = true
    for (const subscriber of this.#subscribers) subscriber.onEnd()
    this.#subscribers.clear()
  }
}
