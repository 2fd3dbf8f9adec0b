/** What a JSON text may contain. It is checked before the text is parsed, because a parser builds everything first. */
export interface JsonLimits {
  /** The nesting of lists and objects. */
  readonly depth: number
  /** The fields of one object. */
  readonly fields: number
  /** The values in it, itself included; an empty list or object counts as two. */
  readonly values: number
}

/** A JSON text that exceeds one of its limits. */
export class JsonLimitError extends Error {
  readonly limit: keyof JsonLimits | 'length'
  readonly max: number
  /** The offset in the value's text. */
  readonly at: number

  constructor(limit: JsonLimitError['limit'], max: number, at = 0) {
    super(
      limit === 'length'
        ? `A value is longer than ${max} characters`
        : `JSON decode error: ${limit} over ${max}`,
    )
    this.limit = limit
    this.max = max
    this.at = at
  }
}

export const QUOTE = 0x22
export const COMMA = 0x2c
const BACKSLASH = 0x5c
export const OPEN_LIST = 0x5b
export const CLOSE_LIST = 0x5d
export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d
export const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])

/** Finds the end of one JSON value, whose text may arrive in parts, and counts what is in it. The parser checks the rest. */
export class JsonScanner {
  readonly #limits: JsonLimits
  /** The number of fields so far of each open object; infinitely negative for a list. */
  readonly #fields: number[] = []
  #isInText = false
  /** The number of characters that are scanned. */
  #scanned = 0
  #values = 1

  constructor(limits: JsonLimits) {
    this.#limits = limits
  }

  /** The number of values so far. */
  get values(): number {
    return this.#values
  }

  /** The length of the value that begins at `start`; undefined if the text ends before it. Another call continues. */
  lengthIn(text: string, start = 0): number | undefined {
    let at = start + this.#scanned
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (this.#isInText) {
        if (code === BACKSLASH) at++
        else if (code === QUOTE) {
          this.#isInText = false
          if (this.#fields.length === 0) return at + 1 - start
        }
      } else if (code === QUOTE) this.#isInText = true
      else if (code === OPEN_OBJECT || code === OPEN_LIST) this.#open(code === OPEN_OBJECT, at - start)
      else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
        if (this.#fields.length <= 1) return at - start + this.#fields.length
        this.#fields.pop()
      } else if (this.#fields.length > 0) {
        if (code === COMMA) this.#count(at - start)
      } else if (code === COMMA || BLANKS.has(code)) return at - start
    }
    this.#scanned = at - start
    return undefined
  }

  #open(isObject: boolean, at: number): void {
    const { depth } = this.#limits
    if (this.#fields.length >= depth) throw new JsonLimitError('depth', depth, at)
    this.#fields.push(isObject ? 0 : Number.NEGATIVE_INFINITY)
    this.#count(at)
  }

  /** Counts the value that follows a comma or an opening bracket, and its key. */
  #count(at: number): void {
    const { fields: maxFields, values } = this.#limits
    const last = this.#fields.length - 1
    const fields = (this.#fields[last] as number) + 1
    this.#fields[last] = fields
    if (fields > maxFields) throw new JsonLimitError('fields', maxFields, at)
    if (++this.#values > values) throw new JsonLimitError('values', values, at)
  }
}
