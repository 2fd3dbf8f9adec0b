/** Finds the ids of rows by a value of theirs; remembers each row's value, so that a change needs no look at the old row. */
export class IndexOfRows {
  readonly #ids = new Map<string, Set<string>>()
  readonly #values = new Map<string, string>()

  set(id: string, value: string | null | undefined): void {
    if (this.#values.get(id) === value) return
    this.delete(id)
    if (value === null || value === undefined) return
    this.#values.set(id, value)
    const ids = this.#ids.get(value)
    if (ids) ids.add(id)
    else this.#ids.set(value, new Set([id]))
  }

  delete(id: string): void {
    const value = this.#values.get(id)
    if (value === undefined) return
    this.#values.delete(id)
    const ids = this.#ids.get(value)
    ids?.delete(id)
    if (ids?.size === 0) this.#ids.delete(value)
  }

  idsOf(value: string): Iterable<string> {
    return this.#ids.get(value) ?? []
  }
}
