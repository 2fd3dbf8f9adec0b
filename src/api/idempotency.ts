import { createHash } from 'node:crypto'
import { conflict } from '../kernel/problem.ts'
import type { World } from '../world/world.ts'
import { feature } from './features.ts'

/** The fingerprint of a request body. */
export const fingerprint = (text: string): string => createHash('sha256').update(text).digest('hex')

/** What an earlier call with the same idempotency key left; undefined without one. Throws if its body was another one. */
export function leftBefore<Left extends { readonly request: string }>(
  world: World,
  known: Left | undefined,
  request: string,
): Left | undefined {
  if (!known || known.request === request || feature(world, 'idempotency_mismatch') === 'replay') return known
  throw conflict('This idempotency key was already used with a different request body.')
}
