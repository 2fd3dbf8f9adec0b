import type { Reply } from '../api/reply.ts'
import type { AppContext } from './context.ts'

/** The language of generated clients that fail on values they do not know, as they name it in `X-Fern-Language`. */
const CLOSED_ENUMS = 'JAVA'

/** Statuses of the specification that the published contract lacks, and what it has instead. Source: docs/contract/errors.md. */
const statuses: readonly (readonly [specified: string, published: string])[] = [
  ['received.testkit.testkit_registered', 'received.testkit.registered'],
  ['pending_review', 'started'],
]

/** The reply with published statuses only, for a client that would fail on others. */
export function withPublishedStatuses(c: AppContext, reply: Reply): Reply {
  if (typeof reply.body !== 'string' || c.req.header('x-fern-language') !== CLOSED_ENUMS) return reply
  // Quotes are escaped inside of texts, so only fields match.
  const body = statuses.reduce(
    (text, [specified, published]) => text.replaceAll(`"status":"${specified}"`, `"status":"${published}"`),
    reply.body,
  )
  return { ...reply, body }
}
