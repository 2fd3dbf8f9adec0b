/** One piece of work at a time per lane, in the order it was handed in; lanes do not wait for each other. */
export class Lanes {
  readonly #last = new Map<string, Promise<void>>()

  /** Resolves when the work, and all before it in its lane, is done. */
  run(lane: string, work: () => Promise<void>): Promise<void> {
    const before = this.#last.get(lane)
    const done = before ? before.then(work, work) : work()
    this.#last.set(lane, done)
    const leave = () => {
      if (this.#last.get(lane) === done) this.#last.delete(lane)
    }
    done.then(leave, leave)
    return done
  }

  get busy(): boolean {
    return this.#last.size > 0
  }

  /** Resolves when what has been handed in so far is done. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#last.values())
  }
}
