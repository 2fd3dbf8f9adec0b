import { MINUTE_MS } from '../../kernel/instant.ts'
import type { World } from '../../world/world.ts'
import type { Kind } from './kinds.ts'

/** How long a booking key is valid. */
const VALID_MS = 30 * MINUTE_MS

/** The content of a booking key, which is not stored. Instants in milliseconds since 1970. */
export interface BookingKey {
  readonly kind: Kind['name']
  readonly slot: string
  readonly expiresAt: number
}

/** Creates the booking keys of one availability request; each request gets new keys. */
export function keyMaker(world: World, kind: Kind) {
  const call = world.next('availability').toString(36)
  const expiresAt = world.clock.now() + VALID_MS
  const end = `|${expiresAt.toString(36)}|${call}`
  return {
    expiresAt,
    make(slot: string): string {
      const content = `${kind.name}|${slot}${end}`
      return Buffer.from(`${content}|${seal(world, content)}`).toString('base64url')
    },
  }
}

/** Decodes a key. `malformed`: not a key; `forged`: not created by this world. */
export function readKey(world: World, text: string): BookingKey | 'malformed' | 'forged' {
  const decoded = Buffer.from(text, 'base64url').toString()
  const match = /^((home|psc)\|([^|]+)\|([0-9a-z]+)\|[0-9a-z]+)\|([0-9a-f]{16})$/.exec(decoded)
  if (!match) return 'malformed'
  const [, content = '', kind = '', slot = '', expires = '', given] = match
  if (given !== seal(world, content)) return 'forged'
  return { kind: kind as Kind['name'], slot, expiresAt: Number.parseInt(expires, 36) }
}

/** A check value that binds a key to its world and seed. */
const seal = ({ random, identity }: World, content: string): string =>
  random.uuid(`booking-key/${identity.teamId}/${content}`).replaceAll('-', '').slice(0, 16)
