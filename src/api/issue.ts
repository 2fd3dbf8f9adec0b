import { boundedMessage } from '../kernel/bounded-message.ts'
import type { JsonObject } from '../kernel/json.ts'
import { Problem, type ProblemExtras } from '../kernel/problem.ts'
import { plural } from '../kernel/readable.ts'

/** A validation error in the words of the service; the caller adds `loc` and `input`. */
export interface ValidationIssue {
  readonly type: string
  readonly msg: string
  readonly ctx?: JsonObject | undefined
  /** Shown instead of the received value. */
  readonly input?: unknown
  /** Sent alone as `detail` by some routes of the service. */
  readonly detail?: string
}

export const missing: ValidationIssue = { type: 'missing', msg: 'Field required' }

export const notText: ValidationIssue = { type: 'string_type', msg: 'Input should be a valid string' }

/** For a text with half of a surrogate pair. */
export const notUnicode: ValidationIssue = {
  type: 'string_unicode',
  msg: 'Input should be a valid string, unable to parse raw data as a unicode string',
}

export const notDate: ValidationIssue = { type: 'date_type', msg: 'Input should be a valid date' }

export const notList: ValidationIssue = { type: 'list_type', msg: 'Input should be a valid list' }

export const notObject: ValidationIssue = {
  type: 'model_attributes_type',
  msg: 'Input should be a valid dictionary or object to extract fields from',
}

export const tooShortText = (least: number): ValidationIssue => ({
  type: 'string_too_short',
  msg: `String should have at least ${plural(least, 'character')}`,
  ctx: { min_length: least },
})

export const tooLongText = (most: number): ValidationIssue => ({
  type: 'string_too_long',
  msg: `String should have at most ${plural(most, 'character')}`,
  ctx: { max_length: most },
})

export const tooShortList = (least: number, actual: number): ValidationIssue => ({
  type: 'too_short',
  msg: `List should have at least ${plural(least, 'item')} after validation, not ${actual}`,
  ctx: { field_type: 'List', min_length: least, actual_length: actual },
})

/** `actual` is undefined where nobody counted on. */
export const tooLongList = (
  most: number,
  actual: number | undefined,
  kind: 'List' | 'Dictionary' = 'List',
): ValidationIssue => ({
  type: 'too_long',
  msg: `${kind} should have at most ${plural(most, 'item')} after validation, not ${actual ?? 'more'}`,
  ctx: { field_type: kind, max_length: most, actual_length: actual ?? null },
})

export const tooSmall = (ge: number): ValidationIssue => ({
  type: 'greater_than_equal',
  msg: `Input should be greater than or equal to ${ge}`,
  ctx: { ge },
})

export const tooGreat = (le: number): ValidationIssue => ({
  type: 'less_than_equal',
  msg: `Input should be less than or equal to ${le}`,
  ctx: { le },
})

/** An error of the service's own validators, whose context is an empty error. */
export const valueError = (text: string): ValidationIssue => ({
  type: 'value_error',
  msg: `Value error, ${boundedMessage(text)}`,
  ctx: { error: {} },
})

/** The refusal of one value of a request; `loc` leads to it from the part of the request. */
export const invalidValue = (
  { type, msg, ctx }: ValidationIssue,
  loc: readonly (string | number)[],
  input: unknown,
  extras?: ProblemExtras,
): Problem => new Problem('invalid', [{ type, loc, msg, input, ctx }], extras)

export const futureBirth = valueError('dob cannot be in the future')

/** An error whose context repeats the end of its message. */
export const withError = (type: string, before: string, error: string): ValidationIssue => ({
  type,
  msg: `${before}, ${error}`,
  ctx: { error },
})

/** An error for a value outside a closed list: `Input should be 'a', 'b' or 'c'`. */
export function wrongChoice(values: readonly unknown[]): ValidationIssue {
  const quoted = values.map((value) => `'${value}'`)
  const expected =
    quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
  return { type: 'enum', msg: `Input should be ${expected}`, ctx: { expected } }
}

export const isValidationIssue = (value: unknown): value is ValidationIssue =>
  typeof value === 'object' && value !== null && 'msg' in value && 'type' in value
