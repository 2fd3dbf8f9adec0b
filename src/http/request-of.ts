import type { Context } from 'hono'
import type { RequestHeaders } from '../world/requests.ts'
import type { ReadHeader } from './credentials.ts'
import type { Line } from './faults.ts'

/** What Node's server adds to a request; absent when it came by no socket. */
export interface NodeBindings {
  readonly incoming?: {
    readonly url?: string
    readonly headers: Readonly<Record<string, string | string[] | undefined>>
    readonly socket?: Line['socket'] & { readonly remoteAddress?: string }
  }
  readonly outgoing?: Line['outgoing']
}

export type RequestOf = Context<{ Bindings: NodeBindings }>

export function headerReader(c: RequestOf): ReadHeader {
  const incoming = c.env?.incoming
  return incoming
    ? (name) => incoming.headers[name] as string | undefined
    : (name) => c.req.raw.headers.get(name) ?? undefined
}

export const headersOf = (c: RequestOf): RequestHeaders =>
  c.env?.incoming?.headers ?? Object.fromEntries(c.req.raw.headers)

/** The path with its query. The string Node made of it, where it is that: one cut out of the whole URL would hold on to all of it. */
export function targetOf(c: RequestOf): string {
  const { url } = c.req
  const target = c.env?.incoming?.url
  if (target?.startsWith('/') && url.endsWith(target)) return target
  return url.slice(url.indexOf('/', url.indexOf('//') + 2))
}
