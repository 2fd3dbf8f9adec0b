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
  const rest = pieces[Symbol.iterator]()
  const slices = new Slices()
  let text = ''
  for (let piece = rest.next(); !piece.done; piece = rest.next()) {
    text += piece.value
    if (text.length > MAX_WHOLE_LENGTH) return new CustomResponse<Value>(200, toStream(text, rest))
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

/** Makes the next chunk when the client has taken the one before, and stops when the client has gone. */
function toStream(beginning: string, pieces: Iterator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const slices = new Slices()
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(beginning)),
    async pull(controller) {
      let chunk = ''
      let next = pieces.next()
      for (; !next.done && chunk.length < CHUNK_LENGTH; next = pieces.next()) {
        chunk += next.value
        if (slices.isOver) await slices.next()
      }
      if (!next.done) chunk += next.value
      if (chunk !== '') controller.enqueue(encoder.encode(chunk))
      if (next.done) controller.close()
    },
    cancel: () => void pieces.return?.(),
  })
}
