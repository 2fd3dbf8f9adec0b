import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { AnyOperation } from '../api/operation.ts'
import { Problem } from '../kernel/problem.ts'
import { type AppContext, type Middleware, nodeOf, type SentBody } from './context.ts'
import { tooLarge } from './problems.ts'

const inflate = promisify(gunzip)

/** The default maximum size of a body, in bytes. */
const USUAL_MAX = 2 * 1024 * 1024

/** Reads the body, up to the operation's maximum size. */
export const readBody =
  (operation: AnyOperation): Middleware =>
  async (c, next) => {
    c.set('sent', await read(operation, c))
    return next()
  }

async function read(operation: AnyOperation, c: AppContext): Promise<SentBody> {
  const { readBody: readChunks, takesForm, maxBodyBytes: max = USUAL_MAX } = operation
  const world = c.get('world')
  const isGzip = operation.takesGzip && /^gzip$/i.test(c.req.header('content-encoding') ?? '')
  if (isGzip) return { text: new TextDecoder().decode(await readGzip(c, max)) }
  if (readChunks && world) return { text: '', read: { value: await readChunks(chunksOf(c, max), world) } }
  if (!takesForm) return { text: await readText(c, max) }
  const form = await readForm(await readBytes(c, max), c.req.header('content-type'))
  return { text: formAsText(form), form }
}

/** The fields of a form as JSON, with the name and size of each file. */
const formAsText = (form: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(form, (_, value: unknown) =>
    value instanceof File ? { file: value.name, type: value.type, bytes: value.size } : value,
  )

async function readText(c: AppContext, max: number): Promise<string> {
  if (hasKnownLength(c, max)) return finished(c.req.text())
  return new TextDecoder().decode(await readStream(c, max))
}

async function readBytes(c: AppContext, max: number): Promise<Uint8Array<ArrayBuffer>> {
  if (hasKnownLength(c, max)) return new Uint8Array(await finished(c.req.arrayBuffer()))
  return readStream(c, max)
}

/** Whether a body can be read at once: Node enforces `content-length`, and another middleware may have read the body. */
function hasKnownLength(c: AppContext, max: number): boolean {
  const length = c.req.header('content-length')
  if (Number(length ?? 0) > max) throw tooLarge(max)
  return (nodeOf(c).incoming !== undefined && length !== undefined) || c.req.raw.bodyUsed
}

/** Reads a body of unknown length. */
async function readStream(c: AppContext, max: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  for await (const chunk of chunksOf(c, max)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** A compressed body, inflated up to `max` bytes. */
async function readGzip(c: AppContext, max: number): Promise<Uint8Array> {
  const compressed = await readBytes(c, max)
  try {
    return await inflate(compressed, { maxOutputLength: max })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(max)
    throw new Problem('bad_request', 'The body is not valid gzip.')
  }
}

/** The chunks of a body; stops once there are more than `max` bytes. */
async function* chunksOf(c: AppContext, max: number): AsyncGenerator<Uint8Array> {
  if (Number(c.req.header('content-length') ?? 0) > max) throw tooLarge(max)
  if (c.req.raw.bodyUsed) return yield new Uint8Array(await finished(c.req.arrayBuffer()))
  let length = 0
  const reader = c.req.raw.body?.getReader()
  while (reader) {
    const { done, value } = await finished(reader.read())
    if (done) return
    length += value.byteLength
    if (length > max) {
      // Only for bodies from a network: cancelling the body of a `FormData` causes an unhandled rejection in Node 24.
      if (nodeOf(c).incoming) reader.cancel().catch(() => undefined)
      throw tooLarge(max)
    }
    yield value
  }
}

/** A body that ends too early was aborted by the client. */
const finished = <Part>(reading: Promise<Part>): Promise<Part> =>
  reading.catch(() => {
    throw new Problem('bad_request', 'The body ended too early.')
  })

/** The maximum number of fields and files in a form; a common limit of servers. */
const MAX_PARTS = 1000

const BOUNDARY = /boundary=(?:"([^"]+)"|([^\s;"]+))/i

/** The fields of a form: text or `File`; a list for a repeated field. A body that is not a form has no fields. */
async function readForm(body: Uint8Array<ArrayBuffer>, contentType = ''): Promise<Record<string, unknown>> {
  if (!/^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(contentType)) return {}
  if (/^multipart/i.test(contentType) && !BOUNDARY.test(contentType))
    throw new Problem('bad_request', 'Missing boundary in multipart.')
  assertFewParts(body, contentType)
  let form: FormData
  try {
    form = await new Response(body, { headers: { 'content-type': contentType } }).formData()
  } catch {
    return {}
  }
  const values = new Map<string, unknown[]>()
  for (const [name, value] of form) {
    const known = values.get(name)
    if (known) known.push(value)
    else values.set(name, [value])
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]))
}

/** Counts the parts before parsing, because many small parts take far longer than their size suggests. */
function assertFewParts(body: Uint8Array<ArrayBuffer>, contentType: string): void {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const [, quoted, bare] = BOUNDARY.exec(contentType) ?? []
  const separator = /^multipart/i.test(contentType) ? `--${quoted ?? bare ?? ''}` : '&'
  let parts = 0
  for (let at = bytes.indexOf(separator); at !== -1; at = bytes.indexOf(separator, at + separator.length)) {
    if (++parts > MAX_PARTS + 1)
      throw new Problem('bad_request', `Too many fields. Maximum number of fields is ${MAX_PARTS}.`)
  }
}
