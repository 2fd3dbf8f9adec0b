import { boundedMessage } from './bounded-message.ts'
import { asText, type JsonObject } from './json.ts'

/** The kind of an error, in domain words. `http/problems.ts` maps it to an HTTP status. */
export type ProblemKind =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'wrong_method'
  | 'timed_out'
  | 'conflict'
  | 'too_large'
  | 'invalid'
  | 'too_many'
  | 'server_error'
  | 'unavailable'
  | 'insufficient_storage'

export interface ProblemExtras {
  /** Fields next to `detail`. */
  readonly also?: JsonObject
  /** The whole body, for responses without `detail`. */
  readonly bare?: JsonObject
  readonly headers?: Readonly<Record<string, string>>
  /** Whether `detail` shows inputs as they were read, not as they were sent. */
  readonly showsRead?: boolean
}

/** An error that the caller caused and may see; `detail` is that of the body. Any other thrown error is a bug in Petri. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly kind: ProblemKind
  readonly detail: unknown
  readonly extras: ProblemExtras

  constructor(kind: ProblemKind, detail: unknown, extras: ProblemExtras = {}) {
    const bounded = typeof detail === 'string' ? boundedMessage(detail) : detail
    super(asText(bounded))
    this.kind = kind
    this.detail = bounded
    this.extras = extras
  }
}

export const badRequest = (detail: unknown, extras?: ProblemExtras): Problem =>
  new Problem('bad_request', detail, extras)

export const conflict = (detail: unknown, extras?: ProblemExtras): Problem =>
  new Problem('conflict', detail, extras)

export const notFound = (detail: unknown, extras?: ProblemExtras): Problem =>
  new Problem('not_found', detail, extras)

/** The value, or the error that it is not there. */
export function orNotFound<Value>(value: Value | undefined, detail: unknown): Value {
  if (value === undefined) throw notFound(detail)
  return value
}

/** The plain failure of the live service. Only thrown under a feature whose value is `live`. Source: docs/contract/simulation.md#as-observed, docs/contract/placing.md#orders-for-a-patient. */
export const liveFailure = (): Problem => new Problem('server_error', 'Internal Server Error')
