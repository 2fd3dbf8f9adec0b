import { JsonText } from '../kernel/json.ts'
import { Slices } from '../kernel/slices.ts'
import { CustomResponse } from './operation.ts'

/** Characters handed on at once. */
const CHUNK_LENGTH = 64 * 1024
/** A list up to this length is answered whole; a longer one is sent while it is made. */
const MAX_WHOLE_LENGTH = 1024 * 1024

/** A JSON list of items that are JSON already. However long it is, it is never in memory as a whole, nor made in one go. */
export async function jsonList<Item>(
  items: Iterable<string>,
): Promise<JsonText<Item[]> | CustomResponse<Item[]>> {
  const chunks = inChunks(items)
  const slices = new Slices()
  let text = ''
  for (let chunk = chunks.next(); !chunk.done; chunk = chunks.next()) {
    text += chunk.value
    if (text.length > MAX_WHOLE_LENGTH) return new CustomResponse<Item[]>(200, toStream(text, chunks))
    if (slices.isOver) await slices.next()
  }
  return new JsonText<Item[]>(text)
}

function* inChunks(items: Iterable<string>): Generator<string> {
  let chunk = '['
  let separator = ''
  for (const item of items) {
    chunk += separator + item
    separator = ','
    if (chunk.length < CHUNK_LENGTH) continue
    yield chunk
    chunk = ''
  }
  yield `${chunk}]`
}

/** Makes the next chunk when the client has taken the one before, and stops when the client has gone. */
function toStream(beginning: string, chunks: Generator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const slices = new Slices()
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(beginning)),
    async pull(controller) {
      if (slices.isOver) await slices.next()
      const { done, value } = chunks.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: () => void chunks.return(undefined),
  })
}
