/** What went wrong, in the domain's words. HTTP statuses are chosen in `http/problems.ts`. */
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
  /** Fields sent beside `detail`. */
  readonly also?: Readonly<Record<string, unknown>>
  /** The whole body, where the service sends no `detail` at all. */
  readonly bare?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** An error the caller caused and may see; `detail` is what the body says. Anything else that is thrown is a bug in Petri. */
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
