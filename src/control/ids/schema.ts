import * as z from 'zod'
import { maybe, oneOf, text } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'

/** The kinds of objects whose ids can be found by a prefix. */
export const idKinds = [
  ...(['order', 'user', 'appointment', 'job'] as const),
  ...(['message', 'endpoint', 'request', 'fault'] as const),
] as const
export type IdKind = (typeof idKinds)[number]

export const IdsQuery = unnamed(() =>
  z.object({
    kind: maybe(oneOf(idKinds)).describe('Only ids of this kind; of every kind by default.'),
    prefix: text().default('').describe('How the ids begin.'),
  }),
)

export const Ids = schema('PetriIds', () =>
  z.object({
    /** The first 50. */
    data: z.array(z.object({ kind: z.string(), id: z.string() })),
    /** The number of all matching ids. */
    total: z.int(),
  }),
)
