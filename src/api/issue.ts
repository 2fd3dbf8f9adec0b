/** One failing field as the service words it; `loc` and `input` are added where the field is known. */
export interface ValidationIssue {
  readonly type: string
  readonly msg: string
  readonly ctx?: Readonly<Record<string, unknown>>
  /** Sent alone as `detail`, as some routes of the service do. */
  readonly detail?: string
}

export const missing: ValidationIssue = { type: 'missing', msg: 'Field required' }

/** What a validator of the service's own says: no context but an empty error. */
export const valueError = (text: string): ValidationIssue => ({
  type: 'value_error',
  msg: `Value error, ${text}`,
  ctx: { error: {} },
})

/** An issue whose context repeats the end of its message. */
export const withError = (type: string, before: string, error: string): ValidationIssue => ({
  type,
  msg: `${before}, ${error}`,
  ctx: { error },
})

/** Not among the values of a closed list: `Input should be 'a', 'b' or 'c'`. */
export function wrongChoice(values: readonly unknown[]): ValidationIssue {
  const quoted = values.map((value) => `'${value}'`)
  const expected =
    quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
  return { type: 'enum', msg: `Input should be ${expected}`, ctx: { expected } }
}

export const isValidationIssue = (value: unknown): value is ValidationIssue =>
  typeof value === 'object' && value !== null && 'msg' in value && 'type' in value
