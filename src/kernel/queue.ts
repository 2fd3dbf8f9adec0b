/** Items in the order they came; adding one and taking the first cost the same however many there are. */
export class Queue<Item> {
  #items: Item[] = []
  /** How many at the beginning are taken already. */
  #taken = 0

  get length(): number {
    return this.#items.length - this.#taken
  }

  add(item: Item): void {
    this.#items.push(item)
  }

  take(): Item | undefined {
    if (this.length === 0) return undefined
    const item = this.#items[this.#taken]
    this.#taken++
    if (2 * this.#taken >= this.#items.length + MOST_TAKEN) {
      this.#items = this.#items.slice(this.#taken)
      this.#taken = 0
    }
    return item
  }

  clear(): void {
    this.#items = []
    this.#taken = 0
  }

  [Symbol.iterator](): IterableIterator<Item> {
    return this.#items.slice(this.#taken).values()
  }
}

/** Room that is given back only when there is more of it than this and than what is left. */
const MOST_TAKEN = 1024
