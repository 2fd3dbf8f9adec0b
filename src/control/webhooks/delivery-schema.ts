import * as z from 'zod'
import { MAX_DROPPED, MAX_REPEATED } from '../../api/delivery.ts'
import { boolean, field, integer, maybe, text } from '../../api/fields.ts'
import { valueError } from '../../api/issue.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { duration } from '../fields.ts'

/** Size of a window; true means two. */
const window = () =>
  field({ type: ['integer', 'boolean'], minimum: 0, maximum: MAX_REPEATED }, (input) => {
    if (typeof input === 'boolean') return input ? 2 : 0
    const isSize = Number.isInteger(input) && (input as number) >= 0 && (input as number) <= MAX_REPEATED
    return isSize
      ? (input as number)
      : valueError(`reorder is true (pairs), false, or a window of 0 to ${MAX_REPEATED} messages`)
  })

const count = (most: number) => integer({ ge: 0, le: most })

/** An endpoint inherits omitted rules from the world; rules the world omits are off. */
export const WebhookDeliveryInput = schema('WebhookDeliveryInput', () =>
  z.strictObject({
    duplicate: maybe(count(MAX_REPEATED)).describe(
      'Extra deliveries of each delivered message, same svix-id.',
    ),
    reorder: maybe(window()).describe(
      'Messages wait until there are this many, and are sent in reverse order.',
    ),
    delay: maybe(duration()).describe('Simulated time a message waits before its first attempt.'),
    drop_first: maybe(count(MAX_DROPPED)).describe(
      'Number of first attempts of each message that fail as if lost.',
    ),
    bad_signature: maybe(boolean()).describe('Whether the signature does not match the body.'),
    stale_timestamp: maybe(boolean()).describe('Whether the signed timestamp is ten minutes old.'),
    burst: maybe(count(MAX_REPEATED)).describe(
      'Messages wait until there are this many, and are then all sent.',
    ),
    endpoint_id: maybe(text()).describe('The endpoint the rules apply to; all by default.'),
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
    /** Endpoints that have their own rules. */
    endpoints: z.array(Rules()),
  }),
)

export const DeliveryQuery = unnamed(() => z.object({ endpoint_id: maybe(text()) }))
