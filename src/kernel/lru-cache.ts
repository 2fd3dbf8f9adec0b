/** A map that keeps what was put last: `most` entries at least, and twice as many at most. Nothing in it is searched for the oldest. */
export class Recent<Value> {
  readonly #most: number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()

  constructor(most: number) {
    this.#most = most
  }

  get(key: string): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key)
  }

  set(key: string, value: Value): void {
    this.#young.set(key, value)
    if (this.#young.size <= this.#most) return
    this.#old = this.#young
    this.#young = new Map([[key, value]])
  }

  delete(key: string): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }
}
