import * as z from 'zod'
import { integer, maybe, text } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'

export const AgendaItem = schema('PetriAgendaItem', () =>
  z.object({
    due: z.iso.datetime({ offset: true }),
    kind: z.string(),
    /** Whom it concerns: the id of an order, a message or a user, or what the kind says. */
    subject: z.string(),
    order_id: z.string().nullable(),
    user_id: z.string().nullable(),
    /** In plain words. */
    does: z.string(),
    /** Comes back for ever, so that nobody waits for it. */
    recurring: z.boolean(),
  }),
)

export const AgendaList = schema('PetriAgenda', () =>
  z.object({
    data: z.array(AgendaItem()),
    /** How many there are in all. */
    total: z.int(),
  }),
)

export const AgendaQuery = unnamed(() =>
  z.object({
    subject: maybe(text()).describe('Only what concerns this order, message or user.'),
    limit: integer({ ge: 1, le: 500 }).default(100),
  }),
)
