import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Reply } from '../api/reply.ts'
import { version } from '../api/version.ts'
import { hexOf } from '../world/requests.ts'
import { isCompressed } from './compression.ts'
import type { AppContext } from './context.ts'

/**
 * Creates the response of a reply. The headers are a plain record, which the adapter writes without creating a
 * `Headers` object.
 */
export function respond(c: AppContext, reply: Reply): Response {
  c.set('reply', reply)
  const { status, body, contentType = 'application/json', headers: own, isSent } = reply
  if (isSent) return RESPONSE_ALREADY_SENT
  const id = hexOf(c.get('ordinal'))
  const headers: Record<string, string> = {
    'x-petri': version.petri,
    'x-request-id': `req_${id}`,
    traceresponse: `00-${id}${id}-${id}-00`,
    vary: isCompressed(c, reply) ? 'Accept-Encoding,Origin' : 'Origin',
  }
  if (body !== null) headers['content-type'] = contentType
  for (const name in own) headers[name] = own[name] as string
  if (c.req.method !== 'HEAD') return new Response(body as ReadableStream | null, { status, headers })
  if (body instanceof ReadableStream) body.cancel().catch(() => undefined)
  else if (body !== null) headers['content-length'] = String(Buffer.byteLength(body))
  return new Response(null, { status, headers })
}

/** Replaces the response and all of its headers. */
export function replaceResponse(c: AppContext, reply: Reply): void {
  c.res = undefined
  c.res = respond(c, reply)
}
