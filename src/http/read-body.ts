import { Problem } from '../kernel/problem.ts'

/** The whole of a body whose length nobody told; gives up as soon as it is too long. */
export async function readBody(
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

const MEGABYTE = 1024 * 1024

export const tooLarge = (most: number) =>
  new Problem('too_large', `The body is larger than ${most / MEGABYTE} MiB.`)
