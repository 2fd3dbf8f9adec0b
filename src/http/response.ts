import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { isMirrored } from '../api/operation.ts'
import type { Reply } from '../api/reply.ts'
import { version } from '../api/version.ts'
import { headerNames } from '../kernel/headers.ts'
import { hexOf } from '../world/requests.ts'
import type { AppContext } from './context.ts'

/**
 * The response of a reply. The headers are a plain record, which the adapter writes without creating a `Headers`
 * object.
 */
export function responseOf(c: AppContext, reply: Reply): Response {
  const { status, body, contentType = 'application/json', headers: own, isSent } = reply
  if (isSent) return RESPONSE_ALREADY_SENT
  const id = hexOf(c.get('ordinal'))
  const isCompressed = mayBeCompressed(c, reply) && ASKS_FOR_GZIP.test(c.req.header('accept-encoding') ?? '')
  const headers: Record<string, string> = {
    [headerNames.version]: version.petri,
    [headerNames.requestId]: `req_${id}`,
    traceresponse: `00-${id}${id}-${id}-00`,
    vary: isCompressed ? 'Accept-Encoding,Origin' : 'Origin',
  }
  if (body !== null) headers['content-type'] = contentType
  for (const name in own) headers[name] = own[name] as string
  if (c.req.method === 'HEAD') {
    if (body instanceof ReadableStream) body.cancel().catch(() => undefined)
    else if (body !== null) headers['content-length'] = String(Buffer.byteLength(body))
    return new Response(null, { status, headers })
  }
  if (!isCompressed) return new Response(body as ReadableStream | null, { status, headers })
  headers['content-encoding'] = 'gzip'
  const gzip = new Blob([body as string]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Response(gzip, { status, headers })
}

/** Shorter bodies are sent as they are. Source: docs/contract/orders.md#lists. */
const MIN_LENGTH = 500

/** A list of encodings with gzip, other than `gzip;q=0`. */
const ASKS_FOR_GZIP = /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[^,]*)?(?:,|$)/i

/** Whether a reply is long JSON of the mirrored service, which clients may ask for compressed. Streams never are. */
function mayBeCompressed(c: AppContext, { body, contentType = 'application/json' }: Reply): boolean {
  if (typeof body !== 'string' || body.length < MIN_LENGTH || contentType !== 'application/json') return false
  const operation = c.get('operation')
  return operation !== undefined && isMirrored(operation) && c.req.method !== 'HEAD'
}
