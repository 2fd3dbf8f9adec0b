import { type Finished, tooLarge } from './problems.ts'
import { type RequestOf, targetOf } from './request-of.ts'

/** A request made in this process. `peer` is the address it is to have come from. */
export const fromFetch = (request: Request, peer: string | undefined): RequestOf => ({
  ...targetOf(request.url),
  method: request.method,
  headers: Object.fromEntries(request.headers),
  header: (name) => request.headers.get(name) ?? undefined,
  peer,
  line: {},
  body: (most) => readBody(request.body, most),
})

export const toResponse = ({ status, body, headers }: Finished): Response =>
  new Response(body as string | Uint8Array<ArrayBuffer> | ReadableStream | null, { status, headers })

async function readBody(
  body: ReadableStream<Uint8Array> | null,
  most: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = body?.getReader()
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    length += read.value.byteLength
    if (length > most) {
      // The rest is not waited for.
      reader?.cancel().catch(() => undefined)
      throw tooLarge(most)
    }
    chunks.push(read.value)
  }
  return Buffer.concat(chunks)
}
