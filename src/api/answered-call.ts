import type { World } from '../world/world.ts'
import type { AnyOperation } from './operation.ts'

/** A call and its response, for the log. Secrets are not redacted yet. */
export interface AnsweredCall {
  /** Undefined for an unknown path. */
  readonly operation: AnyOperation | undefined
  /** Its number, from which its id follows. */
  readonly ordinal: number
  /** Undefined without a valid key. */
  readonly world: World | undefined
  readonly method: string
  /** The path with its query. */
  readonly url: string
  /** The beginning of the body. */
  readonly bodyText: string
  readonly status: number
  /** Empty for a response that is not text. */
  readonly responseText: string
  /** The routes nearest to an unknown path. */
  readonly nearest: readonly string[]
  /** Wall clock, in milliseconds since 1970, and the duration in milliseconds. */
  readonly startedAt: number
  readonly durationMs: number
}
