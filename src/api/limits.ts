import { byName } from '../kernel/fields.ts'
import { type JsonObject, MAX_NESTING } from '../kernel/json.ts'
import type { JsonLimits } from '../kernel/json-scanner.ts'
import { notUnicode, tooLongList, tooLongText, type ValidationIssue } from './issue.ts'

/**
 * The maximum size of input without a limit in the contract: characters of a text, items of a list, fields of an
 * object. Larger input is rejected before it is processed. `docs/security.md` shows this table.
 */
export const inputLimits = {
  text: 10_000,
  list: 1_000,
  fields: 1_000,
  /** Values in JSON that is parsed at once. */
  values: 200_000,
  /** Fields with longer texts, by name. */
  textOf: byName({ source: 128 * 1024, scenario: 256 * 1024, pdf: 3 * 1024 * 1024 }),
  /** Fields with other limits of their lists, by name. */
  listOf: byName({
    samples: 20_000,
    data: 200_000,
    lead1: 50_000,
    session_start_offset_millisecond: 50_000,
    connections: 5_000,
    user_ids: 5_000,
    icd_codes: 100,
    codes: 100,
    cpt_codes: 100,
  }),
  /** The maximum number of problems reported for a request. */
  problems: 100,
  /** Characters of the input that a 422 repeats, in all its problems together. */
  echo: 64 * 1024,
} as const

/** Limits of a JSON body, or of a part of it that is parsed at once. They are checked before it is parsed. */
export const jsonLimits: JsonLimits = {
  depth: MAX_NESTING,
  fields: inputLimits.fields,
  values: inputLimits.values,
}

/** Limits of the webhooks of a world. `docs/security.md` shows them. */
export const webhookLimits = {
  endpoints: 200,
  /** Messages that wait for an attempt. */
  waiting: 20_000,
  /** The size of the events with such messages, from which no message waits for a further attempt. */
  bytes: 64 * 1024 * 1024,
  /** How many endpoints that gave up an event are announced to the others. */
  announced: 5,
} as const

/** Limits for parsing one PDF; a file that exceeds one is not parsed. */
export const pdfLimits = {
  /** Wall-clock milliseconds; a report takes some hundred. */
  readMs: 20_000,
  /** The maximum size of decompressed and decoded data, in bytes, in addition to twice the file. */
  arrayBytes: 64 * 1024 * 1024,
  heapMiB: 256,
} as const

export interface ExceededLimit {
  readonly path: readonly (string | number)[]
  readonly issue: ValidationIssue
}

/** The first value in an input that exceeds a limit, or a text in it that cannot be written as UTF-8. */
export function exceededLimit(input: unknown): ExceededLimit | undefined {
  return exceededAt(input, '')
}

function exceededAt(value: unknown, name: string): ExceededLimit | undefined {
  if (typeof value === 'string') {
    const most = inputLimits.textOf[name] ?? inputLimits.text
    if (value.length > most) return { path: [], issue: tooLongText(most) }
    return value.isWellFormed() ? undefined : { path: [], issue: notUnicode }
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    const most = inputLimits.listOf[name] ?? inputLimits.list
    if (value.length > most) return { path: [], issue: tooLongList(most, value.length) }
    for (let at = 0; at < value.length; at++) {
      const exceeded = exceededAt(value[at], name)
      if (exceeded) return { ...exceeded, path: [at, ...exceeded.path] }
    }
    return undefined
  }
  const names = Object.keys(value)
  if (names.length > inputLimits.fields)
    return { path: [], issue: tooLongList(inputLimits.fields, names.length, 'Dictionary') }
  for (const key of names) {
    if (!key.isWellFormed()) return { path: [key], issue: notUnicode }
    const exceeded = exceededAt((value as JsonObject)[key], key)
    if (exceeded) return { ...exceeded, path: [key, ...exceeded.path] }
  }
  return undefined
}
