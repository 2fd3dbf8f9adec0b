import type { JsonText } from '../../kernel/json.ts'

/** Most pages kept. */
const PAGES = 256
/** Most characters kept over all pages. */
const CHARACTERS = 8_000_000

/** A cache of serialised pages; the least recently used one is dropped first. */
export class Memo {
  readonly #pages = new Map<string, JsonText>()
  #characters = 0

  remember<Value>(key: string, make: () => JsonText<Value>): JsonText<Value> {
    const known = this.#pages.get(key) as JsonText<Value> | undefined
    if (known) {
      this.#pages.delete(key)
      this.#pages.set(key, known)
      return known
    }
    const page = make()
    this.#pages.set(key, page)
    this.#characters += page.text.length
    this.#forgetOldest()
    return page
  }

  #forgetOldest(): void {
    for (const [key, { text }] of this.#pages) {
      if (this.#pages.size <= PAGES && this.#characters <= CHARACTERS) return
      this.#pages.delete(key)
      this.#characters -= text.length
    }
  }
}
