import { JsonText } from '../kernel/json.ts'
import { Slices } from '../kernel/slices.ts'
import { CustomResponse } from './operation.ts'

/** Characters handed on at once. */
const CHUNK_LENGTH = 64 * 1024
/** JSON up to this length is answered whole; longer JSON is sent while it is made. */
const MAX_WHOLE_LENGTH = 1024 * 1024

/** A JSON list of items that are JSON already. */
export const jsonList = <Item>(items: Iterable<string>): ReturnType<typeof jsonOf<Item[]>> =>
  jsonOf<Item[]>(listOf(items))

/** JSON made of pieces of its text. However long it is, it is never in memory as a whole, nor made in one go. */
export async function jsonOf<Value>(
  pieces: Iterable<string>,
): Promise<JsonText<Value> | CustomResponse<Value>> {
  const chunks = inChunks(pieces)
  const slices = new Slices()
  let text = ''
  for (let chunk = chunks.next(); !chunk.done; chunk = chunks.next()) {
    text += chunk.value
    if (text.length > MAX_WHOLE_LENGTH) return new CustomResponse<Value>(200, toStream(text, chunks))
    if (slices.isOver) await slices.next()
  }
  return new JsonText<Value>(text)
}

function* listOf(items: Iterable<string>): Generator<string> {
  let before = '['
  for (const item of items) {
    yield before + item
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

function* inChunks(pieces: Iterable<string>): Generator<string> {
  let chunk = ''
  for (const piece of pieces) {
    chunk += piece
    if (chunk.length < CHUNK_LENGTH) continue
    yield chunk
    chunk = ''
  }
  yield chunk
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
