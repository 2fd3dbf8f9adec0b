import * as z from 'zod'
import { type ConditionName, conditionNames } from '../../people/conditions.ts'
import { type RowOf, table } from '../../storage/table.ts'

/** A result that shows a finding without a condition of its own. */
const Sign = () =>
  z.object({ slug: z.string(), side: z.enum(['above', 'below']), mild: z.number(), severe: z.number() })

/** A condition that laboratory results have shown; dates are `YYYY-MM-DD`. */
const Finding = () =>
  z.object({
    name: z.enum(conditionNames as [ConditionName, ...ConditionName[]]),
    since: z.iso.date(),
    until: z.iso.date().nullable(),
    degree: z.number().min(0).max(1),
    sign: Sign().exactOptional(),
  })

/** What is stored of the person behind a user, beside what follows from the seed; a row exists once there is something. */
export const people = table(
  'people',
  () => z.object({ user_id: z.string(), findings: z.array(Finding()) }),
  ({ user_id }) => user_id,
)
export type FindingRow = RowOf<typeof people>['findings'][number]
