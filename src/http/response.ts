import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Reply } from '../api/reply.ts'

/** A reply with the headers that every response carries; `id` is the request's, sixteen hexadecimal digits. */
export function toResponse(reply: Reply, id: string, method: string): Response {
  const { status, body, contentType = 'application/json', headers, isSent } = reply
  if (isSent) return RESPONSE_ALREADY_SENT
  // A plain record: the adapter writes it without creating a Headers object.
  const sent: Record<string, string> = {
    'x-request-id': `req_${id}`,
    traceresponse: `00-${id}${id}-${id}-00`,
  }
  if (body !== null) sent['content-type'] = contentType
  for (const name in headers) sent[name] = headers[name] as string
  if (method !== 'HEAD') return new Response(body as ReadableStream | null, { status, headers: sent })
  if (body instanceof ReadableStream) body.cancel().catch(() => undefined)
  else if (body !== null) sent['content-length'] = String(Buffer.byteLength(body))
  return new Response(null, { status, headers: sent })
}
