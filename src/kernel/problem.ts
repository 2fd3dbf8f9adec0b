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
  | 'unavailable'
  | 'insufficient_storage'

export interface ProblemExtras {
  /** Fields next to `detail`. */
  readonly also?: Readonly<Record<string, unknown>>
  /** The whole body, for responses without `detail`. */
  readonly bare?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** An error that the caller caused and may see; `detail` is that of the body. Any other thrown error is a bug in Petri. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly kind: ProblemKind
  readonly detail: unknown
  readonly extras: ProblemExtras

  constructor(kind: ProblemKind, detail: unknown, extras: ProblemExtras = {}) {
    super(typeof detail === 'string' ? detail : JSON.stringify(detail))
    this.kind = kind
    this.detail = detail
    this.extras = extras
  }
}
