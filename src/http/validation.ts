import * as z from 'zod'
import {
  missing,
  notList,
  notObject,
  tooGreat,
  tooLongList,
  tooLongText,
  tooShortList,
  tooShortText,
  tooSmall,
  type ValidationIssue,
  wrongChoice,
} from '../api/issue.ts'
import { exceededLimit, inputLimits } from '../api/limits.ts'
import { bare, memberOf } from '../api/schema.ts'
import { byName } from '../kernel/fields.ts'
import { type JsonObject, valueAt } from '../kernel/json.ts'
import { append } from '../kernel/list.ts'
import { didYouMean } from '../kernel/nearest.ts'
import { Problem } from '../kernel/problem.ts'

/** The part of a request that a value is from; the first element of every `loc`. */
export type Part = 'path' | 'query' | 'header' | 'body'

export interface Entry {
  readonly type: string
  readonly loc: readonly PropertyKey[]
  readonly msg: string
  readonly input: unknown
  readonly ctx?: unknown
}

/** Collects the validation errors of all parts of a request in one response, within `inputLimits`. */
export class Validation {
  readonly #entries: Entry[] = []

  read<Schema extends z.ZodType>(part: Part, schema: Schema, input: unknown): z.output<Schema> | undefined {
    return this.isWithinLimits(part, input) ? this.parse(part, schema, input) : undefined
  }

  isWithinLimits(part: Part, input: unknown): boolean {
    const exceeded = exceededLimit(input)
    if (exceeded) {
      const { path, issue } = exceeded
      this.add({ ...issue, loc: [part, ...path], input: valueAt(input, path) })
    }
    return exceeded === undefined
  }

  /** The output of the schema for an input within the limits. */
  parse<Schema extends z.ZodType>(part: Part, schema: Schema, input: unknown): z.output<Schema> | undefined {
    const result = schema.safeParse(input)
    if (result.success) return result.data
    for (const issue of result.error.issues) {
      if (this.#entries.length >= inputLimits.problems) break
      if (issue.code === 'unrecognized_keys') append(this.#entries, toExtras(part, schema, input, issue))
      else this.#entries.push(toEntry(part, schema, input, issue))
    }
    return undefined
  }

  add(entry: Entry): void {
    this.#entries.push(entry)
  }

  get hasErrors(): boolean {
    return this.#entries.length > 0
  }

  throwIfAny(reword: (entry: Entry) => Entry = (entry) => entry): void {
    if (this.#entries.length > 0) throw new Problem('invalid', withinEcho(this.#entries.map(reword)))
  }
}

/** Shortens the inputs in a 422 to a total length: texts are truncated, other values become null. */
function withinEcho(entries: readonly Entry[]): Entry[] {
  let left: number = inputLimits.echo
  return entries.map((entry) => {
    const length = sizeOf(entry.input, left)
    if (length <= left) {
      left -= length
      return entry
    }
    const { input } = entry
    const beginning = typeof input === 'string' ? input.slice(0, Math.min(left, ECHOED_BEGINNING)) : null
    left -= beginning?.length ?? 0
    return { ...entry, input: beginning }
  })
}

/** The length of a truncated text, in characters. */
const ECHOED_BEGINNING = 200

/** The approximate length of a value as JSON; stops counting beyond `most`. */
function sizeOf(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 8
  let size = 2
  // Naming all keys of a long list takes far longer than its items.
  for (const [key, item] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    size += String(key).length + 4 + sizeOf(item, most - size)
    if (size > most) break
  }
  return size
}

function toEntry(part: Part, schema: z.ZodType, whole: unknown, issue: z.core.$ZodIssue): Entry {
  const { type, msg, ctx, detail, input: shown } = toIssue(issue, schema, whole)
  if (detail !== undefined) throw new Problem('invalid', detail)
  const received = type === 'missing' ? around(part, whole, issue.path) : valueAt(whole, issue.path)
  const input = shown ?? received
  return { type, loc: [part, ...issue.path], msg, input: input ?? null, ctx }
}

/**
 * The parent of a missing field; null for parameters, which are validated one by one. Source:
 * docs/contract/errors.md#errors.
 */
const around = (part: Part, whole: unknown, path: readonly PropertyKey[]): unknown =>
  part === 'body' ? valueAt(whole, path.slice(0, -1)) : null

/** An entry for each unknown field, with the nearest known one. */
function toExtras(
  part: Part,
  schema: z.ZodType,
  whole: unknown,
  { keys, path }: z.core.$ZodIssueUnrecognizedKeys,
): Entry[] {
  const at = schemaAt(schema, path)
  const known = at instanceof z.ZodObject ? Object.keys(at.shape) : []
  return keys.slice(0, inputLimits.problems).map((key) => ({
    type: 'extra_forbidden',
    loc: [part, ...path, key],
    msg: `Extra inputs are not permitted.${didYouMean(key, known)}`,
    input: valueAt(whole, [...path, key]),
  }))
}

function toIssue(issue: z.core.$ZodIssue, schema: z.ZodType, whole: unknown): ValidationIssue {
  const input = valueAt(whole, issue.path)
  if (input === undefined && issue.path.length > 0 && issue.code !== 'custom') return missing
  switch (issue.code) {
    case 'custom':
      return issue.params
        ? (issue.params as ValidationIssue & JsonObject)
        : { type: 'value_error', msg: issue.message }
    case 'invalid_type':
      return wrongType(issue.expected, issue.path.length === 0, nameAt(schema, issue.path))
    case 'invalid_value':
      return wrongChoice(issue.values)
    case 'too_small':
      return (lowerLimits[issue.origin] ?? tooSmall)(Number(issue.minimum), lengthOf(input))
    case 'too_big':
      return (upperLimits[issue.origin] ?? tooGreat)(Number(issue.maximum), lengthOf(input))
    case 'invalid_format':
      return pattern(issue.format === 'regex' ? (issue.pattern ?? '') : issue.format)
    default:
      return { type: 'value_error', msg: `Value error, ${issue.message}`, ctx: { error: {} } }
  }
}

type LimitIssue = (limit: number, actual: number) => ValidationIssue
/** By the type of the value; the others are numbers. */
const lowerLimits = byName<LimitIssue>({ string: tooShortText, array: tooShortList })
const upperLimits = byName<LimitIssue>({ string: tooLongText, array: tooLongList })

const lengthOf = (input: unknown): number => (Array.isArray(input) ? input.length : 0)

/** The issues of types that the service names otherwise than zod. */
const renamedTypes = byName<ValidationIssue>({
  array: notList,
  record: { type: 'dict_type', msg: 'Input should be a valid dictionary' },
  boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
  number: { type: 'float_type', msg: 'Input should be a valid number' },
})

function wrongType(expected: string, whole: boolean, model: string | undefined): ValidationIssue {
  if (expected !== 'object')
    return renamedTypes[expected] ?? { type: `${expected}_type`, msg: `Input should be a valid ${expected}` }
  if (whole || !model) return notObject
  return {
    type: 'model_type',
    msg: `Input should be a valid dictionary or instance of ${model}`,
    ctx: { class_name: model },
  }
}

function pattern(source: string): ValidationIssue {
  const bare = source.replace(/^\/(.*)\/[a-z]*$/, '$1')
  return {
    type: 'string_pattern_mismatch',
    msg: `String should match pattern '${bare}'`,
    ctx: { pattern: bare },
  }
}

/** The name of the schema at a path, as in error messages of the service. */
function nameAt(schema: z.ZodType, path: readonly PropertyKey[]): string | undefined {
  const at = schemaAt(schema, path)
  return at instanceof z.ZodType ? at.meta()?.id : undefined
}

const schemaAt = (schema: z.ZodType, path: readonly PropertyKey[]): unknown =>
  bare(path.reduce<unknown>((at, key) => memberOf(at, String(key)), schema))
