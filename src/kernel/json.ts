/** An object of JSON whose fields are not known. */
export type JsonObject = Readonly<Record<string, unknown>>

/** A value that is never modified in place. */
export type DeepReadonly<Value> = Value extends File
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value

/** Serialised JSON: the same string is the stored row, the response and the body of an event. `Value` is its parsed type. */
export class JsonText<Value = unknown> {
  declare readonly parsesTo: Value
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Serialises a value, whose own properties may already be serialised, one level deep. */
export function writeJson(value: unknown): string {
  if (value instanceof JsonText) return value.text
  if (!holdsText(value)) return JSON.stringify(value)
  let text = ''
  let before = '{'
  for (const key of Object.keys(value)) {
    const field = value[key]
    if (field === undefined) continue
    text += `${before}${JSON.stringify(key)}:${writeField(field)}`
    before = ','
  }
  return `${text}}`
}

function holdsText(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false
  for (const key in value) {
    const field = value[key]
    if (typeof field === 'object' && (field instanceof JsonText || isTextList(field))) return true
  }
  return false
}

const isTextList = (value: unknown): value is JsonText[] =>
  Array.isArray(value) && value[0] instanceof JsonText

function writeField(field: unknown): string {
  if (isTextList(field)) return `[${field.map(({ text }) => text).join(',')}]`
  return field instanceof JsonText ? field.text : JSON.stringify(field)
}

/** Parses JSON; undefined for other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a value is an object, but not a list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value, if it is an object; otherwise one without fields. */
export const objectIn = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** The value, if it is a list; otherwise an empty one. */
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A text itself, and any other value as JSON. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The value at a path of keys; undefined if there is none. */
export const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined), value)

/** A value of JSON with each of its texts changed; the names of fields stay. */
export function mapTexts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, mapTexts(field, change)]))
}

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
