/** The maximum nesting of lists and objects; deeper input would overflow the stack of recursive code. */
export const MAX_NESTING = 400

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * The offset at which a text exceeds the depth; undefined if it does not. Brackets in JSON strings do not count,
 * unless `quotes` is false.
 */
export function maxDepthExceededAt(text: string, max = MAX_NESTING, quotes = true): number | undefined {
  if (text.length <= max) return undefined
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (quotes && code === QUOTE) at = endOfString(text, at)
    else if ((code === OPEN_LIST || code === OPEN_OBJECT) && ++depth > max) return at
    else if ((code === CLOSE_LIST || code === CLOSE_OBJECT) && depth > 0) depth--
  }
  return undefined
}

/** The offset of the closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}
