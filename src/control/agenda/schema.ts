import * as z from 'zod'
import { integer, maybe, text } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'

export const AgendaItem = schema('PetriAgendaItem', () =>
  z.object({
    due: z.iso.datetime({ offset: true }),
    kind: z.string(),
    /** The id of the order, message or user it is about; other kinds of jobs use other ids. */
    subject: z.string(),
    order_id: z.string().nullable(),
    user_id: z.string().nullable(),
    /** A description in words. */
    does: z.string(),
    /** Whether it repeats for ever; such jobs do not count as pending. */
    recurring: z.boolean(),
  }),
)

export const AgendaList = schema('PetriAgenda', () =>
  z.object({
    data: z.array(AgendaItem()),
    /** The number of all matching jobs. */
    total: z.int(),
  }),
)

export const AgendaQuery = unnamed(() =>
  z.object({
    subject: maybe(text()).describe('Only what concerns this order, message or user.'),
    limit: integer({ ge: 1, le: 500 }).default(100),
  }),
)
