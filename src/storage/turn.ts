/** A turn of the event loop in which something was put that is to be stored when it ends. */
export class Turn {
  readonly #end: () => void
  #stored: Promise<void> | undefined
  #resolve: (() => void) | undefined
  #reject: ((error: unknown) => void) | undefined
  /** An answer waits for it. */
  #isAwaited = false

  /** `end` is called when it is time to store what was put; it calls `store`. */
  constructor(end: () => void) {
    this.#end = end
  }

  get isOpen(): boolean {
    return this.#stored !== undefined
  }

  open(): void {
    if (this.#stored) return
    this.#stored = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.#stored.catch(() => undefined)
    // Where no answer waits, deliveries that are about to go out go first.
    setImmediate(() => (this.#isAwaited ? this.#endIfOpen() : setImmediate(() => this.#endIfOpen())))
  }

  /** Resolves once all that was put so far is stored; undefined when there is nothing to wait for. */
  stored(): Promise<void> | undefined {
    if (this.#stored) this.#isAwaited = true
    return this.#stored
  }

  /** Stores what was put and tells those who wait; what fails is theirs to know, or else thrown. */
  store(act: () => void): void {
    const [resolve, reject] = [this.#resolve, this.#reject]
    this.#close()
    try {
      act()
      resolve?.()
    } catch (error) {
      if (reject) reject(error)
      else throw error
    }
  }

  /** Stores nothing, and lets nobody wait. */
  drop(): void {
    this.#resolve?.()
    this.#close()
  }

  #close(): void {
    this.#stored = this.#resolve = this.#reject = undefined
    this.#isAwaited = false
  }

  #endIfOpen(): void {
    if (this.#stored) this.#end()
  }
}
