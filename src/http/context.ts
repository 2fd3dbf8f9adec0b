import type { IncomingMessage, ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context, MiddlewareHandler } from 'hono'
import type { Manager } from '../api/credentials.ts'
import type { AnyOperation } from '../api/operation.ts'
import type { Reply } from '../api/reply.ts'
import type { RequestContext } from '../scheduler/context.ts'
import { hexOf } from '../world/requests.ts'
import type { World } from '../world/world.ts'

/** Passed by `@hono/node-server` with a request; both are undefined for a request made in this process. */
export interface NodeBindings {
  readonly incoming?: IncomingMessage
  readonly outgoing?: ServerResponse
}

/** A body before validation. */
export interface SentBody {
  /** As received; of a form, its fields as JSON. */
  readonly text: string
  /** The fields of a form, for operations that take one. */
  readonly form?: Readonly<Record<string, unknown>>
  /** What an operation that reads its body itself made of it. */
  readonly read?: { readonly value: unknown }
}

/** What the middlewares find out about a request. */
export interface Env {
  Bindings: NodeBindings
  Variables: {
    /** Counts the requests of this process, from 1. */
    ordinal: number
    /** A read by Petri's own page: not recorded, not counted, without faults and unknown fields. */
    isAside: boolean
    /** Undefined for a path that no operation has. */
    operation: AnyOperation | undefined
    /** Undefined for operations that belong to no world. */
    world: World | undefined
    manager: Manager | undefined
    /** Set for an operation that takes a body. */
    sent: SentBody
    faultId: string
    /** The events it causes. */
    caused: RequestContext
    /** What the response was made of. Middlewares read this, because reading `c.res.headers` made a GET 50 % slower. */
    reply: Reply
  }
}

export type Middleware = MiddlewareHandler<Env>
export type AppContext = Context<Env>

/** Whether an operation is part of the mirrored service, not of the control API. */
export const isMirrored = (operation: AnyOperation): boolean => !operation.route.includes(' /_petri/')

export const nodeOf = (c: AppContext): NodeBindings => c.env ?? {}

/** The address a request came from; undefined when it was made in this process. */
export function peerOf(c: AppContext): string | undefined {
  const { incoming } = nodeOf(c)
  return incoming && (incoming.socket.remoteAddress ?? 'unknown')
}

/** The path and query as they were sent, without the prefix under which the app is mounted in another. */
export function targetOf(c: AppContext): string {
  const { url, path } = c.req
  const target = url.slice(url.indexOf('/', url.indexOf('//') + 2)).replace(/#.*/, '')
  const operation = c.get('operation')
  const prefixLength = operation ? path.split('/').length - operation.route.split('/').length : 0
  if (prefixLength <= 0) return target
  const segments = target.split('/').slice(prefixLength + 1)
  return `/${segments.join('/')}`
}

/** The query string, without the question mark and the fragment. */
export function queryStringOf({ req: { url } }: AppContext): string {
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1).replace(/#.*/, '')
}

/** Makes the response of a reply. The headers are a plain record, which the adapter writes without creating a `Headers` object. */
export function respond(c: AppContext, reply: Reply): Response {
  c.set('reply', reply)
  const { status, body, contentType = 'application/json', headers: own, isSent } = reply
  if (isSent) return RESPONSE_ALREADY_SENT
  const id = hexOf(c.get('ordinal'))
  const headers: Record<string, string> = {
    'x-request-id': `req_${id}`,
    traceresponse: `00-${id}${id}-${id}-00`,
  }
  if (body !== null) headers['content-type'] = contentType
  for (const name in own) headers[name] = own[name] as string
  if (c.req.method !== 'HEAD') return new Response(body as ReadableStream | null, { status, headers })
  if (body instanceof ReadableStream) body.cancel().catch(() => undefined)
  else if (body !== null) headers['content-length'] = String(Buffer.byteLength(body))
  return new Response(null, { status, headers })
}

/** Replaces the response, none of whose headers is kept. */
export function replaceResponse(c: AppContext, reply: Reply): void {
  c.res = undefined
  c.res = respond(c, reply)
}
