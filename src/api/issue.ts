import { boundedMessage } from '../kernel/bounded-message.ts'
import type { JsonObject } from '../kernel/json.ts'

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

/** An error of the service's own validators, whose context is an empty error. */
export const valueError = (text: string): ValidationIssue => ({
  type: 'value_error',
  msg: `Value error, ${boundedMessage(text)}`,
  ctx: { error: {} },
})

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
