import type { AnyOperation } from '../api/operation.ts'
import { Problem } from '../kernel/problem.ts'
import { tooLarge } from './problems.ts'
import { readForm } from './read-form.ts'
import { queryStringOf, type RoutedRequest } from './request.ts'
import { formAsText } from './request-journal.ts'

/** The parts of a request before validation. */
export interface RawInput {
  readonly params: Readonly<Record<string, string>>
  /** Without the question mark. */
  readonly queryString: string
  readonly header: (name: string) => string | undefined
  /** The body as text; empty when there is none. */
  readonly bodyText: string
  /** The fields of a form, for operations that take one. */
  readonly form: Readonly<Record<string, unknown>> | undefined
  /** What an operation that reads its body itself made of it. */
  readonly read?: { readonly value: unknown }
}

/** The longest body an operation takes unless it says otherwise, in bytes. */
const USUAL_MAX = 2 * 1024 * 1024

/** Reads the parts of a request: the body only for operations that take one, up to their limit. */
export async function readRawInput(operation: AnyOperation, request: RoutedRequest): Promise<RawInput> {
  const { params, header } = request
  const queryString = queryStringOf(request)
  if (!operation.body) return { params, header, queryString, bodyText: '', form: undefined }
  const max = operation.maxBodyBytes ?? USUAL_MAX
  if (operation.readBody && request.world) {
    const value = await operation.readBody(chunksOf(request, max), request.world)
    return { params, header, queryString, bodyText: '', form: undefined, read: { value } }
  }
  if (!operation.takesForm) {
    request.bodyText = await readText(request, max)
    return { params, header, queryString, bodyText: request.bodyText, form: undefined }
  }
  const form = await readForm(await readBytes(request, max), header('content-type'))
  request.bodyText = formAsText(form)
  return { params, header, queryString, bodyText: '', form }
}

async function readText(request: RoutedRequest, max: number): Promise<string> {
  if (hasKnownLength(request, max)) return finished(request.c.req.text())
  return new TextDecoder().decode(await readStream(request, max))
}

async function readBytes(request: RoutedRequest, max: number): Promise<Uint8Array<ArrayBuffer>> {
  if (hasKnownLength(request, max)) return new Uint8Array(await finished(request.c.req.arrayBuffer()))
  return readStream(request, max)
}

/** Whether a body can be read at once: Node enforces `content-length`, or a middleware has read it before. */
function hasKnownLength({ c, node, header }: RoutedRequest, max: number): boolean {
  const length = header('content-length')
  if (Number(length ?? 0) > max) throw tooLarge(max)
  return (node.incoming !== undefined && length !== undefined) || c.req.raw.bodyUsed
}

/** Reads a body of unknown length. */
async function readStream(request: RoutedRequest, max: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  for await (const chunk of chunksOf(request, max)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** A body as it arrives; ends as soon as it is longer than `max` bytes. */
async function* chunksOf(request: RoutedRequest, max: number): AsyncGenerator<Uint8Array> {
  const { c, header } = request
  if (Number(header('content-length') ?? 0) > max) throw tooLarge(max)
  if (c.req.raw.bodyUsed) return yield new Uint8Array(await finished(c.req.arrayBuffer()))
  let length = 0
  const reader = c.req.raw.body?.getReader()
  while (reader) {
    const { done, value } = await finished(reader.read())
    if (done) return
    length += value.byteLength
    if (length > max) {
      // Only one that comes over a network: Node 24 has an unhandled rejection where the body of a `FormData` is cancelled.
      if (request.node.incoming) reader.cancel().catch(() => undefined)
      throw tooLarge(max)
    }
    yield value
  }
}

/** A body that ends too early was cut off by the client. */
const finished = <Part>(reading: Promise<Part>): Promise<Part> =>
  reading.catch(() => {
    throw new Problem('bad_request', 'The body ended too early.')
  })
