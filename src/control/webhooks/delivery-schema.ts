import * as z from 'zod'
import { MOST_DROPPED, MOST_REPEATED } from '../../api/delivery.ts'
import { boolean, field, integer, maybe, text } from '../../api/fields.ts'
import { valueError } from '../../api/issue.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { duration } from '../fields.ts'

/** How many messages a window has; true is two. */
const window = () =>
  field({ type: ['integer', 'boolean'], minimum: 0, maximum: MOST_REPEATED }, (input) => {
    if (typeof input === 'boolean') return input ? 2 : 0
    const isSize = Number.isInteger(input) && (input as number) >= 0 && (input as number) <= MOST_REPEATED
    return isSize
      ? (input as number)
      : valueError(`reorder is true (pairs), false, or a window of 0 to ${MOST_REPEATED} messages`)
  })

const count = (most: number) => integer({ ge: 0, le: most })

/** What is left out of an endpoint's rules is as in the world's; left out of those, it is off. */
export const WebhookDeliveryInput = schema('WebhookDeliveryInput', () =>
  z.strictObject({
    duplicate: maybe(count(MOST_REPEATED)).describe(
      'Extra deliveries of each delivered message, same svix-id.',
    ),
    reorder: maybe(window()).describe('Messages wait in windows of so many and are sent last to first.'),
    delay: maybe(duration()).describe('Simulated time a message waits before its first attempt.'),
    drop_first: maybe(count(MOST_DROPPED)).describe('Attempts of each message that are lost on the way.'),
    bad_signature: maybe(boolean()).describe('The signature is that of another body.'),
    stale_timestamp: maybe(boolean()).describe('The timestamp is ten minutes old, and signed.'),
    burst: maybe(count(MOST_REPEATED)).describe('Messages wait until so many are there, then all are sent.'),
    endpoint_id: maybe(text()).describe('The only endpoint it is for.'),
  }),
)

const Rules = unnamed(() =>
  z.object({
    duplicate: z.int(),
    reorder: z.int(),
    delay: z.string().nullable(),
    drop_first: z.int(),
    bad_signature: z.boolean(),
    stale_timestamp: z.boolean(),
    burst: z.int(),
    endpoint_id: z.string().nullable(),
  }),
)

export const WebhookDelivery = schema('WebhookDelivery', () =>
  Rules().extend({
    /** Endpoints of which something else was said. */
    endpoints: z.array(Rules()),
  }),
)

export const DeliveryQuery = unnamed(() => z.object({ endpoint_id: maybe(text()) }))
