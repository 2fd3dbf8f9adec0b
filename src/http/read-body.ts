import { isUtf8 } from 'node:buffer'
import { pipeline, Readable } from 'node:stream'
import { TextDecoder } from 'node:util'
import { createGunzip } from 'node:zlib'
import type { BusboyConstructor, BusboyInstance } from '@fastify/busboy'
import { inputLimits } from '../api/limits.ts'
import { type AnyOperation, isMirrored } from '../api/operation.ts'
import { wallClock } from '../kernel/clock.ts'
import type { JsonObject } from '../kernel/json.ts'
import { JsonStreamError } from '../kernel/json-stream.ts'
import { startTimer } from '../kernel/pause.ts'
import { badRequest, Problem } from '../kernel/problem.ts'
import { NOT_IN_TIME } from '../kernel/server-timeouts.ts'
import { Slices } from '../kernel/slices.ts'
import { MAX_BODY } from '../world/requests.ts'
import type { World } from '../world/world.ts'
import { type AppContext, nodeOf, type SentBody, type Step } from './context.ts'
import { exceededJson, invalidJsonIssue, tooLarge } from './problems.ts'

/** The default maximum size of a body, in bytes. */
const USUAL_MAX = 2 * 1024 * 1024

/** Reads the body, up to the operation's maximum size. */
export const readBody =
  (operation: AnyOperation): Step =>
  async (c, next) => {
    c.set('sent', await read(operation, c))
    return next()
  }

async function read(operation: AnyOperation, c: AppContext): Promise<SentBody> {
  const { readBody: reads, takesForm, takesGzip, maxBodyBytes: max = USUAL_MAX } = operation
  if (takesForm) {
    const form = await readForm(c, max)
    return { text: formAsText(form), form }
  }
  const isGzip = takesGzip && /^gzip$/i.test(c.req.header('content-encoding') ?? '')
  const chunks = isGzip ? inflated(chunksOf(c, max), max) : chunksOf(c, max)
  if (reads) return readInParts(operation, c, utf8(chunks))
  const isWhole = !isGzip && hasKnownLength(c, max)
  const bytes = isWhole ? new Uint8Array(await bodyWait()(c.req.arrayBuffer())) : await joined(chunks)
  if (!isUtf8(bytes)) {
    c.set('sent', { text: textOf(bytes) })
    throw unreadable()
  }
  return { text: textOf(bytes) }
}

/** As the service words it. Source: docs/contract/errors.md#errors. */
const unreadable = () => badRequest('There was an error parsing the body')

/** Passes the chunks of a text on, as long as they are UTF-8. */
async function* utf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of chunks) {
    decodeWith(decoder, chunk)
    yield chunk
  }
  decodeWith(decoder)
}

function decodeWith(decoder: TextDecoder, chunk?: Uint8Array): void {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined })
  } catch {
    throw unreadable()
  }
}

/** Has an operation read its body while it arrives. The journal gets the beginning. */
async function readInParts(
  operation: AnyOperation,
  c: AppContext,
  chunks: AsyncIterable<Uint8Array>,
): Promise<SentBody> {
  const copy: Uint8Array[] = []
  const copied = isMirrored(operation) ? withCopy(chunks, copy) : chunks
  try {
    const value = await operation.readBody?.(copied, c.get('world') as World)
    return { text: textOf(Buffer.concat(copy)), read: { value } }
  } catch (error) {
    c.set('sent', { text: textOf(Buffer.concat(copy)) })
    if (!(error instanceof JsonStreamError)) throw error
    const { at, exceeded } = error
    throw exceeded ? exceededJson(exceeded, at) : new Problem('invalid', [invalidJsonIssue(at)])
  }
}

/** Copies as much of a body as the journal records. */
async function* withCopy(chunks: AsyncIterable<Uint8Array>, copy: Uint8Array[]): AsyncGenerator<Uint8Array> {
  let left = MAX_BODY
  for await (const chunk of chunks) {
    if (left > 0) copy.push(chunk.slice(0, left))
    left -= chunk.length
    yield chunk
  }
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** The fields of a form as JSON, with the name and size of each file. */
const formAsText = (form: JsonObject): string =>
  JSON.stringify(form, (_, value: unknown) =>
    value instanceof File ? { file: value.name, type: value.type, bytes: value.size } : value,
  )

/** Whether a body can be read at once: Node enforces `content-length`, and another middleware may have read the body. */
function hasKnownLength(c: AppContext, max: number): boolean {
  const length = c.req.header('content-length')
  if (Number(length ?? 0) > max) throw tooLarge(max)
  return (nodeOf(c).incoming !== undefined && length !== undefined) || c.req.raw.bodyUsed
}

async function joined(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}

/** The bytes that are decompressed at a time. */
const INFLATED_CHUNK = 64 * 1024

/** A compressed body, decompressed while it is read, up to `max` bytes. */
async function* inflated(chunks: AsyncIterable<Uint8Array>, max: number): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: INFLATED_CHUNK })
  // The errors of both streams are thrown by the loop.
  pipeline(Readable.from(chunks), gunzip, () => undefined)
  let length = 0
  try {
    for await (const chunk of gunzip) {
      length += (chunk as Buffer).byteLength
      if (length > max) throw tooLarge(max)
      yield chunk as Buffer
    }
  } catch (error) {
    throw error instanceof Problem ? error : badRequest('The body is not valid gzip.')
  }
}

/** The chunks of a body; stops once there are more than `max` bytes. */
async function* chunksOf(c: AppContext, max: number): AsyncGenerator<Uint8Array> {
  if (Number(c.req.header('content-length') ?? 0) > max) throw tooLarge(max)
  const wait = bodyWait()
  if (c.req.raw.bodyUsed) return yield new Uint8Array(await wait(c.req.arrayBuffer()))
  const reader = c.req.raw.body?.getReader()
  let length = 0
  let isDone = false
  try {
    while (reader) {
      const { done, value } = await wait(reader.read())
      isDone = done
      if (done) return
      length += value.byteLength
      if (length > max) throw tooLarge(max)
      yield value
    }
  } finally {
    // Only for bodies from a network: cancelling the body of a `FormData` causes an unhandled rejection in Node 24.
    if (reader && !isDone && nodeOf(c).incoming) await discard(reader, max - length, wait)
  }
}

/** Reads the rest of a body, because a client that is still sending does not see the response. Stops after `max` bytes. */
async function discard(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  max: number,
  wait: BodyWait,
): Promise<void> {
  for (let length = 0; length <= max; ) {
    const rest = await wait(reader.read()).catch(() => undefined)
    if (!rest || rest.done) return
    length += rest.value.byteLength
  }
  reader.cancel().catch(() => undefined)
}

type BodyWait = <Part>(reading: Promise<Part>) => Promise<Part>

/** How long the parts of a body may keep Petri waiting in all, in milliseconds. */
const MAX_WAIT_MS = 60_000

/** Waits for the parts of a body. Only the client's time is limited: what Petri does between them, as on an import, may take longer. */
function bodyWait(): BodyWait {
  let left = MAX_WAIT_MS
  return async (reading) => {
    const startedAt = wallClock()
    let stopTimer: (() => void) | undefined
    const tooLate = new Promise<never>((_, reject) => {
      stopTimer = startTimer(left, () => reject(new Problem('timed_out', NOT_IN_TIME)))
    })
    try {
      return await Promise.race([reading, tooLate])
    } catch (error) {
      // A body that ends too early was aborted by the client.
      throw error instanceof Problem ? error : badRequest('The body ended too early.')
    } finally {
      stopTimer?.()
      left -= wallClock() - startedAt
    }
  }
}

/** The maximum number of fields and files in a form; a common limit of servers. */
const MAX_PARTS = 1000
/** The maximum size of a field that is not a file, in bytes, and of a form without files. */
const MAX_FIELD = 4 * inputLimits.text
const MAX_FORM = 128 * 1024
/** The maximum size of the headers of a part, in bytes. */
const MAX_HEADERS = 8 * 1024

/** The bytes of a form that are parsed at a time. */
const PIECE_BYTES = 64 * 1024

/** The fields of a form: text or `File`; a list for a repeated field. A body of another type has no fields. */
async function readForm(c: AppContext, max: number): Promise<JsonObject> {
  const contentType = c.req.header('content-type') ?? ''
  const isMultipart = /^multipart\/form-data\b/i.test(contentType)
  const chunks = chunksOf(c, isMultipart ? max : Math.min(max, MAX_FORM))
  if (!isMultipart && !/^application\/x-www-form-urlencoded\b/i.test(contentType)) {
    await joined(chunks)
    return {}
  }
  // Few programs send forms.
  const { Busboy } = (await import('@fastify/busboy')).default
  // Made once the body is being read, because the rest of a refused one is read, too.
  let form: FormParser | undefined
  const slices = new Slices()
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      form ??= new FormParser(Busboy, contentType)
      await form.write(chunk.subarray(at, at + PIECE_BYTES))
      if (slices.isOver) await slices.next()
    }
  return (form ?? new FormParser(Busboy, contentType)).end()
}

/** Takes a form piece by piece. */
class FormParser {
  readonly #parser: BusboyInstance
  readonly #fields = new Map<string, unknown[]>()
  /** Whether the body was a form; pending until it has ended. */
  readonly #isForm: Promise<boolean>
  #hasEnded = false
  #refusal: Problem | undefined

  constructor(Busboy: BusboyConstructor, contentType: string) {
    this.#parser = newParser(Busboy, contentType)
    this.#isForm = new Promise((resolve) => {
      const end = (isForm: boolean) => {
        this.#hasEnded = true
        resolve(isForm)
      }
      this.#parser.on('finish', () => end(true)).on('error', () => end(false))
    })
    const tooMany = () => {
      this.#refusal ??= badRequest(`Too many fields. Maximum number of fields is ${MAX_PARTS}.`)
    }
    this.#parser.on('partsLimit', tooMany).on('fieldsLimit', tooMany)
    this.#parser.on('field', (name, value, _, isTruncated) => {
      if (isTruncated)
        this.#refusal ??= new Problem('too_large', `A field of the form is larger than ${MAX_FIELD} bytes.`)
      this.#add(name, value)
    })
    this.#parser.on('file', (name, stream, filename, _, type) => {
      const parts: Blob[] = []
      stream.on('data', (part: Buffer<ArrayBuffer>) => parts.push(new Blob([part])))
      stream.on('end', () => this.#add(name, new File(parts, unescapeName(filename), { type })))
      // The form itself has the same error.
      stream.on('error', () => undefined)
    })
  }

  async write(piece: Uint8Array): Promise<void> {
    if (this.#refusal) throw this.#refusal
    if (this.#hasEnded) return
    await Promise.race([this.#isForm, new Promise((resolve) => this.#parser.write(piece, resolve))])
  }

  async end(): Promise<JsonObject> {
    this.#parser.end()
    const isForm = await this.#isForm
    if (this.#refusal) throw this.#refusal
    if (!isForm) throw unreadable()
    return Object.fromEntries([...this.#fields].map(([name, all]) => [name, all.length === 1 ? all[0] : all]))
  }

  #add(name: string | undefined, value: unknown): void {
    if (name === undefined) return
    const key = unescapeName(name)
    const known = this.#fields.get(key)
    if (known) known.push(value)
    else this.#fields.set(key, [value])
  }
}

/** Browsers escape line breaks and quotation marks in the names of a form. */
const unescapeName = (name: string): string => name.replace(/%(?:0A|0D|22)/gi, decodeURIComponent)

function newParser(Busboy: BusboyConstructor, contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { parts: MAX_PARTS, fields: MAX_PARTS, fieldSize: MAX_FIELD, headerSize: MAX_HEADERS },
      isPartAFile: (_name, _type, filename) => filename !== undefined,
      preservePath: true,
    })
  } catch {
    throw badRequest('Missing boundary in multipart.')
  }
}
