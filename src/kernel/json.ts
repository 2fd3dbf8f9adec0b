import { createHash } from 'node:crypto'

/**
 * JSON already written: answer, stored value and journal line are the same string, but for parts that many share.
 * `Value` is what it would parse to.
 */
export class JsonText<Value = unknown> {
  declare readonly parsesTo: Value
  /** As it is kept: a shared part is only referred to. */
  readonly kept: string
  /** Somebody keeps it: others need not make copies. */
  lasts = false
  readonly #expand: ((kept: string) => string) | undefined
  #text: string | undefined

  constructor(kept: string, expand?: (kept: string) => string) {
    this.kept = kept
    this.#expand = expand
  }

  get text(): string {
    this.#text ??= this.#expand?.(this.kept) ?? this.kept
    return this.#text
  }
}

/** An object that is part of many rows: its JSON, and what it is called in theirs. */
export interface SharedJson {
  readonly id: string
  readonly text: string
}

/** How every reference begins; cannot occur inside a string, where quotes are escaped. */
export const REFERENCE = '{"$shared":"'

/** Told of each shared part of the row that is being written; absent while none is. */
const writing: { keep?: ((part: SharedJson) => void) | undefined } = {}

/** Marks an object, never altered, as part of many rows: it is kept once for all of them. */
export function shareJson<Value extends object>(value: Value): Value {
  const text = JSON.stringify(value)
  const id = createHash('sha256').update(text).digest('base64url').slice(0, 16)
  const [part, reference] = [{ id, text }, { $shared: id }]
  const toJSON = () => {
    if (!writing.keep) return value
    writing.keep(part)
    return reference
  }
  return Object.defineProperty(value, 'toJSON', { value: toJSON })
}

/** Writes a row's JSON; of a part that is shared only a reference, and `keep` is told of it. */
export function writeRow(row: object, keep: (part: SharedJson) => void): string {
  writing.keep = keep
  try {
    return JSON.stringify(row)
  } finally {
    writing.keep = undefined
  }
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

function holdsText(value: unknown): value is Record<string, unknown> {
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
