/** JSON already written: answer, stored value and journal line are the same string. `Value` is what it would parse to. */
export class JsonText<Value = unknown> {
  declare readonly parsesTo: Value
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Writes JSON; values of an object's own keys, one level deep, may already be written. */
export function writeJson(value: unknown): string {
  if (value instanceof JsonText) return value.text
  if (!holdsText(value)) return JSON.stringify(value)
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${writeField(field)}`).join(',')}}`
}

export const holdsText = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).some((field) => field instanceof JsonText || isTextList(field))

const isTextList = (value: unknown): value is JsonText[] =>
  Array.isArray(value) && value[0] instanceof JsonText

function writeField(field: unknown): string {
  if (isTextList(field)) return `[${field.map(({ text }) => text).join(',')}]`
  return field instanceof JsonText ? field.text : JSON.stringify(field)
}
