import { MAX_NESTING } from './json.ts'
import {
  BLANKS,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COMMA,
  JsonLimitError,
  type JsonLimits,
  JsonScanner,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from './json-scanner.ts'
import { Slices } from './slices.ts'

/** A document that is not JSON, or that exceeds a limit. */
export class JsonStreamError extends Error {
  /** The characters before it. */
  readonly at: number
  /** Counts from 1. */
  readonly line: number
  /** Undefined if the document is not JSON. */
  readonly exceeded: JsonLimitError | undefined

  constructor(at: number, line: number, exceeded?: JsonLimitError) {
    super(exceeded?.message ?? 'JSON decode error')
    this.at = at
    this.line = line
    this.exceeded = exceeded
  }
}

export interface JsonStreamOptions {
  /** Whether the object or list at these keys is parsed field by field; every other value is parsed as a whole. */
  readonly isOpened: (keys: readonly string[], kind: 'object' | 'list') => boolean
  /**
   * Called with each parsed value, in the order of the document, and with undefined for each object or list that is
   * opened. The keys of a list are its indexes.
   */
  readonly onValue: (keys: readonly string[], value: unknown) => void
  /** The maximum length of a value that is parsed as a whole, in characters. */
  readonly maxLength: number
  /** What such a value may contain. */
  readonly limits?: JsonLimits
  /** The maximum number of values in the document. */
  readonly maxValues?: number
}

const onlyDepth: JsonLimits = {
  depth: MAX_NESTING,
  fields: Number.POSITIVE_INFINITY,
  values: Number.POSITIVE_INFINITY,
}

const COLON = 0x3a

/**
 * Parses JSON while it is received, in slices. The values are parsed by the platform's parser, which is several times
 * faster than incremental parsers, and treats `__proto__` as an ordinary field.
 */
export async function readJsonStream(
  chunks: AsyncIterable<Uint8Array>,
  options: JsonStreamOptions,
): Promise<void> {
  const reader = new JsonReader(chunks, options)
  try {
    await reader.readValue([])
    if (!Number.isNaN(await reader.peek())) throw reader.unexpected()
  } finally {
    await reader.close()
  }
}

/** Parses JSON lines, or any JSON values one after the other, while they are received; of a list, value by value. */
export async function readJsonDocuments(
  chunks: AsyncIterable<Uint8Array>,
  { maxLength, onDocument }: Pick<JsonStreamOptions, 'maxLength'> & { onDocument: (value: unknown) => void },
): Promise<void> {
  const options = {
    maxLength,
    isOpened: () => false,
    onValue: (_: unknown, value: unknown) => onDocument(value),
  }
  const reader = new JsonReader(chunks, options)
  while (!Number.isNaN(await reader.peek())) await reader.readDocument()
}

class JsonReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #options: JsonStreamOptions
  readonly #decoder = new TextDecoder()
  readonly #slices = new Slices()
  /** The received text; the text from `#at` on is not parsed yet. */
  #text = ''
  #at = 0
  /** The number of characters dropped before `#text`. */
  #dropped = 0
  /** The number of line breaks among them. */
  #droppedLines = 0
  /** The number of values that are parsed. */
  #values = 0

  constructor(chunks: AsyncIterable<Uint8Array>, options: JsonStreamOptions) {
    this.#chunks = chunks[Symbol.asyncIterator]()
    this.#options = options
  }

  async readValue(keys: readonly string[]): Promise<void> {
    const { isOpened, onValue } = this.#options
    const first = await this.peek()
    if (first === OPEN_OBJECT && isOpened(keys, 'object')) return this.#readFields(keys)
    if (first === OPEN_LIST && isOpened(keys, 'list')) return this.#readItems(keys)
    onValue(keys, await this.#readWhole())
    if (this.#slices.isOver) await this.#slices.next()
  }

  async #readFields(keys: readonly string[]): Promise<void> {
    this.#options.onValue(keys, undefined)
    this.#at++
    if ((await this.peek()) === CLOSE_OBJECT) {
      this.#at++
      return
    }
    for (let next = COMMA; next === COMMA; this.#at++) {
      if ((await this.peek()) !== QUOTE) throw this.unexpected()
      const key = String(await this.#readWhole())
      if ((await this.peek()) !== COLON) throw this.unexpected()
      this.#at++
      await this.readValue([...keys, key])
      next = await this.#readSeparator(CLOSE_OBJECT)
    }
  }

  async #readItems(keys: readonly string[]): Promise<void> {
    this.#options.onValue(keys, undefined)
    this.#at++
    if ((await this.peek()) === CLOSE_LIST) {
      this.#at++
      return
    }
    let next = COMMA
    for (let item = 0; next === COMMA; item++) {
      await this.readValue([...keys, String(item)])
      next = await this.#readSeparator(CLOSE_LIST)
      this.#at++
    }
  }

  /** The comma or the closing bracket after a value. */
  async #readSeparator(close: number): Promise<number> {
    const next = await this.peek()
    if (next !== COMMA && next !== close) throw this.unexpected()
    return next
  }

  /** Reads a value, or the values of a list one by one. */
  async readDocument(): Promise<void> {
    if ((await this.peek()) !== OPEN_LIST) return this.readValue([])
    this.#at++
    if ((await this.peek()) === CLOSE_LIST) {
      this.#at++
      return
    }
    for (let next = COMMA; next === COMMA; this.#at++) {
      await this.readValue([])
      next = await this.#readSeparator(CLOSE_LIST)
    }
  }

  /** The next character that is not white space; NaN at the end. */
  async peek(): Promise<number> {
    for (;;) {
      while (BLANKS.has(this.#text.charCodeAt(this.#at))) this.#at++
      if (this.#at < this.#text.length || !(await this.#more())) return this.#text.charCodeAt(this.#at)
    }
  }

  /** Reads no more chunks. */
  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  unexpected(exceeded?: JsonLimitError): JsonStreamError {
    const line = this.#droppedLines + this.#linesRead() + 1
    return new JsonStreamError(this.#dropped + this.#at, line, exceeded)
  }

  #tooLong(): JsonStreamError {
    return this.unexpected(new JsonLimitError('length', this.#options.maxLength))
  }

  /** The line breaks in the part of `#text` that is parsed. */
  #linesRead(): number {
    let count = 0
    for (let at = this.#text.indexOf('\n'); at !== -1 && at < this.#at; at = this.#text.indexOf('\n', at + 1))
      count++
    return count
  }

  async #readWhole(): Promise<unknown> {
    const length = await this.#lengthOfValue()
    if (length > this.#options.maxLength) throw this.#tooLong()
    const text = this.#text.slice(this.#at, this.#at + length)
    try {
      const value: unknown = JSON.parse(text)
      this.#at += length
      return value
    } catch {
      throw this.unexpected()
    }
  }

  /** Finds the end of the next value, within the limits. */
  async #lengthOfValue(): Promise<number> {
    const { limits = onlyDepth, maxLength, maxValues = Number.POSITIVE_INFINITY } = this.#options
    const valuesLeft = maxValues - this.#values
    const scanner = new JsonScanner({ ...limits, values: Math.min(limits.values, valuesLeft) })
    try {
      if (valuesLeft < 1) throw new JsonLimitError('values', maxValues)
      let length = scanner.lengthIn(this.#text, this.#at)
      while (length === undefined) {
        const arrived = this.#text.length - this.#at
        if (arrived > maxLength) throw this.#tooLong()
        if (!(await this.#more())) length = arrived
        else length = scanner.lengthIn(this.#text, this.#at)
      }
      this.#values += scanner.values
      return length
    } catch (error) {
      if (!(error instanceof JsonLimitError)) throw error
      this.#at += error.at
      const isOfDocument = error.limit === 'values' && error.max === valuesLeft
      throw this.unexpected(isOfDocument ? new JsonLimitError('values', maxValues) : error)
    }
  }

  /** Waits for the next chunk; returns false at the end. */
  async #more(): Promise<boolean> {
    if (this.#slices.isOver) await this.#slices.next()
    const { done, value } = await this.#chunks.next()
    const arrived = done ? this.#decoder.decode() : this.#decoder.decode(value, { stream: true })
    this.#dropped += this.#at
    this.#droppedLines += this.#linesRead()
    this.#text = this.#text.slice(this.#at) + arrived
    this.#at = 0
    return !done || arrived !== ''
  }
}
