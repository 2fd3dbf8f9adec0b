import { MAX_NESTING } from './json.ts'
import { Slices } from './slices.ts'

/** A document that is not JSON, or that contains a value of more than the maximum length. */
export class JsonStreamError extends Error {
  /** The characters before it. */
  readonly at: number
  /** Counts from 1. */
  readonly line: number

  constructor(message: string, at: number, line: number) {
    super(message)
    this.at = at
    this.line = line
  }
}

export interface JsonStreamOptions {
  /** Whether the object at these keys is parsed field by field; every other value is parsed as a whole. */
  readonly isOpened: (keys: readonly string[]) => boolean
  /** Called with each parsed value, in the order of the document, and with undefined for each object that is opened. */
  readonly onValue: (keys: readonly string[], value: unknown) => void
  /** The maximum length of a value that is parsed as a whole, in characters. */
  readonly maxLength: number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])

/**
 * Parses JSON while it is received, in slices. The values are parsed by the platform's parser, which is several times
 * faster than incremental parsers, and treats `__proto__` as an ordinary field.
 */
export async function readJsonStream(
  chunks: AsyncIterable<Uint8Array>,
  options: JsonStreamOptions,
): Promise<void> {
  const reader = new JsonReader(chunks, options)
  await reader.readValue([])
  if (!Number.isNaN(await reader.peek())) throw reader.unexpected()
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

  constructor(chunks: AsyncIterable<Uint8Array>, options: JsonStreamOptions) {
    this.#chunks = chunks[Symbol.asyncIterator]()
    this.#options = options
  }

  async readValue(keys: readonly string[]): Promise<void> {
    const { isOpened, onValue } = this.#options
    if ((await this.peek()) !== OPEN_OBJECT || !isOpened(keys)) return onValue(keys, await this.#readWhole())
    onValue(keys, undefined)
    this.#at++
    if ((await this.peek()) === CLOSE_OBJECT) {
      this.#at++
      return
    }
    for (;;) {
      if ((await this.peek()) !== QUOTE) throw this.unexpected()
      const key = String(await this.#readWhole())
      if ((await this.peek()) !== COLON) throw this.unexpected()
      this.#at++
      await this.readValue([...keys, key])
      if (this.#slices.isOver) await this.#slices.next()
      const next = await this.peek()
      if (next !== COMMA && next !== CLOSE_OBJECT) throw this.unexpected()
      this.#at++
      if (next === CLOSE_OBJECT) return
    }
  }

  /** Reads a value, or the values of a list one by one. */
  async readDocument(): Promise<void> {
    if (this.#slices.isOver) await this.#slices.next()
    if ((await this.peek()) !== OPEN_LIST) return this.readValue([])
    this.#at++
    if ((await this.peek()) === CLOSE_LIST) {
      this.#at++
      return
    }
    for (let next = COMMA; next === COMMA; this.#at++) {
      await this.readValue([])
      if (this.#slices.isOver) await this.#slices.next()
      next = await this.peek()
      if (next !== COMMA && next !== CLOSE_LIST) throw this.unexpected()
    }
  }

  /** The next character that is not white space; NaN at the end. */
  async peek(): Promise<number> {
    for (;;) {
      while (BLANKS.has(this.#text.charCodeAt(this.#at))) this.#at++
      if (this.#at < this.#text.length || !(await this.#more())) return this.#text.charCodeAt(this.#at)
    }
  }

  unexpected(message = 'JSON decode error'): JsonStreamError {
    return new JsonStreamError(message, this.#dropped + this.#at, this.#droppedLines + this.#linesRead() + 1)
  }

  #tooLong(): JsonStreamError {
    return this.unexpected(`A value is longer than ${this.#options.maxLength} characters`)
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

  /** Finds the end of the next value; the parser checks the value. */
  async #lengthOfValue(): Promise<number> {
    let length = 0
    let depth = 0
    let isInText = false
    for (;;) {
      const text = this.#text
      const start = this.#at
      for (; start + length < text.length; length++) {
        const code = text.charCodeAt(start + length)
        if (isInText) {
          if (code === BACKSLASH) length++
          else if (code === QUOTE) {
            isInText = false
            if (depth === 0) return length + 1
          }
        } else if (code === QUOTE) isInText = true
        else if (code === OPEN_OBJECT || code === OPEN_LIST) {
          if (++depth > MAX_NESTING) throw this.unexpected()
        } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
          if (depth <= 1) return depth === 1 ? length + 1 : length
          depth--
        } else if (depth === 0 && (code === COMMA || BLANKS.has(code))) return length
      }
      if (length > this.#options.maxLength) throw this.#tooLong()
      if (!(await this.#more())) return length
    }
  }

  /** Waits for the next chunk; returns false at the end. */
  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next()
    const arrived = done ? this.#decoder.decode() : this.#decoder.decode(value, { stream: true })
    this.#dropped += this.#at
    this.#droppedLines += this.#linesRead()
    this.#text = this.#text.slice(this.#at) + arrived
    this.#at = 0
    return !done || arrived !== ''
  }
}
