import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from 'hono'
import type { Manager } from '../api/credentials.ts'
import type { AnyOperation } from '../api/operation.ts'
import type { Reply } from '../api/reply.ts'
import type { JsonObject } from '../kernel/json.ts'
import { isOwnCall } from '../kernel/own-calls.ts'
import type { RequestContext } from '../scheduler/context.ts'
import type { World } from '../world/world.ts'

/** Passed by the server with a request; all are undefined for a request made in this process. */
export interface NodeBindings {
  readonly incoming?: IncomingMessage
  readonly outgoing?: ServerResponse
  /** Whether the request came through a server of the live hosts, which has checked its host. */
  readonly isHostChecked?: boolean
}

/** A body before validation. */
export interface SentBody {
  /** As received; for a form, its fields as JSON. */
  readonly text: string
  /** The fields of a form, for operations that take a form. */
  readonly form?: JsonObject
  /** The result of an operation's own `readBody`. */
  readonly read?: { readonly value: unknown }
}

/** Context variables, which the middlewares set. */
export interface Env {
  Bindings: NodeBindings
  Variables: {
    /** The number of the request in this process, from 1. */
    ordinal: number
    /** When it arrived, by the wall clock, in milliseconds since 1970. */
    startedAt: number
    /** Whether it is a read by Petri's own page, which is not recorded or counted, and gets no faults or unknown fields. */
    isAside: boolean
    /** Undefined for an unknown path. */
    operation: AnyOperation | undefined
    /** Undefined for operations without a world. */
    world: World | undefined
    manager: Manager | undefined
    /** See `RequestContext`. */
    isForAllWorlds: boolean
    /** The user to whose data the caller is limited. */
    userId: string | undefined
    /** Set for operations with a body. */
    sent: SentBody
    faultId: string
    /** The events that the request causes. */
    caused: RequestContext
  }
}

export type AppContext = Context<Env>

/**
 * A step of a request, like a middleware of Hono. It returns a reply, or what the next steps return. A reply becomes a
 * `Response` after the last step, because reading the headers of a `Response` made a GET 50 % slower.
 */
export type Step = (c: AppContext, next: () => Replying) => Replying
export type Replying = Reply | Promise<Reply>

/** Whether an operation only reads; while nothing can be stored, only these are served. */
export const isRead = (operation: AnyOperation): boolean =>
  operation.onlyReads === true || operation.route.startsWith('GET ')

export const nodeOf = (c: AppContext): NodeBindings => c.env ?? {}

/** Reads headers of a request for the guards against foreign hosts: without the host if the server has checked it. */
export function headersToGuard(c: AppContext): (name: string) => string | undefined {
  const { isHostChecked } = nodeOf(c)
  return (name) => (name === 'host' && isHostChecked ? undefined : c.req.header(name))
}

/** The address a request came from; undefined for a request made in this process by the user who runs Petri. */
export function peerOf(c: AppContext): string | undefined {
  if (isOwnCall((name) => c.req.header(name))) return 'a user of Petri'
  const { incoming } = nodeOf(c)
  return incoming && (incoming.socket.remoteAddress ?? 'unknown')
}

/** The path and query as received, without the prefix under which the app is mounted. */
export function targetOf(c: AppContext): string {
  const { url, path } = c.req
  const target = url.slice(url.indexOf('/', url.indexOf('//') + 2)).replace(/#.*/, '')
  const operation = c.get('operation')
  const prefixLength = operation ? path.split('/').length - operation.route.split('/').length : 0
  if (prefixLength <= 0) return target
  const segments = target.split('/').slice(prefixLength + 1)
  return `/${segments.join('/')}`
}

/** The query string, without question mark and fragment. */
export function queryStringOf({ req: { url } }: AppContext): string {
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1).replace(/#.*/, '')
}
