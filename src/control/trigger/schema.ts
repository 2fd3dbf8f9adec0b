import * as z from 'zod'
import { text, uuid } from '../../api/fields.ts'
import { schema } from '../../api/schema.ts'
import { WebhookMessage } from '../webhooks/schema.ts'

/** An event type, and the object of the event. */
export const Trigger = schema('PetriTrigger', () =>
  z.strictObject({
    event_type: text(),
    order_id: uuid().optional(),
    user_id: uuid().optional(),
    provider: text().optional(),
    appointment_id: uuid().optional(),
    job_id: uuid().optional(),
    raw_result_id: uuid().optional(),
    quote_id: uuid().optional(),
    checkout_session_id: uuid().optional(),
    data: z
      .union([z.looseObject({}), z.array(z.unknown())])
      .optional()
      .describe('Fields that override those of the object; a list replaces the body.'),
  }),
)

export const Triggered = schema('PetriTriggered', () => ({
  event_id: z.string(),
  event_type: z.string(),
  /** Whether an example was sent because the object had no data for this event. */
  made_up: z.boolean(),
  /** One for each endpoint that is subscribed to it. */
  messages: z.array(WebhookMessage()),
}))
