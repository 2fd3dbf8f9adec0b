/** All that is put in one turn of the event loop, written together when it ends. */
export class WriteBatch {
  readonly #write: () => void
  #written: Promise<void> | undefined
  #resolve: (() => void) | undefined
  #reject: ((error: unknown) => void) | undefined
  /** A reply waits for it. */
  #isAwaited = false

  /** `write` is called at the end of the turn; it calls `end`. */
  constructor(write: () => void) {
    this.#write = write
  }

  get isOpen(): boolean {
    return this.#written !== undefined
  }

  open(): void {
    if (this.#written) return
    this.#written = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.#written.catch(() => undefined)
    // Where no reply waits, deliveries that are about to go out go first.
    setImmediate(() => (this.#isAwaited ? this.#writeIfOpen() : setImmediate(() => this.#writeIfOpen())))
  }

  /** Resolves once all that was put so far is written; undefined when there is nothing to wait for. */
  written(): Promise<void> | undefined {
    if (this.#written) this.#isAwaited = true
    return this.#written
  }

  /** Settles the promises of those who wait; with an error, nothing of the batch was written. */
  end(error?: unknown): void {
    if (error === undefined) this.#resolve?.()
    else this.#reject?.(error)
    this.#written = this.#resolve = this.#reject = undefined
    this.#isAwaited = false
  }

  #writeIfOpen(): void {
    if (this.#written) this.#write()
  }
}
