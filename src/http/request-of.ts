import type { Context } from 'hono'
import type { RequestHeaders } from '../world/requests.ts'
import type { ReadHeader } from './credentials.ts'
import type { Line } from './faults.ts'

/** What Node's server adds to a request; absent when it came by no socket. */
export interface NodeBindings {
  readonly incoming?: {
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
