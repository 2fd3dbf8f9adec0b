import type { World } from '../world/world.ts'
import type { AnyOperation } from './operation.ts'

/** A call and how it was answered, for the log. Secrets are still in it. */
export interface AnsweredCall {
  /** Undefined for a path that no operation has. */
  readonly operation: AnyOperation | undefined
  /** Undefined where no key opened one. */
  readonly world: World | undefined
  readonly method: string
  /** The path with its query. */
  readonly url: string
  readonly bodyText: string
  readonly status: number
  /** Wall clock, in milliseconds since 1970, and the milliseconds it took. */
  readonly startedAt: number
  readonly durationMs: number
}
