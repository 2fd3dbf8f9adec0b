/** A map of known keys whose values are made when they are first read. */
export class LazyMap<Key, Value> {
  readonly #makers: ReadonlyMap<Key, () => Value>
  readonly #made = new Map<Key, Value>()

  constructor(makers: ReadonlyMap<Key, () => Value>) {
    this.#makers = makers
  }

  get size(): number {
    return this.#makers.size
  }

  get(key: Key): Value | undefined {
    const known = this.#made.get(key)
    if (known !== undefined) return known
    const value = this.#makers.get(key)?.()
    if (value !== undefined) this.#made.set(key, value)
    return value
  }

  /** All values, in the order of the keys. */
  *values(): Generator<Value> {
    for (const key of this.#makers.keys()) yield this.get(key) as Value
  }
}
