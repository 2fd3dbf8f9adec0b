import * as z from 'zod'
import { field, integer, oneOf, text, uuid } from '../../api/fields.ts'
import { valueError } from '../../api/issue.ts'
import { schema } from '../../api/schema.ts'
import { parseDuration } from '../../kernel/duration.ts'
import { Order } from '../../resources/orders/schema.ts'
import { RequestSummary } from '../requests/schema.ts'
import { WebhookMessage } from '../webhooks/schema.ts'

/** The longest timeout, in milliseconds. */
const MAX_WAIT_MS = 600_000

const timeout = () =>
  field({ type: 'string', examples: ['10s', '1m'] }, (input) => {
    const wait = typeof input === 'string' ? parseDuration(input) : undefined
    return wait !== undefined && wait <= MAX_WAIT_MS
      ? Math.round(wait)
      : valueError('a timeout is a duration of up to 10m, such as "10s"')
  })

/** Exactly one condition: the status of an order, a message, or a request. */
export const Wait = schema('PetriWait', () =>
  z.strictObject({
    order_id: uuid().optional(),
    status: text().optional().describe('The low-level or dotted status to wait for.'),
    message: z
      .strictObject({
        event_type: text().optional(),
        order_id: text().optional(),
        user_id: text().optional(),
        status: oneOf(['pending', 'delivered', 'failed']).default('delivered'),
      })
      .optional(),
    request: z
      .strictObject({
        operation: text().describe('An id or a route.'),
        status: z
          .union([z.int(), z.string()])
          .optional()
          .describe('Such as 200 or "4xx"; any status by default.'),
      })
      .optional(),
    times: integer({ ge: 1, le: 1000 }).default(1),
    timeout: timeout()
      .optional()
      .describe(
        'In wall-clock time; 10s by default. In a frozen world a call without one fails at once when only time can help.',
      ),
  }),
)

/** The order, or the messages or requests, latest last. */
export const Found = schema('PetriFound', () =>
  z.object({
    order: Order().optional(),
    messages: z.array(WebhookMessage()).optional(),
    requests: z.array(RequestSummary()).optional(),
  }),
)

export const Missed = schema('PetriMissed', () =>
  z.object({
    detail: z.string(),
    /** The nearest match as a sentence; null if there is none. */
    nearest: z.string().nullable(),
    next_due: z.string().nullable(),
    /** What happened, oldest first. */
    timeline: z.array(z.object({ at: z.string(), what: z.string() })),
  }),
)
