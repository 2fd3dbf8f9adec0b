import { html, raw } from 'hono/html'
import { JsonText } from '../kernel/json.ts'
import { Slices } from '../kernel/slices.ts'
import { CustomResponse } from './operation.ts'

/** The minimum length of a chunk, in characters. */
const CHUNK_LENGTH = 64 * 1024
/** Longer JSON is streamed. */
const MAX_WHOLE_LENGTH = 1024 * 1024

/** A JSON list of items that are already serialised. */
export const jsonList = <Item>(items: Iterable<string>): ReturnType<typeof jsonOf<Item[]>> =>
  jsonOf<Item[]>(listOf(items, (text) => text))

/** JSON from pieces of its text. It is serialised in slices, and never held in memory as a whole if it is long. */
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

/** The pieces of a JSON list. Items without text are left out. */
export function* listOf<Item>(items: Iterable<Item>, writeItem: (item: Item) => string): Generator<string> {
  let before = '['
  for (const item of items) {
    const text = writeItem(item)
    yield text && before + text
    if (text) before = ','
  }
  yield before === '[' ? '[]' : ']'
}

/** Produces the next chunk when the client has read the previous one, and stops when the client disconnects. */
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

/** HTML of Hono's `html`, which escapes inserted values. */
export type Html = ReturnType<typeof html>

const style = raw(`
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  body { max-width: 32rem; margin: 2rem auto; padding: 0 1rem }
  label, ul { display: block; margin: .75rem 0; padding: 0 }
  li { list-style: none; margin: .5rem 0 }
  input, select, button { font: inherit; padding: .4rem .6rem; box-sizing: border-box }
  input, select { width: 100% }
  input[type=checkbox] { width: auto }
  form { margin: 1rem 0 }
  [role=alert] { border-left: .25rem solid #c0392b; padding-left: .75rem }
`)

/**
 * A page without external resources and referrer. Only `embedders` may show it in a frame. `head` may load scripts of
 * Petri; without it there are none.
 */
export const page = (
  title: string,
  body: Html,
  embedders: readonly string[] = [],
  head?: Html,
): CustomResponse<never> =>
  new CustomResponse<never>(
    200,
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
${head ?? ''}</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.toString(),
    'text/html; charset=utf-8',
    {
      'content-security-policy': `default-src 'none';${head ? " script-src 'self';" : ''} style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors ${embedders.join(' ') || "'none'"}`,
      ...(embedders.length === 0 && { 'x-frame-options': 'DENY' }),
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  )
