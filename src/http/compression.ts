import { compress } from 'hono/compress'
import { isMirrored } from '../api/operation.ts'
import type { Reply } from '../api/reply.ts'
import type { AppContext } from './context.ts'

/** Shorter bodies are sent as they are. Source: docs/contract/orders.md#lists. */
const MIN_LENGTH = 500

/** A list of encodings with gzip, other than `gzip;q=0`. */
const ASKS_FOR_GZIP = /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[^,]*)?(?:,|$)/i

/** Whether a reply is compressed: long JSON of the mirrored service, for a client that asks for it. Streams never are. */
export function isCompressed(
  c: AppContext,
  { body, contentType = 'application/json', isSent }: Reply,
): boolean {
  if (typeof body !== 'string' || body.length < MIN_LENGTH || isSent) return false
  const operation = c.get('operation')
  return (
    operation !== undefined &&
    isMirrored(operation) &&
    contentType === 'application/json' &&
    c.req.method !== 'HEAD' &&
    ASKS_FOR_GZIP.test(c.req.header('accept-encoding') ?? '')
  )
}

const gzip = compress({ encoding: 'gzip' })

/**
 * Compresses the response that was created. Not a middleware of its own: it would take time of every call, also of
 * those by clients that do not ask for it.
 */
export const compressResponse = (c: AppContext) => gzip(c, async () => undefined)
