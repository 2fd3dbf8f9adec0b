/** Bytes outside the JavaScript heap, where long-lived texts lie one behind the other: nothing has to move or mark them. */
export class Page {
  readonly bytes: Buffer
  /** Up to where it is written; what is written is never altered. */
  used: number
  readonly #onForget: ((page: Page) => void) | undefined
  /** Bytes of texts that were laid down here, and of those that are still needed. */
  #laid = 0
  #live = 0

  constructor(bytes: Buffer, used = bytes.length, onForget?: (page: Page) => void) {
    this.bytes = bytes
    this.used = used
    this.#onForget = onForget
  }

  /** Less than half of it is still needed. */
  get isSparse(): boolean {
    return 2 * this.#live < this.#laid
  }

  get isEmpty(): boolean {
    return this.#live === 0
  }

  write(text: string): void {
    this.used += this.bytes.write(text, this.used)
  }

  writeByte(byte: number): void {
    this.bytes[this.used++] = byte
  }

  /** Lays a text, given in parts, down behind the others. */
  keep(parts: readonly string[]): StoredText {
    const start = this.used
    for (const part of parts) this.write(part)
    return this.#stored(start)
  }

  /** The same for a text that lies elsewhere already, with so many bytes before and after it. */
  keepCopy(text: StoredText, before: number, after: number): StoredText {
    text.copyTo(this.bytes, this.used, before, after)
    const start = this.used + before
    this.used = start + text.length
    const stored = this.#stored(start)
    this.used += after
    return stored
  }

  forget(length: number): void {
    this.#live -= length
    this.#onForget?.(this)
  }

  /** Makes room for other texts; nobody may hold on to one that lay here. */
  clear(): void {
    this.used = 0
    this.#laid = 0
  }

  /** What was written from a place on, as a text that is kept. */
  #stored(start: number): StoredText {
    const length = this.used - start
    this.#laid += length
    this.#live += length
    return new StoredText(this, start, this.used)
  }
}

/** A text that lies in a page; a string only when somebody asks. */
export class StoredText {
  readonly #page: Page
  readonly #start: number
  readonly #end: number

  constructor(page: Page, start: number, end: number) {
    this.#page = page
    this.#start = start
    this.#end = end
  }

  get text(): string {
    return this.part(0, this.length)
  }

  /** What lies between two places of it, in bytes. */
  part(from: number, to: number): string {
    return this.#page.bytes.toString('utf8', this.#start + from, this.#start + to)
  }

  /** Copies its bytes, and so many beside it, to a place of a buffer that has room for them. */
  copyTo(bytes: Buffer, at: number, before = 0, after = 0): void {
    this.#page.bytes.copy(bytes, at, this.#start - before, this.#end + after)
  }

  /** What it lies in. */
  get page(): Page {
    return this.#page
  }

  /** In bytes. */
  get length(): number {
    return this.#end - this.#start
  }

  liesAt(page: Page, start: number): boolean {
    return this.#page === page && this.#start === start
  }

  /** The table it was a row of has no more need of it. */
  forget(): void {
    this.#page.forget(this.length)
  }
}

const FIRST_BYTES = 4 * 1024
const MOST_BYTES = 256 * 1024
/** Shorter texts are taken to need as much as they can, three bytes a character; longer ones are measured. */
const SHORT = 4096

/** Gives out the page that is being filled; each is twice as long as the one before, up to a limit. */
export class Pages {
  readonly #onLoss: (page: Page) => void
  #page = new Page(Buffer.alloc(0))

  /** `onLoss` is told of a full page each time less of it is needed. */
  constructor(onLoss: (page: Page) => void) {
    this.#onLoss = onLoss
  }

  /** A page with room for these texts and so many bytes more. */
  roomFor(texts: readonly string[], more = 0): Page {
    let length = more
    for (const text of texts) length += text.length > SHORT ? Buffer.byteLength(text) : 3 * text.length
    return this.roomForBytes(length)
  }

  roomForBytes(length: number): Page {
    const full = this.#page
    if (full.used + length <= full.bytes.length) return full
    this.#page = this.newPage(length, Math.min(MOST_BYTES, Math.max(FIRST_BYTES, 2 * full.bytes.length)))
    this.#onLoss(full)
    return this.#page
  }

  keep(parts: readonly string[]): StoredText {
    return this.roomFor(parts).keep(parts)
  }

  protected newPage(least: number, usual: number): Page {
    const bytes = Buffer.allocUnsafeSlow(Math.max(least, usual))
    return new Page(bytes, 0, (page) => page !== this.#page && this.#onLoss(page))
  }
}

/** Pages for texts that are all forgotten before long: what they lay in is used again. */
export class RecycledPages extends Pages {
  readonly #spare: Page[]

  constructor() {
    const spare: Page[] = []
    super((page) => page.isEmpty && page.bytes.length === MOST_BYTES && spare.push(page))
    this.#spare = spare
  }

  protected override newPage(least: number, usual: number): Page {
    const spare = least <= MOST_BYTES ? this.#spare.pop() : undefined
    if (!spare) return super.newPage(least, usual)
    spare.clear()
    return spare
  }
}
