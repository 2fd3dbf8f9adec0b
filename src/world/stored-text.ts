/** JSON that lies in bytes outside the heap; a string only when somebody asks. */
export class StoredText {
  readonly #bytes: Buffer
  readonly #start: number
  readonly #end: number
  readonly #encoding: 'latin1' | 'utf8'

  /** `encoding` is latin1, which needs no decoding, where it is known that every character is one byte. */
  constructor(bytes: Buffer, start: number, end: number, encoding: 'latin1' | 'utf8' = 'utf8') {
    this.#bytes = bytes
    this.#start = start
    this.#end = end
    this.#encoding = encoding
  }

  get text(): string {
    return this.#bytes.toString(this.#encoding, this.#start, this.#end)
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(this.#start, this.#end)
  }
}

/** What is reserved at a time; freed when no row in it is left, so that a row never holds on to more. */
const PIECE_BYTES = 32 * 1024

/** Stores a table's long rows one behind the other. Those that come together mostly go together. */
export class RowBytes {
  #piece = Buffer.alloc(0)
  #used = 0

  store(text: string): StoredText {
    const length = Buffer.byteLength(text)
    if (this.#used + length > this.#piece.length) {
      this.#piece = Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, length))
      this.#used = 0
    }
    const start = this.#used
    const encoding = length === text.length ? 'latin1' : 'utf8'
    this.#used += this.#piece.write(text, start, encoding)
    return new StoredText(this.#piece, start, this.#used, encoding)
  }
}
