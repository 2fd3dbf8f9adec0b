/** JSON that still lies in the file's bytes; a string only when somebody asks. */
export class StoredText {
  readonly #bytes: Buffer
  readonly #start: number
  readonly #end: number

  constructor(bytes: Buffer, start: number, end: number) {
    this.#bytes = bytes
    this.#start = start
    this.#end = end
  }

  get text(): string {
    return this.#bytes.toString('utf8', this.#start, this.#end)
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(this.#start, this.#end)
  }
}
