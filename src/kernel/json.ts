/** JSON already written: answer, stored value and journal line are the same string. `Value` is what it would parse to. */
export class JsonText<Value = unknown> {
  declare readonly parsesTo: Value
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const shared = new WeakMap<object, string>()

/** An object that is part of many rows and never altered: its JSON is written once for all of them. */
export function shareJson<Value extends object>(value: Value): Value {
  shared.set(value, JSON.stringify(value))
  return value
}

/** Writes a row's JSON; a shared part comes last, as it was written before. */
export function writeRow(row: object): string {
  for (const key in row) {
    const part = (row as Record<string, unknown>)[key]
    const text = typeof part === 'object' && part !== null ? shared.get(part) : undefined
    if (text !== undefined) {
      return `${JSON.stringify({ ...row, [key]: undefined }).slice(0, -1)},${JSON.stringify(key)}:${text}}`
    }
  }
  return JSON.stringify(row)
}

/** Writes JSON; values of an object's own keys, one level deep, may already be written. */
export function writeJson(value: unknown): string {
  if (value instanceof JsonText) return value.text
  if (!holdsText(value)) return JSON.stringify(value)
  let [text, before] = ['', '{']
  for (const key of Object.keys(value)) {
    const field = value[key]
    if (field === undefined) continue
    text += `${before}${JSON.stringify(key)}:${writeField(field)}`
    before = ','
  }
  return `${text}}`
}

export function holdsText(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  for (const key in value) {
    const field = (value as Record<string, unknown>)[key]
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
