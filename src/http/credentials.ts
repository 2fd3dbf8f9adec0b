import { createHash, timingSafeEqual } from 'node:crypto'
import { linkError, linkTokenHeaders, linkTokenParameters, teamOfLinkToken } from '../contract/link-token.ts'
import type { AnyOperation } from '../contract/operation.ts'
import { Problem } from '../kernel/problem.ts'
import type { World } from '../world/world.ts'

export type ReadHeader = (name: string) => string | undefined
type ReadQuery = (name: string) => string | undefined

export interface Credentials {
  /** The world an API key opens. Throws when there is none. */
  worldOf(header: ReadHeader): World
  /** The world an API key opens, if any. */
  findWorld(header: ReadHeader): World | undefined
  /** The world a link token belongs to; without one, that of the API key. Throws when there is none. */
  worldOfLink(header: ReadHeader, query: ReadQuery): World
  /** Lets pass who may make and drop worlds. `peer` is the caller's address; undefined when the call came by no socket. */
  controller(header: ReadHeader, peer: string | undefined): void
}

export interface Keys {
  /** Header names that may carry the API key, in lower case. */
  readonly headers: readonly string[]
  readonly controlToken: string | undefined
  readonly worlds: {
    byKey(key: string): World | undefined
    byTeam(teamId: string): World | undefined
  }
}

export function createCredentials({ headers, controlToken, worlds }: Keys): Credentials {
  const keyOf = (header: ReadHeader) => {
    for (const name of headers) {
      const key = header(name)
      if (key) return key
    }
    return bearer(header)
  }
  const worldOf = (header: ReadHeader) => {
    const key = keyOf(header)
    if (!key) throw new Problem('unauthorized', 'Missing api key')
    // Looked up by hash, as any Map does: how long it takes says nothing about how much of the key was right.
    const world = worlds.byKey(key)
    if (!world) throw new Problem('unauthorized', 'invalid token')
    return world
  }
  return {
    worldOf,
    findWorld: (header) => worlds.byKey(keyOf(header) ?? ''),
    worldOfLink(header, query) {
      const token = firstOf(linkTokenHeaders, header) ?? firstOf(linkTokenParameters, query)
      if (token) {
        const world = worlds.byTeam(teamOfLinkToken(token) ?? '')
        if (!world)
          throw new Problem('unauthorized', linkError('INVALID_REQUEST', 'The link token is invalid.'))
        return world
      }
      if (keyOf(header)) return worldOf(header)
      throw new Problem('bad_request', linkError('MISSING_LINK_TOKEN', 'A link token is required.'))
    },
    controller(header, peer) {
      if (controlToken !== undefined) {
        if (isSame(bearer(header) ?? '', controlToken)) return
        throw new Problem('unauthorized', 'This call takes the control token as bearer.')
      }
      if (peer === undefined || isLoopback(peer)) return
      throw new Problem('forbidden', 'Without PETRI_CONTROL_TOKEN only this machine may make or drop worlds.')
    },
  }
}

const firstOf = (names: readonly string[], read: (name: string) => string | undefined) =>
  names.map(read).find(Boolean)

const bearer = (header: ReadHeader) => /^Bearer\s+(\S+)$/i.exec(header('authorization') ?? '')?.[1]

/** Compares digests, which are of one length, in a time that does not depend on where they differ. */
const isSame = (given: string, wanted: string) => timingSafeEqual(digest(given), digest(wanted))

const digest = (text: string) => createHash('sha256').update(text).digest()

const isLoopback = (address: string) => /^(::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/i.test(address)

/** Whose credentials an operation asks for decides which world, if any, it runs in. */
export function worldFor(
  operation: AnyOperation,
  credentials: Credentials,
  header: ReadHeader,
  peer: string | undefined,
  query: ReadQuery,
): World | undefined {
  if (operation.access === 'open') return undefined
  if (operation.access === 'link_token') return credentials.worldOfLink(header, query)
  if (operation.access !== 'control') return credentials.worldOf(header)
  credentials.controller(header, peer)
  return undefined
}
