import { createHash, timingSafeEqual } from 'node:crypto'
import type { AnyOperation } from '../contract/operation.ts'
import { Problem } from '../kernel/problem.ts'
import type { World } from '../world/world.ts'

export type ReadHeader = (name: string) => string | undefined

export interface Credentials {
  /** The world an API key opens. Throws when there is none. */
  worldOf(header: ReadHeader): World
  /** Lets pass who may make and drop worlds. `peer` is the caller's address; undefined when the call came by no socket. */
  controller(header: ReadHeader, peer: string | undefined): void
}

export interface Keys {
  /** Header names that may carry the API key, in lower case. */
  readonly headers: readonly string[]
  readonly controlToken: string | undefined
  worldByKey(key: string): World | undefined
}

export function createCredentials({ headers, controlToken, worldByKey }: Keys): Credentials {
  const keyOf = (header: ReadHeader) => {
    for (const name of headers) {
      const key = header(name)
      if (key) return key
    }
    return bearer(header)
  }
  return {
    worldOf(header) {
      const key = keyOf(header)
      if (!key) throw new Problem('unauthorized', 'Missing api key')
      // Looked up by hash, as any Map does: how long it takes says nothing about how much of the key was right.
      const world = worldByKey(key)
      if (!world) throw new Problem('unauthorized', 'invalid token')
      return world
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
): World | undefined {
  if (operation.access === 'open') return undefined
  if (operation.access !== 'control') return credentials.worldOf(header)
  credentials.controller(header, peer)
  return undefined
}
