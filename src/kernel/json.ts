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

/** The value at a path of keys; undefined if there is none. */
export const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined), value)
