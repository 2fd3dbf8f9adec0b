import * as z from 'zod'
import { unnamed } from '../../api/schema.ts'

/** A question a laboratory asks when a marker is ordered. */
export const QuestionSeed = unnamed(() =>
  z.strictObject({
    id: z.int(),
    required: z.boolean(),
    code: z.string(),
    value: z.string(),
    type: z
      .enum(['choice', 'multi_choice', 'multiple_choice', 'numeric', 'text'])
      .transform((type) => (type === 'multiple_choice' ? 'multi_choice' : type)),
    sequence: z.int(),
    answers: z.array(z.strictObject({ id: z.int32(), code: z.string(), value: z.string() })),
    constraint: z.string().nullable().default(null),
    default: z.string().nullable().default(null),
  }),
)
