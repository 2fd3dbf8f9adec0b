import * as z from 'zod'
import { field, integer, maybe, oneOf, text } from '../../api/fields.ts'
import { valueError } from '../../api/issue.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { collectionMethods } from '../../resources/catalogue/schema.ts'
import { dottedStatuses, lowStatuses, readStatus, topStatuses } from '../../resources/orders/lifecycle.ts'

const BoardRow = schema('PetriBoardRow', () =>
  z.object({
    id: z.uuid(),
    user_id: z.uuid(),
    /** Null until a kit is registered. */
    patient: z.string().nullable(),
    /** The name a kit was sent to. */
    recipient: z.string().nullable(),
    lab_test: z.string(),
    method: z.string(),
    /** Dotted. */
    status: z.string(),
    interpretation: z.string().nullable(),
    /** When it got this status. */
    since: z.iso.datetime({ offset: true }),
    scenario: z.string().nullable(),
    /** The next status; null if there is none. */
    next: z.string().nullable(),
    next_due: z.string().nullable(),
    waits_for: z.string().nullable(),
  }),
)

const Attention = schema('PetriAttention', () =>
  z.object({
    /** Messages whose latest attempt failed, whether or not a retry follows. */
    failing_messages: z.int(),
    /** Recorded calls that got a 4xx or 5xx. */
    refused_requests: z.int(),
    /** Recorded calls with fields that no handler reads. */
    requests_with_unread_fields: z.int(),
    critical_results: z.int(),
    /** Kits with the customer that nobody has registered. */
    waiting_for_registration: z.int(),
  }),
)

export const Board = schema('PetriBoard', () =>
  z.object({
    data: z.array(BoardRow()),
    /** The number of orders that match the filters. */
    total: z.int(),
    next_cursor: z.string().nullable(),
    /** The number of orders with each dotted status, regardless of the filters. */
    counts: z.record(z.string(), z.int()),
    attention: Attention(),
  }),
)

/** Low-level, dotted, or the first part of a dotted status. */
const anyStatus = () =>
  field({ type: 'string', examples: ['failed', 'lost', 'failed.testkit.lost'] }, (input) => {
    const wanted = typeof input === 'string' ? input : ''
    const read = readStatus(wanted)
    if (read || topStatuses.some((top) => top === wanted)) return { wanted, read }
    const hint = didYouMean(wanted, [...topStatuses, ...lowStatuses, ...dottedStatuses])
    return valueError(`"${wanted}" is no status of an order.${hint}`)
  })

export const BoardQuery = unnamed(() =>
  z.object({
    status: maybe(anyStatus()),
    method: maybe(oneOf(collectionMethods)),
    interpretation: maybe(text()),
    search: maybe(text()).describe(
      'Part of an id, a sample, a tracking number, or the name of a patient or recipient.',
    ),
    limit: integer({ ge: 1, le: 500 }).default(100),
    cursor: maybe(text()),
  }),
)
