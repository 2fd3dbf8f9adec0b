import * as z from 'zod'
import { boolean, field, integer, maybe, oneOf, text } from '../../api/fields.ts'
import { valueError } from '../../api/issue.ts'
import { pageOf } from '../../api/pagination.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { instant } from '../fields.ts'

const summary = () => ({
  id: z.string(),
  at: z.iso.datetime({ offset: true }),
  /** Null if no operation has this path. */
  operation: z.string().nullable(),
  method: z.string(),
  /** The path with the query, without secrets. */
  path: z.string(),
  status: z.int(),
  duration_ms: z.int(),
  /** `page` for a call by Petri's page; null for all others. */
  from: z.string().nullable(),
  /** The number of fields and query parameters that no handler reads. */
  unread_count: z.int(),
  fault_id: z.string().nullable().describe('The injected fault that struck the call.'),
})

export const RequestSummary = schema('PetriRequestSummary', () => z.object(summary()))

export const RequestList = schema('PetriRequestList', () => pageOf(RequestSummary()))

const Caused = schema('PetriCausedEvent', () =>
  z.object({
    event_id: z.string(),
    event_type: z.string(),
    at: z.iso.datetime({ offset: true }),
    messages: z.array(z.object({ id: z.string(), endpoint_id: z.string(), status: z.string() })),
  }),
)

export const Request = schema('PetriRequest', () =>
  z.object({
    ...summary(),
    headers: z.record(z.string(), z.string()),
    body: z.unknown().describe('JSON, or text; null without one.'),
    response: z.unknown().describe('JSON, or text; null without one and for files.'),
    /** Fields and query parameters that Petri ignored. */
    unread: z.array(z.string()),
    nearest_fields: z
      .record(z.string(), z.string())
      .describe('The field that may have been meant, by the field that was ignored.'),
    /** The events the call caused, directly or by jobs it scheduled, and their messages. */
    caused: z.array(Caused()),
    /** For an unknown path: the most similar operations. */
    nearest: z.array(z.string()),
  }),
)

const statusOrClass = () =>
  field({ type: 'string', pattern: '^[1-5](xx|\\d\\d)$', examples: ['404', '5xx'] }, (input) =>
    typeof input === 'string' && /^[1-5](xx|\d\d)$/i.test(input)
      ? input.toLowerCase()
      : valueError('a status is written like 404, or 4xx for all of them'),
  )

export const RequestQuery = unnamed(() =>
  z.object({
    operation: maybe(text()).describe('An id or a route.'),
    status: maybe(statusOrClass()),
    method: maybe(oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], { fold: true })),
    path: maybe(text()).describe('Prefix of the path.'),
    since: maybe(instant()),
    order_id: maybe(text()).describe('Calls in whose path, body or answer this order occurs.'),
    user_id: maybe(text()).describe('Calls in whose path, body or answer this user occurs.'),
    q: maybe(text()).describe('Part of the path, the body or the answer.'),
    unread: maybe(boolean()).describe('Only calls with fields nothing reads, or only those without.'),
    order: oneOf(['asc', 'desc']).default('asc'),
    limit: integer({ ge: 1, le: 500 }).default(100),
    cursor: maybe(text()),
  }),
)

export const RequestPath = unnamed(() => z.object({ request_id: text() }))
